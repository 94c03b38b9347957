import { chmod, lstat, mkdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ok, pathText, type Rejection, type Result, reject, shellWord } from "@drover/core";
import { bytesOf } from "../git/checkpoint-scan.ts";
import { namedBy, pathIn } from "../git/tree.ts";
import { detachFromSuperproject, type GitMeans } from "../git/worktree.ts";
import type { MovedRepository, SessionWorkspace } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { nestedRepositories, submoduleDirectory } from "./nested-repositories.ts";
import { recordedTree } from "./recorded-tree.ts";
import { modulesOf } from "./stored-submodules.ts";
import { KEPT_FOLDER, replaceFile, timeInName } from "./worktree-files.ts";

/** Moves the repositories out of a worktree that is about to be removed. */
export async function moveNested(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  means: GitMeans,
): Promise<MovedRepository[]> {
  const tree = recordedTree(workspace);
  if (!tree) return [];
  const parent = dirname(tree.top);
  // Where a link leads, nothing is removed either.
  if ((await realpath(parent).catch(() => parent)) !== parent) return [];
  // Removing the tree takes as long as looking at all of it.
  const nested = await nestedRepositories(git, workspace, { ...everything, unlock: true, means });
  if (nested.inside.length + nested.stored.length === 0) return [];
  const folder = join(parent, KEPT_FOLDER);
  await mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== folder) throw new Error(`${folder} leads to another directory`);
  const target = join(folder, `${basename(tree.top)}-${timeInName()}`);
  await mkdir(target);
  const moved: MovedRepository[] = [];
  for (const path of nested.inside) {
    const own = await submoduleDirectory({ tree, path });
    if (own !== undefined) await takeDirectory(bytesOf(tree.top, path).toString(), own, means);
    await move(bytesOf(tree.top, path), bytesOf(target, path));
    if (own === undefined) await reconnect(bytesOf(tree.top, path), bytesOf(target, path));
    moved.push({ from: join(tree.top, pathText(path)), to: join(target, pathText(path)) });
  }
  const modules = modulesOf(tree.treeDirectory);
  for (const path of nested.stored) {
    const name = await freeName(target, `${path}.git`);
    const to = bytesOf(target, name);
    await move(bytesOf(modules, path), to);
    await detachFromSuperproject({ top: target, gitDirectory: to.toString() }, means);
    moved.push({ from: join(modules, pathText(path)), to: join(target, pathText(name)) });
  }
  return moved;
}

/** A repository from the files may have the name of a submodule. */
async function freeName(target: string, name: string, attempt = 1): Promise<string> {
  const next = attempt === 1 ? name : `${name}-${attempt}`;
  const isFree = await lstat(bytesOf(target, next)).then(
    () => false,
    () => true,
  );
  return isFree ? next : freeName(target, name, attempt + 1);
}

const everything = { limit: Number.POSITIVE_INFINITY };

/** Refuses if there are repositories to move, and something else is where they would go. */
export async function refuseBlockedMove(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  means: GitMeans,
): Promise<Result<undefined, Rejection>> {
  const folder = join(dirname(workspace.path), KEPT_FOLDER);
  const found = await lstat(folder).catch(() => undefined);
  if (!found || found.isDirectory()) return ok(undefined);
  const { inside, stored } = await nestedRepositories(git, workspace, { ...everything, means });
  if (inside.length + stored.length === 0) return ok(undefined);
  const what = found.isSymbolicLink() ? "a link" : "not a directory";
  const command = `mv ${shellWord(folder)} ${shellWord(`${folder}.old`)}`;
  const message = `${folder} is ${what}, so the repositories in ${workspace.path} can't be moved there; rename it with \`${command}\`, then try again`;
  return reject("WORKSPACE_DIRTY", message, { files: inside.map(pathText) });
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

/** A worktree of another repository is registered there: updates that record with its new path. */
async function reconnect(from: Buffer, to: Buffer): Promise<void> {
  const file = join(to.toString(), ".git");
  const named = await namedBy(file);
  if (named === undefined) return;
  const gitDirectory = resolve(from.toString(), named);
  await replaceFile(file, `gitdir: ${gitDirectory}\n`);
  if ((await pathIn(gitDirectory, "gitdir")) !== join(from.toString(), ".git")) return;
  await replaceFile(join(gitDirectory, "gitdir"), `${file}\n`);
}
