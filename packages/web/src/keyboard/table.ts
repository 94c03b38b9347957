/**
 * Every shortcut, except those that open pages. The key handler and the sheet behind `?` both read this table.
 * A key is what `KeyboardEvent.key` calls it; `Mod` is Ctrl, on a Mac Command; two words are two strokes.
 */
export const shortcutTable = {
  Anywhere: {
    palette: { keys: ["Mod+k"], words: "Find a session, a page or a command", whileTyping: true },
    "new-session": { keys: ["c"], words: "New session" },
    search: { keys: ["/"], words: "Search the sessions" },
    next: { keys: ["j"], words: "Next session; in the inbox, next card; in changes, next file" },
    previous: {
      keys: ["k"],
      words: "Previous session; in the inbox, previous card; in changes, previous file",
    },
    write: { keys: ["m"], words: "Write to the agent" },
    theme: { keys: ["Mod+Shift+l"], words: "Light, dark, or as the system" },
    sheet: { keys: ["?"], words: "This list" },
  },
  /** Filled in from the table of pages. */
  "Go to": {},
  "In a session": {
    "view-transcript": { keys: ["g t"], words: "Its conversation" },
    "view-changes": { keys: ["g c"], words: "Its changes" },
    "view-log": { keys: ["g l"], words: "Its raw log" },
    rename: { keys: ["F2"], words: "Rename it" },
    find: { keys: ["Mod+f"], words: "Find in the transcript", whileTyping: true },
    latest: { keys: ["End"], words: "Jump to the latest" },
    interrupt: { keys: ["Mod+."], words: "Interrupt the turn", whileTyping: true },
  },
  "On a card that asks": {
    approve: { keys: ["a", "y"], words: "Approve" },
    "approve-session": { keys: ["s"], words: "Approve for the rest of the session" },
    "approve-edits": { keys: ["e"], words: "Approve a plan and accept its edits" },
    amend: { keys: ["i"], words: "Change the input before approving" },
    "deny-reason": { keys: ["d"], words: "Deny, with a reason" },
    deny: { keys: ["n"], words: "Deny at once" },
    option: { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], words: "Choose an option" },
    answer: { keys: ["Enter"], words: "Send the chosen answers" },
    open: { keys: ["o"], words: "Open its session" },
  },
} as const satisfies Record<string, Record<string, ShortcutEntry>>;

interface ShortcutEntry {
  readonly keys: readonly string[];
  readonly words: string;
  /** Acts also while somebody types; only for keys that write nothing. */
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
    key === undefined ? [] : { id: pageShortcut(path), group: "Go to", keys: [key], words: title },
  );
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const symbols: Readonly<Record<string, string>> = isMac
  ? { Mod: "⌘", Shift: "⇧", Alt: "⌥" }
  : { Mod: "Ctrl" };

/** A key in a sentence: `Mod+Enter` is Ctrl+Enter, on a Mac ⌘Enter. */
export const keyText = (key: string): string => keycaps(key).join(isMac ? "" : "+");

/** The strokes of a key as they stand on keycaps: `Mod+k` is ⌘ K, `g i` is G I. */
export function keycaps(key: string): string[] {
  return key.split(/[+ ]/).map((part) => symbols[part] ?? (part.length === 1 ? part.toUpperCase() : part));
}
