import { homedir } from "node:os";
import { join } from "node:path";
import { type Config, gitEnvironment, type LiveConfig, lookedUp, personalEnvironment } from "./config.ts";
import type { EngineSettings } from "./engine/deps.ts";
import type { WorkspaceDeps } from "./workspace/comparison.ts";
import type { PortBlocks } from "./workspace/port-blocks.ts";
import type { PullDeps } from "./workspace/pull-requests.ts";

export function gitGivens(live: LiveConfig<Config>): WorkspaceDeps {
  return {
    get gitTimeoutMs() {
      return live.current.git.timeout;
    },
    get worktreeTimeoutMs() {
      return live.current.worktrees.timeout;
    },
    environment: gitEnvironment(),
    scratch: live.current.home.scratch,
  };
}

/** The same for what a person's own credentials are used for. */
export const pullGivens = (live: LiveConfig<Config>): PullDeps =>
  Object.assign(gitGivens(live), { personal: personalEnvironment() });

/** Which ports worktrees get, and where servers of this user note it. */
export function portGivens(live: LiveConfig<Config>): PortBlocks {
  const [first = 0, last = 0] = live.current.worktrees.ports.split("-").map(Number);
  return { range: [first, last], directory: join(homedir(), ".local", "state", "drover", "ports") };
}

/** Settings that may change while the server runs are looked up when they are used. */
export function liveSettings(live: LiveConfig<Config>): EngineSettings {
  const supervision = lookedUp<EngineSettings["supervision"]>({
    startTimeoutMs: () => live.current.supervision.startTimeout,
    attempts: () => live.current.supervision.attempts,
    backoffMs: () => live.current.supervision.backoff,
    maxBackoffMs: () => live.current.supervision.maxBackoff,
    stableAfterMs: () => live.current.supervision.stableAfter,
    stopGraceMs: () => live.current.supervision.stopGrace,
  });
  const accounts = lookedUp<EngineSettings["accounts"]>({
    rotation: () => live.current.accounts.rotation,
    rateLimitUpToMs: () => live.current.accounts.rateLimitUpTo,
    assumeUntilMs: () => live.current.accounts.assumeUntil,
  });
  const workers = lookedUp<EngineSettings["workers"]>({
    permissionMode: () => live.current.workers.permissionMode,
    turnTimeoutMs: () => live.current.workers.turnTimeout,
    signalTries: () => live.current.workers.signalTries,
    signalBackoffMs: () => live.current.workers.signalBackoff,
    doneGraceMs: () => live.current.workers.doneGrace,
  });
  return lookedUp<EngineSettings>({
    idleAfterMs: () => live.current.sessions.idleAfter,
    stallAfterMs: () => live.current.sessions.stallAfter,
    queueMax: () => live.current.sessions.queueMax,
    checkpointTimeoutMs: () => live.current.checkpoints.timeout,
    setupTimeoutMs: () => live.current.worktrees.setupTimeout,
    checkTimeoutMs: () => live.current.worktrees.checkTimeout,
    interactionTimeoutMs: () => live.current.interactions.timeout,
    permissionMode: () => live.current.sessions.permissionMode,
    workspace: () => live.current.sessions.workspace,
    supervision: () => supervision,
    workers: () => workers,
    accounts: () => accounts,
  });
}
