import { hostname, platform, release } from "node:os";
import { formatEnvironment, formatGit } from "./format.ts";
import { type GitDeps, readGit } from "./git.ts";

export interface ContextDeps extends GitDeps {
  readonly version: string;
  /** The port this server listens on. */
  readonly port: number;
  readonly now?: () => Date;
}

/**
 * The runtime context of one turn: where it takes place, and how the working tree stands. Looked up anew at every
 * call. Never throws: a part that fails is left out, and a git that fails or takes longer than its timeout counts as
 * no repository. At most 4 KB.
 */
export async function buildSystemPromptAppend(cwd: string, deps: ContextDeps): Promise<string> {
  const [environment, git] = await Promise.allSettled([describeEnvironment(cwd, deps), readGit(cwd, deps)]);
  return [
    ...(environment.status === "fulfilled" ? [environment.value] : []),
    formatGit(git.status === "fulfilled" ? git.value : undefined),
  ].join("\n\n");
}

async function describeEnvironment(cwd: string, { version, port, now }: ContextDeps): Promise<string> {
  return formatEnvironment({
    cwd,
    version,
    port,
    platform: platform(),
    release: release(),
    node: process.version,
    hostname: hostname(),
    date: now?.() ?? new Date(),
  });
}
