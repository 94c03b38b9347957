/**
 * Every shortcut, except those that open pages. The key handler and the sheet behind `?` both read this table.
 * Keys are named as in `KeyboardEvent.key`; `Mod` is Command on a Mac, Ctrl elsewhere; a space separates the keys of a
 * sequence.
 */
export const shortcutTable = {
  Anywhere: {
    palette: { keys: ["Mod+k"], label: "Search or jump to…", whileTyping: true },
    "new-session": { keys: ["c"], label: "New session" },
    "new-worker": { keys: ["x"], label: "New worker" },
    search: { keys: ["/"], label: "Filter sessions" },
    next: { keys: ["j"], label: "Next session, request or file" },
    previous: {
      keys: ["k"],
      label: "Previous session, request or file",
    },
    attention: { keys: ["u"], label: "Next session that needs you or is unread" },
    worker: { keys: ["w"], label: "Next worker that needs you" },
    write: { keys: ["m"], label: "Write a message" },
    undo: { keys: ["Mod+z"], label: "Undo archive, remove or discard" },
    theme: { keys: ["Mod+Shift+l"], label: "Switch theme" },
    sheet: { keys: ["?"], label: "Keyboard shortcuts" },
  },
  /** Filled in from the table of pages. */
  "Go to": {},
  "In a session": {
    "view-transcript": { keys: ["g t"], label: "Show transcript" },
    "view-changes": { keys: ["g c"], label: "Show changes" },
    "view-review": { keys: ["g r"], label: "Show review" },
    "view-proposals": { keys: ["g o"], label: "Show proposals" },
    "view-log": { keys: ["g l"], label: "Show raw log" },
    rename: { keys: ["F2"], label: "Rename session" },
    find: { keys: ["Mod+f"], label: "Find in transcript", whileTyping: true },
    "previous-prompt": { keys: ["["], label: "Previous prompt" },
    "next-prompt": { keys: ["]"], label: "Next prompt" },
    latest: { keys: ["End"], label: "Jump to latest" },
    interrupt: { keys: ["Mod+."], label: "Interrupt", whileTyping: true },
  },
  "In a diff": {
    lines: { keys: ["l"], label: "Select lines with ↑ ↓ and Shift; Enter comments" },
    viewed: { keys: ["v"], label: "Mark the file as viewed" },
  },
  "On a request": {
    approve: { keys: ["a", "y"], label: "Approve" },
    "approve-session": { keys: ["s"], label: "Approve for this session" },
    "approve-edits": { keys: ["e"], label: "Approve a plan and accept edits" },
    amend: { keys: ["i"], label: "Edit before approving" },
    "deny-reason": { keys: ["d"], label: "Deny with reason" },
    deny: { keys: ["n"], label: "Deny" },
    option: {
      keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
      label: "Choose an answer; Enter sends it",
    },
    answer: { keys: ["Enter"], label: "Send the answer" },
    open: { keys: ["o"], label: "Open the session" },
  },
} as const satisfies Record<string, Record<string, ShortcutEntry>>;

interface ShortcutEntry {
  readonly keys: readonly string[];
  readonly label: string;
  /** Also works in text fields; only for keys that do not type anything. */
  readonly whileTyping?: boolean;
}

type Table = typeof shortcutTable;
export type ShortcutId = { [Group in keyof Table]: keyof Table[Group] }[keyof Table] | PageShortcut;
type PageShortcut = `go ${string}`;

/** The id of the shortcut that opens the page with this path. */
export const pageShortcut = (path: string): PageShortcut => `go ${path}`;

export interface Shortcut extends ShortcutEntry {
  readonly id: ShortcutId;
  readonly group: string;
}

const ownShortcuts: readonly Shortcut[] = Object.entries(shortcutTable).flatMap(([group, entries]) =>
  Object.entries<ShortcutEntry>(entries).map(([id, entry]) => ({ ...entry, id: id as ShortcutId, group })),
);
let pageShortcuts: readonly Shortcut[] = [];

export const shortcuts = (): readonly Shortcut[] => [...ownShortcuts, ...pageShortcuts];

/** Called by the application: pages import this module, so it cannot import the table of pages itself. */
export function setPageShortcuts(
  pages: readonly { readonly path: string; readonly title: string; readonly key?: string }[],
): void {
  pageShortcuts = pages.flatMap(({ path, title, key }) =>
    key === undefined ? [] : { id: pageShortcut(path), group: "Go to", keys: [key], label: title },
  );
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const symbols: Readonly<Record<string, string>> = isMac
  ? { Mod: "⌘", Shift: "⇧", Alt: "⌥" }
  : { Mod: "Ctrl" };

/** A key in a sentence: `Mod+Enter` is Ctrl+Enter, on a Mac ⌘Enter. */
export const keyText = (key: string): string => keycaps(key).join(isMac ? "" : "+");

/** The labels of the keycaps: `Mod+k` is ⌘ K, `g i` is G I. */
export function keycaps(key: string): string[] {
  return key.split(/[+ ]/).map((part) => symbols[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}
