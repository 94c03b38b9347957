import { compareLines } from "@drover/core/line-diff";
import type { Stretch } from "../code/line-pieces.ts";

/** Longer lines are not compared word by word. */
const maxLength = 500;

/** The changed parts of two lines; undefined if they have little in common. */
export function changedStretches(
  before: string,
  after: string,
): { old: Stretch[]; now: Stretch[] } | undefined {
  if (before.length > maxLength || after.length > maxLength || before === after) return undefined;
  // Words in place of lines.
  const words = compareLines(wordsOf(before), wordsOf(after));
  const kept = words
    .filter(({ sign }) => sign === " ")
    .map(({ text }) => text)
    .join("");
  if (kept.trim().length * 3 < Math.min(before.length, after.length)) return undefined;
  const side = (sign: "-" | "+") =>
    join(
      words
        .filter((word) => word.sign === sign || word.sign === " ")
        .map((word) => ({ text: word.text, changed: word.sign === sign })),
    );
  return { old: side("-"), now: side("+") };
}

/** Words, runs of spaces and single symbols; nothing is lost, because a line contains no newline. */
const wordsOf = (line: string): string[] => line.match(/[\p{L}\p{N}_]+|\s+|./gu) ?? [];

/** Joins neighbours of one kind. Spaces between two changes count as changed. */
function join(parts: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const [at, part] of parts.entries()) {
    const last = joined.at(-1);
    const isGap = !part.changed && part.text.trim() === "" && last?.changed && parts[at + 1]?.changed;
    const changed = part.changed || isGap === true;
    if (last && last.changed === changed)
      joined[joined.length - 1] = { text: last.text + part.text, changed };
    else joined.push({ text: part.text, changed });
  }
  return joined;
}
