import { ok } from "@drover/core";
import { commitWorkerWork } from "../git/worker-commit.ts";
import type { WorkerFiles } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { mergePlaces, namesOf } from "./merge-places.ts";
import { explainNotMerged } from "./merge-rejections.ts";
import type { RepositoryLocks } from "./repository-lock.ts";

/** Commits workers' work: they often cannot, because a worktree's index and objects lie in the main `.git`. */
export function workerCommits(deps: WorkspaceDeps, locks: RepositoryLocks): WorkerFiles["commit"] {
  const { changing } = mergePlaces(deps, locks);
  return (session, { sessionId, run, subject, since }) =>
    changing(session, async (place) => {
      const { workspace } = session;
      const trailers = `Drover-Session: ${sessionId}\nDrover-Run: ${run}`;
      const known = [since, workspace.base?.commit].filter((commit) => commit !== undefined);
      try {
        const { head, count, isOwn } = await commitWorkerWork(place, { subject, trailers, known });
        return ok({ head, count, byDrover: isOwn });
      } catch (error) {
        return explainNotMerged(error, namesOf(workspace, workspace.branch ?? "", "merge"));
      }
    });
}
