import type { PullRequested, Rejection, RequestPull, Result } from "@drover/core";
import type { PlannedUpdate } from "./merge-plans.ts";
import type { WorkspacePlace } from "./workspace.ts";

export interface PullSpec extends RequestPull {
  /** The branch that the work would be merged into. */
  readonly into: string;
  readonly title: string;
  /** The session's name, for the next step in a rejection. */
  readonly name: string;
  /** An update of this session that has conflicts. */
  readonly update?: PlannedUpdate | undefined;
}

/** Brings the branches of sessions to where others review them. */
export interface PullRequests {
  /**
   * Pushes a session's branch, and opens a pull request if a program for that is installed. Repeating it changes
   * nothing that is already so.
   */
  publish(place: WorkspacePlace, spec: PullSpec): Promise<Result<Omit<PullRequested, "review">, Rejection>>;
}
