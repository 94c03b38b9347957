import type { FileView } from "./change-set.ts";
import type { DiffRow } from "./rows.ts";
import { type SplitRow, splitRows } from "./split-rows.ts";

export type DiffMode = "unified" | "split";

/** What heights depend on. */
export interface Measures {
  readonly lineHeight: number;
  readonly columns: number;
}

export const headerHeight = 40;
const gap = 12;
const hunkExtra = 8;
/** Context lines to reserve for a file that is still loading. */
const guessedContext = 6;

/** The lines of one file and their offsets below the header. */
export interface FileLayout {
  readonly rows: readonly DiffRow[];
  /** For the side-by-side view. */
  readonly split?: readonly SplitRow[];
  /** The offset of every line, and of the end. */
  readonly tops: Float64Array;
}

/** A file and its position on the page. Without `lines` it is folded or still loading. */
export interface Block {
  readonly file: FileView;
  readonly top: number;
  readonly height: number;
  readonly folded: boolean;
  readonly lines?: FileLayout;
}

/** The height of what is below a line, such as comments, by line. -1 is above the first line. */
export type Extras = ReadonlyMap<number, number>;

export function layoutFile(
  rows: readonly DiffRow[],
  mode: DiffMode,
  { measures, extras }: { measures: Measures; extras: Extras | undefined },
): FileLayout {
  const { lineHeight, columns } = measures;
  const split = mode === "split" ? splitRows(rows) : undefined;
  const heightOf = (at: number): number => {
    const row = rows[at];
    if (!row) return 0;
    const isHead = row.kind === "hunk" || row.kind === "note";
    return isHead ? lineHeight + hunkExtra : Math.max(1, Math.ceil(row.columns / columns)) * lineHeight;
  };
  const count = split?.length ?? rows.length;
  const tops = new Float64Array(count + 1);
  let top = extras?.get(-1) ?? 0;
  for (let at = 0; at < count; at++) {
    tops[at] = top;
    const pair = split?.[at];
    top += pair ? Math.max(heightOf(pair.left), heightOf(pair.right)) : heightOf(at);
    top += extras?.get(at) ?? 0;
  }
  tops[count] = top;
  return { rows, tops, ...(split ? { split } : {}) };
}

/** The estimated height of a file whose lines are not loaded. */
export function guessHeight({ added, removed, binary }: FileView, { lineHeight }: Measures): number {
  return (binary ? 1 : added + removed + guessedContext) * lineHeight;
}

export function placeBlocks(files: readonly Omit<Block, "top">[]): { blocks: Block[]; height: number } {
  let top = 0;
  const blocks = files.map((file) => {
    const block = { ...file, top };
    top += file.height + gap;
    return block;
  });
  return { blocks, height: top };
}

/** The last entry that starts at or above `at`, or 0. */
export function lastAtOrAbove(count: number, at: number, topOf: (index: number) => number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (topOf(middle) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
