import type { ChangedFile, FileLines, Result, Reverted, WorkspaceChanges } from "@drover/core";
import type { Problem } from "../transport/wire.ts";
import type { LineRange } from "./hunks.ts";

type Answer<T> = Promise<Result<T, Problem>>;

/** Where a diff comes from, such as a working copy. */
export interface DiffSource {
  /** Identifies the diff; comments are stored under it. */
  readonly id: string;
  /** The changed files, without their lines. */
  load(): Answer<WorkspaceChanges>;
  /** The git diff of one file, or of all files. */
  loadDiff(path: string | undefined, to: DiffReceiver): Answer<true>;
  /** Lines of a file before the change, to show more of it than its diff has. */
  loadLines?(file: ChangedFile, range: LineRange): Answer<FileLines>;
  /** Calls back once the diff can be loaded, and whenever it may have changed. */
  subscribe(changed: () => void): () => void;
  /** What a person can do about the changes, if anything. */
  readonly edits?: DiffEdits;
}

export interface DiffReceiver {
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Ways to take changes back. Each answer names what reverts it. */
export interface DiffEdits {
  readonly verb: "Discard" | "Undo";
  takeBackFiles(paths: readonly string[], options: { readonly force: boolean }): Answer<TakenBack>;
  /** Takes back a hunk, as a patch with the header of its file. */
  takeBackHunk?(patch: string): Answer<TakenBack>;
  /** Reverts what was taken back. */
  restore(taken: TakenBack): Answer<unknown>;
  /** Commits these files. */
  commit?(message: string, paths: readonly string[] | undefined): Answer<{ readonly commit: string }>;
}

export type TakenBack = Pick<Reverted, "turnId">;

/** The paths that a change touches: both names of a renamed file. */
export const pathsOf = ({ path, from, status }: ChangedFile): string[] =>
  from !== undefined && status === "renamed" ? [from, path] : [path];
