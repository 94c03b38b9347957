import { chmod, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathText } from "@drover/core";
import { bytesOf } from "../git/checkpoint-scan.ts";
import { namedBy, pathIn } from "../git/tree.ts";
import { detachFromSuperproject, type GitMeans } from "../git/worktree.ts";
import type { MovedRepository, SessionWorkspace } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { nestedRepositories, submoduleDirectory } from "./nested-repositories.ts";
import { recordedTree } from "./recorded-tree.ts";
import { KEPT_FOLDER, replaceFile, timeInName } from "./worktree-files.ts";

/** Moves the repositories out of a worktree that is about to be removed. */
export async function moveNested(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  means: GitMeans,
): Promise<MovedRepository[]> {
  const tree = recordedTree(workspace);
  if (!tree || !(await isDirectory(tree.top))) return [];
  // Where a link leads, nothing is removed either.
  if ((await realpath(dirname(tree.top))) !== dirname(tree.top)) return [];
  // Removing the tree takes as long as looking at all of it.
  const looking = { limit: Number.POSITIVE_INFINITY, unlock: true, means };
  const nested = await nestedRepositories(git, workspace, looking);
  if (nested.length === 0) return [];
  const folder = join(dirname(tree.top), KEPT_FOLDER);
  const target = join(folder, `${basename(tree.top)}-${timeInName()}`);
  await mkdir(target, { recursive: true });
  if ((await realpath(target)) !== target) throw new Error(`${folder} leads to another directory`);
  const moved: MovedRepository[] = [];
  for (const path of nested) {
    const own = await submoduleDirectory({ tree, path });
    if (own !== undefined) await takeDirectory(bytesOf(tree.top, path).toString(), own, means);
    await move(bytesOf(tree.top, path), bytesOf(target, path));
    if (own === undefined) await reconnect(bytesOf(tree.top, path), bytesOf(target, path));
    moved.push({ from: join(tree.top, pathText(path)), to: join(target, pathText(path)) });
  }
  return moved;
}

/** Gives a submodule the git directory that the worktree keeps for it. A crash in between leaves both together. */
async function takeDirectory(top: string, gitDirectory: string, means: GitMeans): Promise<void> {
  const next = join(top, ".git-moved");
  await rename(gitDirectory, next);
  await rm(join(top, ".git"));
  await rename(next, join(top, ".git"));
  await detachFromSuperproject({ top, gitDirectory: join(top, ".git") }, means);
}

async function move(from: Buffer, to: Buffer): Promise<void> {
  await mkdir(parentOf(to), { recursive: true });
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    // A directory that is read-only, or lies in one, can't be moved.
    for (const each of [parentOf(from), from]) await chmod(each, 0o700);
    await rename(from, to);
  });
}

const parentOf = (path: Buffer): Buffer => path.subarray(0, path.lastIndexOf("/"));

/** If it is a worktree of another repository, that one gets to know its new place. */
async function reconnect(from: Buffer, to: Buffer): Promise<void> {
  const file = join(to.toString(), ".git");
  const named = await namedBy(file);
  if (named === undefined) return;
  const gitDirectory = resolve(from.toString(), named);
  await replaceFile(file, `gitdir: ${gitDirectory}\n`);
  if ((await pathIn(gitDirectory, "gitdir")) !== join(from.toString(), ".git")) return;
  await replaceFile(join(gitDirectory, "gitdir"), `${file}\n`);
}

const isDirectory = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
