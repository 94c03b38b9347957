import type {
  FileLines,
  FileLinesQuery,
  FileMatches,
  MatchQuery,
  Rejection,
  Result,
  WorkspaceChanges,
} from "@drover/core";

/** The directory a session works in. Rejections are for people: no repository, git missing, broken or too slow. */
export interface Workspace {
  changes(path: string): Promise<Result<Omit<WorkspaceChanges, "mode" | "path">, Rejection>>;
  /** The unified diff of all changes, or of one file. Ending the iteration early ends git. */
  diff(path: string, file: string | undefined): Promise<Result<AsyncIterable<Uint8Array>, Rejection>>;
  /** Lines of a changed file. */
  fileLines(path: string, query: FileLinesQuery): Promise<Result<FileLines, Rejection>>;
  /** Files that match what was typed: what git would show, or everything nearby outside a repository. */
  files(path: string, query: MatchQuery): Promise<Result<FileMatches, Rejection>>;
}
