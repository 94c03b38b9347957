import type {
  ChangedFile,
  DiscardChanges,
  FileLines,
  FileRange,
  Rejection,
  Result,
  SkippedFile,
} from "@drover/core";

/** A session and the directory it works in. */
export interface CheckpointedSession {
  readonly sessionId: string;
  readonly cwd: string;
}

export interface Checkpoint {
  readonly commit: string;
  /** No ref keeps it yet. */
  readonly isNew: boolean;
  /** Files that are there, but not in it. */
  readonly skipped: readonly SkippedFile[];
}

/** The commits before and after a turn, as far as there are any. */
export interface TurnCheckpoints {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** What the files were at a point in time, kept as commits in the repository that contains them. */
export interface Checkpoints {
  /**
   * Undefined where there is nothing to keep: no repository, or one at the user's home or above. Rejects with a
   * `CheckpointError`.
   */
  take(session: CheckpointedSession, limitMs: number): Promise<Checkpoint | undefined>;
  /** Keeps a turn's checkpoints until the session is pruned. */
  keep(session: CheckpointedSession, turnId: string, checkpoints: TurnCheckpoints): Promise<void>;
  ofTurn(session: CheckpointedSession, turnId: string): Promise<TurnCheckpoints>;
  /** The commit that the session's branch was at, at a time or now; undefined before the first commit. */
  headAt(session: CheckpointedSession, at: string | undefined): Promise<string | undefined>;
  /** The first one that is kept. */
  first(session: CheckpointedSession): Promise<string | undefined>;
  /**
   * Writes the files of the last one into a working tree that was made again; files that were committed since stay.
   * Returns what was written. Rejects with a `CheckpointError`.
   */
  returnToLast(session: CheckpointedSession, limitMs: number): Promise<readonly string[] | undefined>;
  /** The files that differ between two checkpoints; paths are relative to the top of the repository. */
  compare(session: CheckpointedSession, pair: CheckpointPair): Promise<readonly ChangedFile[]>;
  /** The same as a unified diff. Ending the iteration early ends git. */
  diff(
    session: CheckpointedSession,
    pair: CheckpointPair & { readonly path?: string | undefined },
  ): Promise<Result<AsyncIterable<Uint8Array>, Rejection>>;
  /** Lines of a file that differs, from the commit before or after. */
  fileLines(
    session: CheckpointedSession,
    pair: CheckpointPair & { readonly range: FileRange },
  ): Promise<Result<FileLines, Rejection>>;
  /**
   * Makes the files that differ between a turn's checkpoints what they were before it. `now` is a checkpoint of the
   * present. Rejected with the files that have changed since, unless `force`.
   */
  revert(
    session: CheckpointedSession,
    revert: CheckpointPair & {
      readonly now: Checkpoint;
      readonly paths?: readonly string[] | undefined;
      readonly force: boolean;
    },
  ): Promise<Result<ChangedFiles, Rejection>>;
  /** Makes files what they are in the last commit, or takes out one hunk. Paths are relative to the session's directory. */
  discard(session: CheckpointedSession, discard: Discard): Promise<Result<ChangedFiles, Rejection>>;
  /** Completes a discard that was cut off: takes what it discarded between these checkpoints out of the index, too. */
  unstage(session: CheckpointedSession, pair: CheckpointPair): Promise<void>;
}

/** Files that Drover changed, and the checkpoint of the result. */
export interface ChangedFiles {
  readonly commit: string;
  readonly files: readonly string[];
}

export interface Discard extends DiscardChanges {
  /** A checkpoint of the present. */
  readonly now: Checkpoint;
}

export interface CheckpointPair {
  readonly before: string;
  readonly after: string;
}

/** Why there is no checkpoint. `timeout`: git took longer than it may. */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
  readonly reason: "timeout" | "failed";

  constructor(reason: "timeout" | "failed", message: string) {
    super(message);
    this.reason = reason;
  }
}
