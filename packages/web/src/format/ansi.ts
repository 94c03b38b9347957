// biome-ignore-all lint/suspicious/noControlCharactersInRegex: this file parses them
import { plainText, withoutTerminalStrings } from "./terminal.ts";

const colours = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
export type AnsiColour = (typeof colours)[number];

/** The style of a piece of terminal output: a closed set, so that output cannot use any other style. */
export interface AnsiLook {
  readonly colour?: AnsiColour | undefined;
  readonly ground?: AnsiColour | undefined;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

export interface AnsiSpan {
  readonly text: string;
  readonly look: AnsiLook;
}

const plain: AnsiLook = {};
const sgr = /\u001b\[([\d;:]*)m/g;
/** Stands for an SGR sequence while all other escapes are removed. */
const mark = "\ue000";

/** Text with its colours and weights, as a terminal would show it. All other escapes are removed. */
export function readAnsi(text: string): AnsiSpan[] {
  if (!text.includes("\u001b[")) return text === "" ? [] : [{ text: plainText(text), look: plain }];
  const codes: string[] = [];
  const marked = withoutTerminalStrings(text.replaceAll(mark, "")).replace(sgr, (_, parameters: string) => {
    codes.push(parameters);
    return mark;
  });
  const spans: AnsiSpan[] = [];
  let look = plain;
  // A carriage return overwrites the text of the line, not its colours, so marks survive.
  const [first = "", ...rest] = plainText(keepMarks(marked)).split(mark);
  if (first !== "") spans.push({ text: first, look });
  for (const [index, words] of rest.entries()) {
    look = apply(look, codes[index] ?? "");
    if (words !== "") spans.push({ text: words, look });
  }
  return spans;
}

const keepMarks = (text: string) =>
  text.replace(/^(.*)\r(?!\n|$)/gm, (_, gone: string) => `${gone.replace(/[^\ue000]/g, "")}`);

function apply(look: AnsiLook, parameters: string): AnsiLook {
  const codes = parameters.split(/[;:]/).map(Number);
  let next = look;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, used } = extended(codes.slice(i + 1));
      next = code === 38 ? { ...next, colour } : { ...next, ground: colour };
      i += used;
    } else next = one(next, code);
  }
  return next;
}

const switches: Readonly<Record<number, AnsiLook>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  39: { colour: undefined },
  49: { ground: undefined },
};

function one(look: AnsiLook, code: number): AnsiLook {
  if (code === 0) return plain;
  const change = switches[code];
  if (change) return { ...look, ...change };
  if (code === 7) return { ...look, colour: look.ground, ground: look.colour ?? "white" };
  const colour = colours[code % 10];
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return { ...look, colour };
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return { ...look, ground: colour };
  return look;
}

/** `5;N` of 256 colours or `2;R;G;B`: the nearest of the page's colours, which are readable in both themes. */
function extended([kind, a = 0, b = 0, c = 0]: readonly number[]): { colour?: AnsiColour; used: number } {
  if (kind === 2) return { colour: nearest(a, b, c), used: 4 };
  if (kind !== 5) return { used: 0 };
  if (a < 16) return { colour: colours[a % 8] ?? "white", used: 2 };
  if (a >= 232) return { colour: a < 244 ? "black" : "white", used: 2 };
  const level = (n: number) => (n === 0 ? 0 : 55 + 40 * n);
  const cube = a - 16;
  return {
    colour: nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)),
    used: 2,
  };
}

function nearest(red: number, green: number, blue: number): AnsiColour {
  const strongest = Math.max(red, green, blue);
  if (strongest < 70) return "black";
  const bit = (channel: number) => (channel > strongest * 0.62 ? 1 : 0);
  return colours[bit(red) + 2 * bit(green) + 4 * bit(blue)] ?? "white";
}
