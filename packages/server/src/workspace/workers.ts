import type { WorkerFiles } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import type { RepositoryLocks } from "./repository-lock.ts";
import { workerCommits } from "./worker-commits.ts";
import { prepareWorkerFiles, readWorkerSummary } from "./worker-files.ts";
import { readWorkerProposals } from "./worker-proposals.ts";
import { readWorkerSignal } from "./worker-signal.ts";

export const workerFiles = (deps: WorkspaceDeps, locks: RepositoryLocks): WorkerFiles => ({
  prepare: prepareWorkerFiles,
  readSignal: readWorkerSignal,
  readSummary: readWorkerSummary,
  readProposals: readWorkerProposals,
  commit: workerCommits(deps, locks),
});
