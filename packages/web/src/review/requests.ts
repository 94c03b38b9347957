import type {
  DecideReview,
  Mergeability,
  Merged,
  MergeSession,
  PullRequested,
  RequestPull,
  Result,
  Reviewed,
  Updated,
} from "@drover/core";
import { api } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";

type Answer<T> = Promise<Result<T, Problem>>;

const at = (sessionId: string, path: string) => `/api/sessions/${sessionId}/${path}`;

export const decide = (sessionId: string, decision: DecideReview): Answer<Reviewed> =>
  api("POST", at(sessionId, "review"), decision);

/** What a merge would do. Without a branch, the server chooses. */
export const dryRun = (sessionId: string, into?: string): Answer<Mergeability> =>
  api("GET", at(sessionId, `merge${into ? `?${new URLSearchParams({ into })}` : ""}`));

export const merge = (sessionId: string, wanted: MergeSession): Answer<Merged> =>
  api("POST", at(sessionId, "merge"), wanted);

/** Brings the target's commits into the session. `ask`: the agent resolves conflicts. */
export const update = (sessionId: string, ask: boolean): Answer<Updated> =>
  api("POST", at(sessionId, "update"), { ask });

export const openPullRequest = (sessionId: string, wanted: RequestPull): Answer<PullRequested> =>
  api("POST", at(sessionId, "pull-request"), wanted);
