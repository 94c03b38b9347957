import { lstat, opendir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { findTree, type GitTree } from "../git/tree.ts";
import { branchOf, commitOf, commitsBeyond, type GitMeans, registeredTrees } from "../git/worktree.ts";
import type { SessionWorkspace, SurveyedWorktree } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { recordedTree } from "./recorded-tree.ts";
import { inspectWorktree } from "./worktree-condition.ts";
import { FOLDER } from "./worktree-files.ts";
import { changedIn } from "./worktree-keep.ts";

/** The worktrees below the tops of these repositories: those that are known, and what else lies there. */
export async function surveyWorktrees(
  git: WorkspaceDeps,
  { known, tops }: { known: readonly SessionWorkspace[]; tops: readonly string[] },
  means: GitMeans,
): Promise<SurveyedWorktree[]> {
  const others = (await Promise.all(tops.map((top) => strangers(top, known)))).flat();
  const found: SurveyedWorktree[] = [];
  // One after the other: each runs git several times.
  for (const workspace of [...known, ...others]) found.push(await survey(git, workspace, means));
  return found;
}

/** Worktrees of a repository that no session of this home has, as far as they are registered. */
export async function strangers(
  top: string,
  known: readonly SessionWorkspace[],
): Promise<SessionWorkspace[]> {
  const tree = await findTree(top).catch(() => undefined);
  if (tree?.top !== top || tree.mainTop !== top) return [];
  const names = await readdir(join(top, FOLDER)).catch(() => []);
  const registered = await registeredTrees(tree);
  return names.flatMap((name): SessionWorkspace[] => {
    const path = join(top, FOLDER, name);
    const own = registered.find((each) => each.top === path);
    if (!own || known.some((each) => each.path === path)) return [];
    const { gitDirectory, treeDirectory } = own;
    const repository = { top, gitDirectory, treeDirectory };
    return [
      {
        mode: "worktree",
        path,
        projectDir: top,
        repository,
        branch: `drover/${basename(path)}`,
        confined: false,
      },
    ];
  });
}

async function survey(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  means: GitMeans,
): Promise<SurveyedWorktree> {
  const { path, repository, base } = workspace;
  const tree = recordedTree(workspace);
  const { state } = await inspectWorktree({ workspace, cwd: path });
  const facts = { path, repository: repository?.top ?? "", state, size: await sizeOf(path) };
  if (!tree || !repository || state !== "ready") return { ...facts, merged: false };
  const place = { ...means, cwd: path, scratch: git.scratch, tree };
  const changed = await changedIn(place).catch(() => undefined);
  const branch = await branchOf(tree, means).catch(() => undefined);
  const ahead = await aheadOf(tree, repository, means).catch(() => undefined);
  const own = base && (await beyond(tree, base.commit, means).catch(() => undefined));
  return {
    ...facts,
    ...(branch === undefined ? {} : { branch }),
    ...(changed === undefined ? {} : { dirty: changed.length }),
    ...(ahead === undefined ? {} : { ahead }),
    merged: ahead === 0 && own !== undefined && own > 0,
  };
}

async function aheadOf(
  tree: GitTree,
  { top, gitDirectory }: { top: string; gitDirectory: string },
  means: GitMeans,
) {
  const checkout = await commitOf({ top, gitDirectory, treeDirectory: gitDirectory }, "HEAD", means);
  return checkout === undefined ? undefined : beyond(tree, checkout, means);
}

async function beyond(tree: GitTree, base: string, means: GitMeans): Promise<number | undefined> {
  const tip = await commitOf(tree, "HEAD", means);
  return tip === undefined ? undefined : commitsBeyond(tree, { tip, base }, means);
}

/** Counting everything in a tree with many dependencies would take longer than anyone waits. */
const maxEntries = 50_000;

async function sizeOf(top: string): Promise<number> {
  let size = 0;
  let left = maxEntries;
  const pending = [top];
  for (let directory = pending.pop(); directory !== undefined && left > 0; directory = pending.pop()) {
    const entries = await opendir(directory).catch(() => undefined);
    if (!entries) continue;
    for await (const entry of entries) {
      if (--left < 0) break;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else size += (await lstat(path).catch(() => undefined))?.size ?? 0;
    }
  }
  return size;
}
