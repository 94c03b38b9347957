import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { findTop } from "./find-top.ts";
import { readRegular } from "./read-regular.ts";

/**
 * A working tree, and where its repository keeps things. Recorded when Drover makes a tree: from then on, nothing in
 * the tree can send git elsewhere.
 */
export interface GitTree {
  readonly top: string;
  /** HEAD and index of this tree. */
  readonly treeDirectory: string;
  /** Refs, objects and settings: one for all trees of a repository. */
  readonly gitDirectory: string;
}

export interface FoundTree extends GitTree {
  /** The top of the repository's main working tree; of this one if there is no other. */
  readonly mainTop: string;
}

/** Far more than the longest path has. */
const MAX_PATH = 64 * 1024;

/** A `.git` or a `commondir` that leads into a repository that does not list this tree. */
export class ForgedTree extends Error {
  override readonly name = "ForgedTree";
}

/** The working tree that holds a directory. Undefined if there is none; throws `ForgedTree`. */
export async function findTree(directory: string): Promise<FoundTree | undefined> {
  const top = await findTop(directory);
  if (top === undefined) return undefined;
  const treeDirectory = await gitDirectoryOf(top);
  const common = await commonDirectoryOf(treeDirectory);
  if (common !== undefined) return linkedTree(top, treeDirectory, await real(common));
  const owner = dirname(treeDirectory);
  if (basename(treeDirectory) === ".git" && owner !== top) {
    throw new ForgedTree(`${join(top, ".git")} leads to the repository of ${owner}`);
  }
  return { top, treeDirectory, gitDirectory: treeDirectory, mainTop: top };
}

/** A tree that the repository has registered: each refers to the other. */
async function linkedTree(top: string, treeDirectory: string, gitDirectory: string): Promise<FoundTree> {
  const registered = await pathIn(treeDirectory, "gitdir");
  const isRegistered = dirname(treeDirectory) === join(gitDirectory, "worktrees");
  if (!isRegistered || registered === undefined || (await real(dirname(registered))) !== top) {
    throw new ForgedTree(`${gitDirectory} does not know the working tree ${top}`);
  }
  const mainTop = basename(gitDirectory) === ".git" ? dirname(gitDirectory) : top;
  return { top, treeDirectory, gitDirectory, mainTop };
}

/** What `.git` in a working tree stands for: itself, or the directory that it names. */
async function gitDirectoryOf(top: string): Promise<string> {
  const path = join(top, ".git");
  const named = await namedBy(path);
  const directory = await real(named === undefined ? path : resolve(top, named));
  // It may be a device.
  if (!(await stat(directory)).isDirectory()) throw new ForgedTree(`${path} does not lead to a directory`);
  return directory;
}

/** The directory that a `.git` file names; undefined if it is no such file. */
export async function namedBy(path: string): Promise<string | undefined> {
  const file = await readRegular(path).catch(() => undefined);
  return file && /^gitdir: (.+?)\r?\n?$/s.exec(file.content.toString())?.[1];
}

/** The path in a file of a git directory. */
export async function pathIn(gitDirectory: string, name: string): Promise<string | undefined> {
  const file = await readRegular(join(gitDirectory, name)).catch(() => undefined);
  return file && resolve(gitDirectory, file.content.toString().replace(/\r?\n$/, ""));
}

/** Where a `commondir` leads; undefined if there is none. Git would read from a device until it times out. */
async function commonDirectoryOf(gitDirectory: string): Promise<string | undefined> {
  const path = join(gitDirectory, "commondir");
  const file = await readRegular(path, MAX_PATH).catch((error: Error) => {
    throw new ForgedTree(error.message);
  });
  return file && resolve(gitDirectory, file.content.toString().replace(/\r?\n$/, ""));
}

type Directories = Pick<GitTree, "gitDirectory"> & Partial<Pick<GitTree, "treeDirectory">>;

/**
 * Throws `ForgedTree` if a recorded directory, or one above it, has become a link since. Recorded paths are real, so a
 * link leads to another repository. Directories that are gone are left to git.
 */
export async function checkReal({ gitDirectory, treeDirectory = gitDirectory }: Directories): Promise<void> {
  for (const path of new Set([gitDirectory, treeDirectory])) {
    const found = await realpath(path).catch(() => path);
    if (found !== path) throw new ForgedTree(`${path} leads to ${found}`);
  }
}

/**
 * Throws `ForgedTree` if something was planted in the recorded directories: git reads refs where a `commondir` says,
 * regardless of its environment.
 */
export async function checkDirectories(directories: Directories): Promise<void> {
  await checkReal(directories);
  const { gitDirectory, treeDirectory = gitDirectory } = directories;
  const planted = await commonDirectoryOf(gitDirectory);
  if (planted !== undefined) throw new ForgedTree(`${join(gitDirectory, "commondir")} leads to ${planted}`);
  if (treeDirectory === gitDirectory) return;
  const common = await commonDirectoryOf(treeDirectory);
  if (common !== gitDirectory) throw new ForgedTree(`${join(treeDirectory, "commondir")} leads to ${common}`);
}

const real = (path: string): Promise<string> =>
  realpath(path).catch(() => {
    throw new ForgedTree(`${path} does not exist`);
  });
