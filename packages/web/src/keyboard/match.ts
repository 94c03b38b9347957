import { isMac, type Shortcut, shortcuts } from "./table.ts";

/** Strokes of a sequence that lie further apart are two keys. */
const sequenceMs = 1_200;
/** Letters that follow each other sooner belong to one stretch of writing. */
const writingMs = 1_000;

const textFields = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";

/** One stroke in the table's words: `a`, `?`, `Mod+k`. */
function strokeOf(event: KeyboardEvent): string | undefined {
  if (event.altKey || (isMac ? event.ctrlKey : event.metaKey)) return undefined;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  // Shift makes `?` out of another key and is already in it; with Mod it says which of two commands is meant.
  return `${mod ? "Mod+" : ""}${mod && event.shiftKey ? "Shift+" : ""}${key}`;
}

/** Somebody writes, or answers a dialog: their keys are their own. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : document.body;
  // What has the focus is pressed by Enter itself.
  if (event.key === "Enter" && target.closest("button, a, summary")) return true;
  // In a menu, letters are for type-ahead.
  if (target.closest("[role=menu]")) return true;
  return target.matches(textFields) || document.querySelector("dialog:modal") !== null;
}

/** Reads strokes one after the other and says what they mean. */
export class ShortcutReader {
  private prefix: { readonly stroke: string; readonly at: number } | undefined;
  /** The field of the last letter, and when it was written. */
  private writing: { readonly field: Element; readonly at: number } | undefined;

  /** The shortcuts this stroke completes; none for a key that is held down, belongs to a text, or means nothing. */
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
   * Whether this is one more letter for a field that vanished under the writer, such as that of a card somebody else
   * settled: it must not become a command.
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
