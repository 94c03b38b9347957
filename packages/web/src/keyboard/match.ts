import { isMac, type Shortcut, shortcuts } from "./table.ts";

/** Keys further apart than this do not form a sequence. */
const sequenceMs = 1_200;
/** Letters closer together than this belong to the same typing. */
const writingMs = 1_000;

const textFields = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";

/** A key event in the notation of the table: `a`, `?`, `Mod+k`. */
function strokeOf(event: KeyboardEvent): string | undefined {
  if (event.altKey || (isMac ? event.ctrlKey : event.metaKey)) return undefined;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // `?` already implies Shift. With Mod, Shift distinguishes two shortcuts.
  return `${mod ? "Mod+" : ""}${mod && event.shiftKey ? "Shift+" : ""}${key}`;
}

/** Whether the key belongs to a text field, a menu or a dialog. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : document.body;
  // Enter presses the focused control.
  if (event.key === "Enter" && target.closest("button, a, summary")) return true;
  // In a menu, letters are for type-ahead.
  if (target.closest("[role=menu]")) return true;
  return target.matches(textFields) || document.querySelector("dialog:modal") !== null;
}

/** Matches key events against the shortcuts, including sequences. */
export class ShortcutReader {
  private prefix: { readonly stroke: string; readonly at: number } | undefined;
  /** The field that received the last letter, and when. */
  private writing: { readonly field: Element; readonly at: number } | undefined;

  /** The shortcuts this key completes; none while a key repeats or belongs to a text field. */
  read(event: KeyboardEvent): readonly Shortcut[] {
    if (this.goesOnWriting(event)) return [];
    const stroke = event.repeat ? undefined : strokeOf(event);
    if (stroke === undefined || event.defaultPrevented) return [];
    const began =
      this.prefix && event.timeStamp - this.prefix.at < sequenceMs ? this.prefix.stroke : undefined;
    this.prefix = undefined;
    const usable = isTaken(event) ? shortcuts().filter(({ whileTyping }) => whileTyping) : shortcuts();
    const sequence =
      began === undefined ? [] : usable.filter(({ keys }) => keys.includes(`${began} ${stroke}`));
    if (sequence.length > 0) return sequence;
    if (usable.some(({ keys }) => keys.some((key) => key.startsWith(`${stroke} `)))) {
      this.prefix = { stroke, at: event.timeStamp };
      return [];
    }
    return usable.filter(({ keys }) => keys.includes(stroke));
  }

  /**
   * Whether this letter was meant for a field that has just disappeared, for example because someone else settled its
   * card. It must not trigger a shortcut.
   */
  private goesOnWriting(event: KeyboardEvent): boolean {
    const { target, key, timeStamp: at } = event;
    const isLetter = (key.length === 1 && !event.ctrlKey && !event.metaKey) || key === "Backspace";
    if (target instanceof Element && target.matches(textFields)) {
      this.writing = isLetter ? { field: target, at } : undefined;
      return false;
    }
    const { writing } = this;
    const goesOn = isLetter && writing && !writing.field.isConnected && at - writing.at < writingMs;
    this.writing = goesOn ? { ...writing, at } : undefined;
    return goesOn === true;
  }
}
