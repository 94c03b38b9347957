import type { FileLines, FileLinesQuery, Rejection, Result, WorkspaceChanges } from "@drover/core";

/** The directory a session works in. Rejections are for people: no repository, git missing, broken or too slow. */
export interface Workspace {
  changes(path: string): Promise<Result<Omit<WorkspaceChanges, "mode" | "path">, Rejection>>;
  /** The unified diff of all changes, or of one file. Ending the iteration early ends git. */
  diff(path: string, file: string | undefined): Promise<Result<AsyncIterable<Uint8Array>, Rejection>>;
  /** Lines of a changed file. */
  fileLines(path: string, query: FileLinesQuery): Promise<Result<FileLines, Rejection>>;
}
