import { exactBlanks, exactLines } from "./exact-lines.ts";
import type { DiffLine } from "./line-diff.ts";

/** In a longer change, lines are not compared: all blanks are spelled out. */
const maxCompared = 20_000;

/** Returns the exact notation of a line. Where only blanks changed, they are spelled out too. */
export function exactNotation(lines: readonly DiffLine[]): (line: DiffLine) => DiffLine {
  const showsBlanks = lines.length > maxCompared ? isChanged : hasChangedBlanks(lines);
  return (line) => ({
    sign: line.sign,
    text: showsBlanks(line) ? exactBlanks(line.text) : exactLines(line.text),
  });
}

const isChanged = ({ sign }: DiffLine): boolean => sign !== " ";

/** Whether the other side has the same line apart from blanks. */
function hasChangedBlanks(lines: readonly DiffLine[]): (line: DiffLine) => boolean {
  const squeezed = ({ text }: DiffLine) => text.replace(/\s+/g, "");
  const sides = { "-": new Set<string>(), "+": new Set<string>(), " ": new Set<string>() };
  for (const line of lines) sides[line.sign].add(squeezed(line));
  const opposite = { "-": sides["+"], "+": sides["-"], " ": new Set<string>() };
  return (line) => opposite[line.sign].has(squeezed(line));
}
