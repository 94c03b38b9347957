export type RowKind = "context" | "added" | "removed" | "hunk" | "note";

/** One line of a diff. `old` and `now` are line numbers, or 0 if the line is not on that side. */
export interface DiffRow {
  readonly kind: RowKind;
  readonly old: number;
  readonly now: number;
  readonly text: string;
  /** Its width in columns of a fixed-width font, without wrapping. */
  readonly columns: number;
  /** With `hunk`: what is hidden above it. */
  readonly hunk?: Hunk;
}

/** Unchanged lines that are hidden above a hunk, or below the last one. */
export interface Hunk {
  /** Distinguishes the hunks of a file. */
  readonly id: number;
  /** The hidden lines by their old numbers. `to` is unknown below the last hunk until the file's length is. */
  readonly from: number;
  readonly to?: number;
  /** What to add to an old number for the new one. */
  readonly shift: number;
  /** The function or section that the hunk is in, as git names it. */
  readonly place?: string;
  /** The hunk as a patch of its own, if it can be taken back. */
  readonly patch?: string;
  /** Below the last hunk. */
  readonly isEnd?: boolean;
}
