import type {
  CommitList,
  Mergeability,
  MergeQuery,
  MergeStrategy,
  Rejection,
  Result,
  ReviewFacts,
} from "@drover/core";
import type { PlannedMerge, PlannedUpdate } from "./merge-plans.ts";
import type { WorkspacePlace } from "./workspace.ts";

export interface MergeSpec extends MergeQuery {
  readonly sessionId: string;
  readonly strategy: MergeStrategy;
  readonly message: string;
  /** For a commit of uncommitted files. */
  readonly workMessage: string;
  /** An update of this session that has conflicts. */
  readonly update?: PlannedUpdate | undefined;
  /** Only if the files of the session are this tree; otherwise they have changed. */
  readonly wanted?: string | undefined;
  /** Only if the result is this tree; otherwise it is rejected as stale. */
  readonly tree?: string;
}

/** The files of a merge that has not happened yet. */
export interface CheckedOut {
  readonly tree: string;
  readonly directory: string;
  /** Whether the path still leads to this directory: a process could have put a link there. */
  isInPlace(): Promise<boolean>;
  /** Removes the files, if they are still in place. */
  remove(): Promise<void>;
}

export interface FactsQuery extends MergeQuery {
  /** Git may take as long as for a change. */
  readonly isPatient?: boolean;
}

export interface UpdateSpec {
  readonly from: string | undefined;
  readonly workMessage: string;
}

/** Brings the work of sessions in worktrees back. Throws only what `begin` throws. */
export interface Merges {
  /** What merging its work into a branch would do. Changes nothing. */
  mergeability(
    place: WorkspacePlace,
    query: MergeQuery,
    update?: PlannedUpdate,
  ): Promise<Result<Mergeability, Rejection>>;
  /** A commit of everything that a merge would bring. Nothing in the repository points to it. */
  work(place: WorkspacePlace, update?: PlannedUpdate): Promise<Result<string, Rejection>>;
  /** The commits of a worktree beyond its base. */
  commits(place: WorkspacePlace): Promise<Result<CommitList, Rejection>>;
  /** The branch that work is merged into: the one that is wanted, or else the one that the worktree was made from. */
  target(place: WorkspacePlace, wanted: string | undefined): Promise<Result<string, Rejection>>;
  /** What a review is about. */
  facts(
    place: WorkspacePlace,
    query: FactsQuery,
    update?: PlannedUpdate,
  ): Promise<Result<ReviewFacts, Rejection>>;
  /**
   * Merges. `begin` is awaited right before anything changes; if the server dies after that, `settle` finishes it or
   * finds that nothing has changed.
   */
  merge(
    place: WorkspacePlace,
    spec: MergeSpec,
    begin: (planned: PlannedMerge) => Promise<void>,
  ): Promise<Result<PlannedMerge, Rejection>>;
  /** Writes what a merge would result in to a directory of its own. */
  checkOut(place: WorkspacePlace, spec: MergeSpec): Promise<Result<CheckedOut, Rejection>>;
  /** Finishes a merge that has begun; false if nothing has changed. Rejected, it may be tried again. */
  settle(place: WorkspacePlace, planned: PlannedMerge): Promise<Result<boolean, Rejection>>;
  /** Merges a branch into the session's own, and leaves conflicts in its files. */
  update(
    place: WorkspacePlace,
    spec: UpdateSpec,
    begin: (planned: PlannedUpdate) => Promise<void>,
  ): Promise<Result<PlannedUpdate, Rejection>>;
  /** Writes the files of an update again, in case that was interrupted; false if the branch has moved meanwhile. */
  repeatUpdate(place: WorkspacePlace, planned: PlannedUpdate): Promise<Result<boolean, Rejection>>;
  /** Commits an update whose conflicts are resolved; undefined if some are not. */
  finishUpdate(place: WorkspacePlace, planned: PlannedUpdate): Promise<Result<string | undefined, Rejection>>;
}
