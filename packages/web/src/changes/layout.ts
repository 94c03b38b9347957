import type { FileView } from "./change-set.ts";
import type { DiffRow } from "./diff-parse.ts";
import { type SplitRow, splitRows } from "./split-rows.ts";

export type DiffMode = "unified" | "split";

/** What heights depend on, in pixels and columns. */
export interface Measures {
  readonly lineHeight: number;
  readonly columns: number;
}

export const headerHeight = 40;
const gap = 12;
const hunkExtra = 8;
/** Below it a file's lines are waited for: the place they will take is a guess. */
const guessedContext = 6;

/** The lines of one file with where each begins below the file's header. */
export interface FileLayout {
  readonly rows: readonly DiffRow[];
  /** Of the side-by-side view. */
  readonly split?: readonly SplitRow[];
  /** One more than there are lines: the last is the end. */
  readonly tops: Float64Array;
}

/** A file in its place on the page. Without `lines` it is folded, or its lines are not there yet. */
export interface Block {
  readonly file: FileView;
  readonly top: number;
  readonly height: number;
  readonly folded: boolean;
  readonly lines?: FileLayout;
}

/** Heights of what stands below lines, comments for instance, by number of the line; -1 is above the first. */
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

/** What a file takes before its lines are known. */
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

/** The last entry that begins at or above `at`; 0 when all begin below. */
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
