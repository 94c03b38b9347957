import { hostname, platform, release } from "node:os";
import { formatEnvironment, formatGit } from "./format.ts";
import { type GitDeps, readGit } from "./git.ts";

export interface ContextDeps extends GitDeps {
  readonly version: string;
  /** The port this server listens on. */
  readonly port: number;
  readonly now?: () => Date;
}

export interface RuntimeContext {
  readonly text: string;
  /** Also false if git failed or did not answer in time. */
  readonly isRepository: boolean;
}

/**
 * The runtime context of one turn: where it takes place, and the state of the working tree. Determined again at every
 * call. Never throws: a part that fails is left out, and a git that fails or times out counts as no repository. At most
 * 4 KB.
 */
export async function buildRuntimeContext(cwd: string, deps: ContextDeps): Promise<RuntimeContext> {
  const [environment, git] = await Promise.allSettled([describeEnvironment(cwd, deps), readGit(cwd, deps)]);
  const facts = git.status === "fulfilled" ? git.value : undefined;
  const blocks = [...(environment.status === "fulfilled" ? [environment.value] : []), formatGit(facts)];
  return { text: blocks.join("\n\n"), isRepository: facts !== undefined };
}

/** Only the text, as agents receive it. */
export async function buildSystemPromptAppend(cwd: string, deps: ContextDeps): Promise<string> {
  return (await buildRuntimeContext(cwd, deps)).text;
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
