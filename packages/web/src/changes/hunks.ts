import { columnsOf, displayText } from "./line-text.ts";
import type { DiffRow, Hunk } from "./rows.ts";

/** Unchanged lines of a file by their old numbers, as far as they are loaded. */
export interface KnownLines {
  readonly lines: ReadonlyMap<number, string>;
  /** How many lines the old file has, if known. */
  readonly total?: number;
}

/** How many lines a click reveals, and how many at most. */
export const fewLines = 20;
export const manyLines = 500;

/** Puts known lines where they were hidden. What is still hidden stays behind a hunk's header. */
export function reveal(rows: readonly DiffRow[], known: KnownLines): DiffRow[] {
  return rows.flatMap((row) => (row.hunk ? revealOne(row, row.hunk, known) : [row]));
}

function revealOne(row: DiffRow, hunk: Hunk, { lines, total }: KnownLines): DiffRow[] {
  const to = hunk.isEnd ? (total ?? hunk.to) : hunk.to;
  let first = hunk.from;
  while ((to === undefined || first <= to) && lines.has(first)) first++;
  let last = to;
  while (last !== undefined && last >= first && lines.has(last)) last--;
  const above = contextRows(hunk, lines, { from: hunk.from, to: first - 1 });
  const below =
    to === undefined || last === undefined ? [] : contextRows(hunk, lines, { from: last + 1, to });
  if (last !== undefined && last < first && hunk.patch === undefined) return [...above, ...below];
  // Git names the function around the hunk's first line, and that is now another line.
  const { place, ...gap } = hunk;
  const named = place === undefined || below.length > 0 ? {} : { place };
  const left = { ...gap, ...named, from: first, ...(last === undefined ? {} : { to: last }) };
  return [...above, { ...row, hunk: left }, ...below];
}

function contextRows(
  { shift }: Hunk,
  lines: KnownLines["lines"],
  { from, to }: { readonly from: number; readonly to: number },
): DiffRow[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => {
    const old = from + i;
    const text = displayText(lines.get(old) ?? "");
    return { kind: "context", old, now: old + shift, text, columns: columnsOf(text) };
  });
}

/** Gives each hunk's header the range of its lines: `Lines 10–24`, new numbers where there are any. */
export function labelHunks(rows: readonly DiffRow[]): DiffRow[] {
  return rows.map((row, at) => {
    if (!row.hunk || row.hunk.isEnd) return row;
    let end = at + 1;
    while (rows[end] && !rows[end]?.hunk) end++;
    const text = rangeOf(rows.slice(at + 1, end));
    return { ...row, text, columns: columnsOf(text) };
  });
}

function rangeOf(rows: readonly DiffRow[]): string {
  const numbersOn = (side: "old" | "now") => rows.map((row) => row[side]).filter((line) => line > 0);
  const now = numbersOn("now");
  const numbers = now.length > 0 ? now : numbersOn("old");
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  const range = first === last ? `Line ${first}` : `Lines ${first}–${last}`;
  return now.length > 0 ? range : `${range} removed`;
}

export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A way to reveal hidden lines: those below what is shown above the gap, those above what is below it, or all. */
export interface Reveal extends LineRange {
  readonly direction: "down" | "up" | "all";
  readonly name: string;
}

export function revealsOf({ from, to, shift, isEnd }: Hunk): Reveal[] {
  if (to !== undefined && to < from) return [];
  if (to !== undefined && to - from < fewLines) {
    const count = to - from + 1;
    return [
      { direction: "all", from, to, name: `Show ${count === 1 ? "1 hidden line" : `${count} hidden lines`}` },
    ];
  }
  const down: Reveal = {
    ...{ direction: "down", from, to: from + fewLines - 1 },
    name: `Show ${fewLines} lines below line ${from + shift - 1}`,
  };
  if (to === undefined) return [down];
  const up: Reveal = {
    ...{ direction: "up", from: to - fewLines + 1, to },
    name: `Show ${fewLines} lines above line ${to + shift + 1}`,
  };
  const count = to - from + 1;
  const isMany = count > manyLines;
  const all: Reveal = {
    ...{ direction: "all", from, to: isMany ? from + manyLines - 1 : to },
    name: isMany
      ? `Show ${manyLines} of ${count.toLocaleString("en")} hidden lines`
      : `Show all ${count} hidden lines`,
  };
  return [...(from > 1 ? [down] : []), ...(isEnd ? [] : [up]), all];
}
