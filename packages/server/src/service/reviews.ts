import type {
  CommitList,
  DecideReview,
  Mergeability,
  Merged,
  MergeQuery,
  MergeSession,
  PullRequested,
  RequestPull,
  Review,
  Reviewed,
  Updated,
  UpdateSession,
} from "@drover/core";
import type { Answer, Caller } from "./caller.ts";

/** How the work of sessions in worktrees comes back. */
export interface ReviewService {
  /** How the review stands, asked of git again. */
  get(idOrName: string): Answer<Review>;
  decide(idOrName: string, decision: DecideReview, caller: Caller): Answer<Reviewed>;
  /** What merging would do. Changes nothing. */
  mergeability(idOrName: string, query: MergeQuery): Answer<Mergeability>;
  /** The commits of a session beyond its base. */
  commits(idOrName: string): Answer<CommitList>;
  /** Merges now, or as soon as the project's checks have passed and earlier merges are done. */
  merge(idOrName: string, input: MergeSession, caller: Caller): Answer<Merged>;
  /** Brings the commits of another branch into the session's, with markers where they conflict. */
  update(idOrName: string, input: UpdateSession, caller: Caller): Answer<Updated>;
  /** Pushes the session's branch and opens a pull request, or says where a person opens it. */
  requestPull(idOrName: string, request: RequestPull, caller: Caller): Answer<PullRequested>;
}
