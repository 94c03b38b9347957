import type { DiffRow } from "./rows.ts";

/** A line of the side-by-side view: row indexes, or -1 for an empty side. */
export interface SplitRow {
  readonly left: number;
  readonly right: number;
}

/** Puts removed lines beside the added ones that replace them. All other lines are on both sides. */
export function splitRows(rows: readonly DiffRow[]): SplitRow[] {
  const split: SplitRow[] = [];
  for (let at = 0; at < rows.length; ) {
    const removed = runLength(rows, at, "removed");
    const added = runLength(rows, at + removed, "added");
    if (removed + added === 0) {
      split.push({ left: at, right: at });
      at++;
      continue;
    }
    for (let i = 0; i < Math.max(removed, added); i++) {
      split.push({ left: i < removed ? at + i : -1, right: i < added ? at + removed + i : -1 });
    }
    at += removed + added;
  }
  return split;
}

function runLength(rows: readonly DiffRow[], from: number, kind: DiffRow["kind"]): number {
  let to = from;
  while (rows[to]?.kind === kind) to++;
  return to - from;
}

/** In longer runs the search would be slow, and the pairs of little use. */
const maxRun = 200;

/** The row that replaces this one, or that it replaces: at the same position in the run on the other side. */
export function counterpart(rows: readonly DiffRow[], at: number): DiffRow | undefined {
  const kind = rows[at]?.kind;
  if (kind !== "added" && kind !== "removed") return undefined;
  let start = at;
  while (at - start < maxRun && rows[start - 1]?.kind === kind) start--;
  let other = kind === "removed" ? at : start - 1;
  if (kind === "removed") while (other - at < maxRun && rows[other]?.kind === "removed") other++;
  else while (start - other < maxRun && rows[other - 1]?.kind === "removed") other--;
  const found = rows[other + at - start];
  const isBeyond = kind === "added" && other + at - start >= start;
  return !isBeyond && found?.kind === (kind === "added" ? "removed" : "added") ? found : undefined;
}
