import { join } from "node:path";
import { outputOf } from "./describe.ts";
import { DROVER, identityVariables, idIn } from "./object-writer.ts";
import { readRegular } from "./read-regular.ts";
import { createRef } from "./refs.ts";
import type { GitTree } from "./tree.ts";
import { type GitMeans, runOwn } from "./worktree.ts";

/** The latest entries of a history; few enough for a command line. */
const maxEntries = 500;

/** Where git notes the uncommitted work that it put aside for a rebase or a merge. */
const autostashes = ["rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH"];

/** Refs that each tree has for itself. */
const ownRefs = ["refs/worktree", "refs/bisect", "refs/rewritten"];

/**
 * Commits that only a tree's own git directory names: those that HEAD has left, by a reset or from a detached HEAD,
 * autostashes, and those of the tree's own refs. Only the last one of each line of commits.
 */
export async function leftCommits(tree: GitTree, means: GitMeans): Promise<string[]> {
  const ids = (await headLog(tree)).flatMap(({ from, to }) => [from, to]);
  const stashed = await Promise.all(autostashes.map((name) => idInFile(join(tree.treeDirectory, name))));
  const left = [...new Set([...ids, ...stashed.flat()])].filter(isCommit);
  const own = ownRefs.map((prefix) => `--glob=${prefix}`);
  const named = ["--not", "HEAD", "--branches", "--tags", "--remotes"];
  const list = (...args: string[]) =>
    runOwn(tree, { args: ["rev-list", "--ignore-missing", ...args] }, means);
  const { code, output } = await list("--parents", ...left, ...own, ...named);
  // A history with missing commits can't be followed, so everything that is there counts, even if a branch has it.
  if (code !== 0) return linesOf((await list("--no-walk", ...left, ...own)).output);
  const commits = linesOf(output);
  const parents = new Set(commits.flatMap((line) => line.split(" ").slice(1)));
  return commits.map((line) => line.split(" ")[0] ?? "").filter((id) => !parents.has(id));
}

/**
 * Whether a repository has commits that can't be fetched again: ones that no remote branch leads to, or none at all.
 * Tags are usually fetched, too, so a commit that only a tag names counts if it was made here.
 */
export async function hasOwnCommits(tree: GitTree, means: GitMeans): Promise<boolean> {
  const log = (await headLog(tree)).filter(({ to }) => isCommit(to));
  const isBeyond = async (commits: readonly string[], fetched: readonly string[]) => {
    const args = ["rev-list", "--ignore-missing", "--max-count=1", ...commits, "--not", ...fetched];
    const { code, output } = await runOwn(tree, { args }, means);
    return code !== 0 || output.length > 0;
  };
  const own = ["--exclude=refs/tags/*", "--exclude=refs/remotes/*", "--all", "HEAD"];
  if (await isBeyond([...own, ...log.map(({ to }) => to)], ["--remotes", "--tags"])) return true;
  const made = log.filter(({ isMade }) => isMade).map(({ to }) => to);
  return made.length > 0 && (await isBeyond(made, ["--remotes"]));
}

interface LogEntry {
  readonly from: string;
  readonly to: string;
  /** A command that makes commits wrote it. */
  readonly isMade: boolean;
}

/** What HEAD has been, latest last. */
async function headLog({ treeDirectory }: GitTree): Promise<LogEntry[]> {
  const log = await readRegular(join(treeDirectory, "logs", "HEAD")).catch(() => undefined);
  const lines = log?.content.toString("latin1").split("\n").slice(-maxEntries) ?? [];
  return lines.flatMap((line) => {
    const [, from, to] = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /.exec(line) ?? [];
    const isMade = /\t(am|cherry-pick|commit|merge|pull|rebase|revert)\b/.test(line);
    return from === undefined || to === undefined ? [] : { from, to, isMade };
  });
}

const isCommit = (id: string): boolean => !/^0+$/.test(id);

const linesOf = (output: Buffer): string[] => output.toString().split("\n").slice(0, -1);

async function idInFile(path: string): Promise<string[]> {
  const file = await readRegular(path, 1024).catch(() => undefined);
  return /^[0-9a-f]{40,64}$/.exec(file?.content.toString("latin1").trim() ?? "")?.slice(0, 1) ?? [];
}

/** Names commits by one ref: themselves if there is only one, else as parents of a commit that is made for it. */
export async function keepCommits(
  tree: GitTree,
  { ref, commits }: { readonly ref: string; readonly commits: readonly string[] },
  means: GitMeans,
): Promise<void> {
  const [first = "", ...others] = commits;
  const to = others.length === 0 ? first : await joined(tree, commits, means);
  await createRef(tree, { ref, to }, means);
}

async function joined(tree: GitTree, commits: readonly string[], means: GitMeans): Promise<string> {
  const parents = commits.flatMap((commit) => ["-p", commit]);
  const input = Buffer.from("Commits that no branch has\n");
  const environment = { ...means.environment, ...identityVariables(DROVER) };
  const command = { args: ["commit-tree", `${commits[0]}^{tree}`, ...parents], input };
  return idIn(outputOf(await runOwn(tree, command, { ...means, environment })));
}
