// Text that tries to control a terminal or to look like other text, and checks for what got through.

/** Hostile texts by name. Each contains the word PAYLOAD, which must be shown. */
export const hostileWords: Readonly<Record<string, string>> = {
  "OSC 52 (clipboard)": "\u001b]52;c;PAYLOAD\u0007",
  "OSC 0 (title)": "\u001b]0;PAYLOAD\u0007",
  "OSC 2, ended by ST": "\u001b]2;PAYLOAD\u001b\\",
  "OSC 8 (link)": "\u001b]8;;http://PAYLOAD\u001b\\text\u001b]8;;\u001b\\",
  "OSC in C1": "\u009d0;PAYLOAD\u009c",
  DCS: "\u001bPqPAYLOAD\u001b\\",
  "DCS in C1": "\u0090qPAYLOAD\u009c",
  APC: "\u001b_PAYLOAD\u001b\\",
  PM: "\u001b^PAYLOAD\u001b\\",
  SOS: "\u001bXPAYLOAD\u001b\\",
  "cursor up and erase": "\u001b[1A\u001b[2KPAYLOAD",
  "clear screen": "\u001b[2J\u001b[HPAYLOAD",
  "alternate screen": "\u001b[?1049hPAYLOAD",
  "scroll region": "\u001b[1;5rPAYLOAD",
  "CSI in C1": "\u009b2JPAYLOAD",
  "device report": "\u001b[6n\u001b[cPAYLOAD",
  "concealing colour": "\u001b[8mPAYLOAD\u001b[0m",
  "colour in C1": "\u009b35mPAYLOAD\u009b0m",
  "colour with colons": "\u001b[38:2::1:2:3mPAYLOAD",
  reset: "\u001bcPAYLOAD",
  "charset shift": "\u000e\u001b(0PAYLOAD\u000f",
  bell: "\u0007PAYLOAD",
  backspaces: "safe\b\b\b\bPAYLOAD",
  "carriage return": "rm -rf ~\rPAYLOAD",
  "vertical moves": "a\u000bb\u000cPAYLOAD",
  DEL: "a\u007fPAYLOAD",
  NUL: "a\u0000PAYLOAD",
  NEL: "a\u0085PAYLOAD",
  "bidi override": "\u202ePAYLOAD\u202c",
  "bidi isolate": "\u2066PAYLOAD\u2069",
  "bidi marks": "\u200e\u200f\u061cPAYLOAD",
  "line separators": "a\u2028b\u2029PAYLOAD",
  "zero width": "PAY\u200bLOAD PAYLOAD\u200d\ufeff",
  tags: "PAYLOAD\u{e0041}\u{e0042}\u{e007f}",
  "lone surrogates": "\ud800PAYLOAD\udc00",
  "unterminated OSC": "PAYLOAD\u001b]0;half",
  "unterminated CSI": "PAYLOAD\u001b[3",
  "unterminated ESC": "PAYLOAD\u001b",
  "nested colour": "\u001b\u001b[m[31mPAYLOAD",
  "our own notation": "⟨U+001B⟩PAYLOAD",
};

export const allHostileWords = Object.values(hostileWords).join(" ");

const esc = "\u001b";

/** The escape sequences Drover itself may write. */
const ours = new RegExp(`${esc}\\[(?:1|2|22|31|32|33|36|39)m|\r${esc}\\[K|${esc}\\[\\?2004[hl]`, "g");

/** Any colour sequence. */
export const colours = new RegExp(`(?:${esc}\\[|\u009b)[\\d;:]{0,64}m`, "g");

/** Control sequences that are not Drover's own; empty if none got through. */
export const strays = (written: string): string[] =>
  written.replace(ours, "").match(/(?![\n\t])\p{Cc}.{0,12}|[\p{Bidi_C}\p{Cs}\p{Zl}\p{Zp}]/gu) ?? [];

/** Keys whose values the program depends on, so they stay as they are. */
const structural = new Set([
  "type",
  "kind",
  "id",
  "sessionId",
  "turnId",
  "messageId",
  "toolCallId",
  "status",
]);

/** A copy in which every string is hostile. */
export function poisoned<T>(value: T, words = allHostileWords, key = ""): T {
  if (typeof value === "string") return (structural.has(key) ? value : `${value}${words}`) as T;
  if (Array.isArray(value)) return value.map((one) => poisoned(one, words, key)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, poisoned(one, words, name)]),
  ) as T;
}

/** Turns spelled-out characters back into themselves. */
export const unspelled = (shown: string): string =>
  shown.replace(/⟨U\+([0-9A-F]{4,6})⟩/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
