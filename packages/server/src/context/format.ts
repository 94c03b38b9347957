import type { Changes } from "./git-status.ts";

export interface EnvironmentFacts {
  readonly cwd: string;
  readonly version: string;
  readonly port: number;
  readonly platform: string;
  readonly release: string;
  readonly node: string;
  readonly hostname: string;
  readonly date: Date;
}

export interface GitFacts {
  /** Undefined if HEAD is detached. A branch without commits still has its name. */
  readonly branch: string | undefined;
  readonly mainBranch: string;
  /** Commits the upstream lacks; 0 without an upstream, or if it is gone. */
  readonly ahead: number;
  readonly behind: number;
  readonly changes: Changes;
}

// The runtime context takes at most 4 KB of UTF-8: this much for each value, and 700 for labels, numbers and the date.
const MAX_PATH = 1536;
const MAX_BRANCH = 512;
const MAX_OTHER = 128;

/** Throws a RangeError for an invalid date. */
export function formatEnvironment(facts: EnvironmentFacts): string {
  return block("env", [
    `Working directory: ${oneLine(facts.cwd, MAX_PATH)}`,
    "Product: Drover",
    `Version: ${oneLine(facts.version)}`,
    `Port: ${facts.port}`,
    `Platform: ${oneLine(facts.platform)}`,
    `OS Version: ${oneLine(facts.release)}`,
    `Node.js: ${oneLine(facts.node)}`,
    `Hostname: ${oneLine(facts.hostname)}`,
    `Date: ${facts.date.toISOString()}`,
  ]);
}

/** Undefined: not a repository, as far as git could tell. */
export function formatGit(facts: GitFacts | undefined): string {
  if (facts === undefined) return block("git_status", ["Is git repo: false"]);
  const { branch, mainBranch, ahead, behind, changes } = facts;
  return block("git_status", [
    "Is git repo: true",
    `Current branch: ${oneLine(branch ?? "HEAD", MAX_BRANCH)}`,
    `Main branch (use for PRs): ${oneLine(mainBranch, MAX_BRANCH)}`,
    ...(ahead > 0 ? [`Ahead of origin: ${ahead} commits`] : []),
    ...(behind > 0 ? [`Behind origin: ${behind} commits`] : []),
    ...(branch === undefined ? ["Detached HEAD: true"] : []),
    `Working tree: ${formatChanges(changes)}`,
  ]);
}

function formatChanges({ modified, staged, untracked, conflicted }: Changes): string {
  const counts = Object.entries({ modified, staged, untracked, conflicted })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`);
  return counts.length === 0 ? "clean" : `dirty (${counts.join(", ")})`;
}

function block(name: string, lines: readonly string[]): string {
  return [`<${name}>`, ...lines, `</${name}>`].join("\n");
}

/** A value as part of one line, whatever it contains: a directory's name must not add lines. */
function oneLine(value: string, limit = MAX_OTHER): string {
  const text = value.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\uFFFD");
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const ellipsis = "…";
  const room = bytes.subarray(0, limit - Buffer.byteLength(ellipsis));
  // As a stream, because then a split character is omitted.
  return new TextDecoder().decode(room, { stream: true }) + ellipsis;
}
