import { pathText } from "@drover/core";
import { type GitPlace, openRepository } from "../git/repository.ts";
import { aheadAndBehind, BRANCH_FORMAT, branchesToAsk, findMainBranch, parseBranches } from "./branches.ts";
import type { GitFacts } from "./format.ts";
import { countChanges, STATUS_ARGS } from "./git-status.ts";

export interface GitDeps extends Pick<GitPlace, "environment" | "scratch" | "tree"> {
  /** For all commands together. */
  readonly gitTimeoutMs: number;
}

/**
 * Looks at the working tree that holds `cwd`, and changes nothing there. Rejects when there is none, when git refuses
 * it (another user's) or fails, and when the time is over; nothing it started runs on then.
 */
export async function readGit(cwd: string, { gitTimeoutMs, ...deps }: GitDeps): Promise<GitFacts> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), gitTimeoutMs);
  try {
    await using repository = await openRepository({ cwd, signal: stop.signal, ...deps });
    if (!repository) throw new Error("Not a working tree");
    const { branch, defaultBranch } = repository;
    const names = branchesToAsk(defaultBranch, branch).map((name) => Buffer.from(name, "latin1"));
    const [status, refs] = await Promise.all([
      repository.run({ args: STATUS_ARGS }),
      repository.refs(BRANCH_FORMAT, names),
    ]);
    const branches = parseBranches(refs.toString("latin1"));
    return {
      branch: branch === undefined ? undefined : pathText(branch),
      mainBranch: pathText(findMainBranch({ branches, defaultBranch, current: branch })),
      ...aheadAndBehind(branches, branch),
      changes: countChanges(status.toString("latin1")),
    };
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}
