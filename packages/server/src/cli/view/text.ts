import { stripVTControlCharacters } from "node:util";
import type { Output } from "../cli.ts";

type Paint = (text: string) => string;
export type Style = Readonly<Record<"bold" | "dim" | "red" | "green" | "yellow" | "cyan", Paint>>;

const plain: Style = {
  bold: (text) => text,
  dim: (text) => text,
  red: (text) => text,
  green: (text) => text,
  yellow: (text) => text,
  cyan: (text) => text,
};

const paint =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;

const coloured: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39),
};

/** Colours for a terminal whose user did not ask for none; plain text for everything else. */
export const styleFor = (output: Output, settings: { readonly colour: boolean }): Style =>
  output.isTTY && settings.colour ? coloured : plain;

/** How many characters a terminal's line holds; one that does not know says 0, or nothing. */
export const columnsOf = (output: Output, otherwise = 80): number => output.columns || otherwise;

/**
 * Text of an agent as a terminal may be shown it: no escape sequence and no control character, with which an agent
 * could retitle the window, write to the clipboard or paint over an approval. Line breaks and tabs stay.
 */
export function harmless(text: string): string {
  const stripped = stripVTControlCharacters(text);
  let clean = "";
  for (const character of stripped) if (!isControl(character)) clean += character;
  return clean;
}

/** The same on one line. */
export const oneLine = (text: string): string => harmless(text).replace(/\s+/g, " ").trim();

/** On one line, and not longer than that. */
export function clip(text: string, max: number): string {
  const line = oneLine(text);
  return line.length <= max ? line : `${line.slice(0, Math.max(0, max - 1))}…`;
}

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (character === "\n" || character === "\t") return false;
  // C0, DEL and C1; U+202A…E and U+2066…9 turn the direction of what follows them.
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}
