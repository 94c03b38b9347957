import type { DiffRow } from "./rows.ts";

export type Side = "old" | "now";

/** Lines on one side of a file, as a comment names them. */
export interface CommentedLines {
  /** `old` is for removed lines. */
  readonly side: Side;
  /** The last line. */
  readonly line: number;
  /** The first line, if there are several. */
  readonly from?: number;
  /** The lines themselves, as they were when the comment was started. */
  readonly text: string;
}

/** A row that was picked first, and the one that the selection now extends to. */
export interface RowRange {
  readonly anchor: number;
  readonly head: number;
}

/** The lines from one row to another, on the side of the last one. Hidden lines end the range. */
export function linesIn(rows: readonly DiffRow[], range: RowRange): CommentedLines | undefined {
  const own = rowsIn(rows, range);
  const last = rows[own.at(-1) ?? -1];
  const first = rows[own[0] ?? -1];
  if (!last || !first) return undefined;
  const side = sideOf(last);
  const text = own.map((at) => rows[at]?.text ?? "").join("\n");
  const [from, line] = [first[side], last[side]];
  return { side, line, ...(from < line ? { from } : {}), text };
}

/** The rows of these lines. */
export function rowsIn(rows: readonly DiffRow[], { anchor, head }: RowRange): number[] {
  const step = head < anchor ? -1 : 1;
  let end = anchor;
  while (end !== head && rows[end + step] && !rows[end + step]?.hunk) end += step;
  const [first, last] = end < anchor ? [end, anchor] : [anchor, end];
  const between = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const bottom = rows[between.findLast((at) => rows[at] && isLine(rows[at])) ?? -1];
  if (!bottom) return [];
  const side = sideOf(bottom);
  return between.filter((at) => (rows[at]?.[side] ?? 0) > 0);
}

/** The rows that a comment is about, as far as they are in the diff. */
export function rowsOf(rows: readonly DiffRow[], { side, line, from = line }: CommentedLines): number[] {
  return [...rows.keys()].filter((at) => {
    const number = rows[at]?.[side] ?? 0;
    return number >= from && number <= line && number > 0;
  });
}

export const isLine = ({ old, now }: DiffRow): boolean => old > 0 || now > 0;

const sideOf = ({ kind }: DiffRow): Side => (kind === "removed" ? "old" : "now");

/** `line 3`, `removed line 3`, `lines 3 to 5`. */
export function lineWords({ side, line, from = line }: Omit<CommentedLines, "text">): string {
  const removed = side === "old" ? "removed " : "";
  return from === line ? `${removed}line ${line}` : `${removed}lines ${from} to ${line}`;
}
