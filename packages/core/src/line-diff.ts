// An entry of its own: only code that shows diffs loads the library.
import { diffArrays } from "diff";

export interface DiffLine {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
}

/** Beyond this many moved lines, comparing takes long and explains little. */
const maxEdits = 1_000;

/**
 * Removed, added and unchanged lines, none left out: the unchanged and removed ones are `before`, the unchanged and
 * added ones `after`. If too much was moved, everything between the equal ends is removed and added as a whole.
 */
export function compareLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...signed(" ", before.slice(0, start)),
    ...changes(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...signed(" ", before.slice(before.length - end)),
  ];
}

const signed = (sign: DiffLine["sign"], lines: readonly string[]): DiffLine[] =>
  lines.map((text) => ({ sign, text }));

function changes(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let old = 0;
  let now = 0;
  const skipTo = (nextOld: number, nextNow: number) => {
    for (; old < nextOld; old++) lines.push({ sign: "-", text: before[old] ?? "" });
    for (; now < nextNow; now++) lines.push({ sign: "+", text: after[now] ?? "" });
  };
  for (const [keptOld, keptNow] of keptLines(before, after)) {
    skipTo(keptOld, keptNow);
    lines.push({ sign: " ", text: before[old++] ?? "" });
    now++;
  }
  skipTo(before.length, after.length);
  return lines;
}

/** The indexes of lines that stay, in both texts. */
function* keptLines(before: readonly string[], after: readonly string[]): Generator<[number, number]> {
  // Most changed lines are in one text only and cannot stay. Without them the rest is compared in no time.
  const old = indexesOfShared(before, after);
  const now = indexesOfShared(after, before);
  const textsOf = (lines: readonly string[], indexes: readonly number[]) =>
    indexes.map((index) => lines[index] ?? "");
  const parts = diffArrays(textsOf(before, old), textsOf(after, now), { maxEditLength: maxEdits }) ?? [];
  let atOld = 0;
  let atNow = 0;
  for (const { added, removed, value } of parts) {
    if (!added && !removed)
      for (let i = 0; i < value.length; i++) yield [old[atOld + i] ?? 0, now[atNow + i] ?? 0];
    if (!added) atOld += value.length;
    if (!removed) atNow += value.length;
  }
}

function indexesOfShared(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others);
  return [...lines.keys()].filter((index) => known.has(lines[index] ?? ""));
}
