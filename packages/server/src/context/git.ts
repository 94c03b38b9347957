import { CONFIG_ARGS, parseConfig, withoutFilters } from "../git/git-config.ts";
import { type GitResult, type GitRun, runGit } from "../git/run-git.ts";
import type { GitFacts } from "./format.ts";
import { parseStatus, STATUS_ARGS } from "./git-status.ts";
import { findMainBranch, refsArgs } from "./main-branch.ts";

export interface GitDeps {
  /** For all commands together. */
  readonly gitTimeoutMs: number;
  readonly environment: GitRun["environment"];
}

/** Looking into a submodule would start a git of its own there, with filters nobody turned off. */
const OWN_FILES_ONLY = "--ignore-submodules=dirty";

/**
 * Looks at the working tree that holds `cwd`, and changes nothing there. Rejects when there is none, when git refuses
 * it (another user's) or fails, and when the time is over; nothing it started runs on then.
 */
export async function readGit(cwd: string, { gitTimeoutMs, environment }: GitDeps): Promise<GitFacts> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), gitTimeoutMs);
  const run = { cwd, environment, signal: stop.signal };
  try {
    const found = await runGit(CONFIG_ARGS, run);
    const { defaultBranch, filters } = parseConfig(found.code === 1 ? "" : outputOf(found));
    const [status, refs] = await Promise.all([
      runGit([...withoutFilters(filters), ...STATUS_ARGS, OWN_FILES_ONLY], run).then(outputOf),
      runGit(refsArgs(defaultBranch), run).then(outputOf),
    ]);
    const facts = parseStatus(status);
    return { ...facts, mainBranch: findMainBranch({ refs, defaultBranch, current: facts.branch }) };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

function outputOf({ code, output }: GitResult): string {
  if (code !== 0) throw new Error(`git ended with ${code}`);
  return output;
}
