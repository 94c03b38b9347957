import { chmod, readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { bytesOf } from "../git/checkpoint-scan.ts";
import { openRepository } from "../git/repository.ts";
import { type GitTree, namedBy } from "../git/tree.ts";
import { type GitMeans, hasOwnCommits } from "../git/worktree.ts";
import type { SessionWorkspace } from "../ports.ts";
import { changedFiles } from "./changes.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { recordedTree } from "./recorded-tree.ts";
import { openWorkingCopy } from "./working-copy.ts";

/** A tree with this many entries is looked at in a second or two. */
export const entriesToLookAt = 200_000;

interface Looking {
  /** How many entries of directories to look at; nearest ones first. */
  readonly limit: number;
  /** Directories without permissions are made readable: they are about to be removed. */
  readonly unlock?: boolean;
}

/**
 * The repositories inside a worktree that would be lost with it, relative to its top; Latin 1 stands for bytes. Git
 * itself doesn't list those that are ignored, and stores none of them.
 */
export async function nestedRepositories(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  { means, ...looking }: Looking & { readonly means: GitMeans },
): Promise<string[]> {
  const tree = recordedTree(workspace);
  const found: string[] = [];
  if (!tree) return found;
  for await (const { path, isBare } of walk(tree.top, looking)) {
    const isSafe = isBare
      ? await isTracked(git, { tree, path }, means)
      : await isUntouchedSubmodule(git, { tree, path }, means);
    if (!isSafe) found.push(path);
  }
  return found;
}

interface Found {
  readonly path: string;
  readonly isBare: boolean;
}

/** Directories with a `.git`, and those that look like one themselves. Links are not followed. */
async function* walk(top: string, { limit, unlock = false }: Looking): AsyncGenerator<Found> {
  let left = limit;
  const waiting = [""];
  for (let at = 0; at < waiting.length && left > 0; at++) {
    const path = waiting[at] ?? "";
    const entries = await list(bytesOf(top, path), unlock);
    left -= entries.length;
    const names = new Set(entries.map(({ name }) => name.toString("latin1")));
    const isBare = ["HEAD", "objects", "refs"].every((name) => names.has(name));
    if (path !== "" && (names.has(".git") || isBare)) yield { path, isBare: !names.has(".git") };
    else {
      const prefix = path === "" ? "" : `${path}/`;
      for (const entry of entries) {
        if (entry.isDirectory()) waiting.push(prefix + entry.name.toString("latin1"));
      }
    }
  }
}

async function list(directory: Buffer, unlock: boolean) {
  const read = () => readdir(directory, { withFileTypes: true, encoding: "buffer" });
  return read().catch(async (error: NodeJS.ErrnoException) => {
    if (!unlock || error.code !== "EACCES") return [];
    await chmod(directory, 0o700);
    return read();
  });
}

interface Place {
  readonly tree: GitTree;
  readonly path: string;
}

/** Repositories that tests use are often committed as plain files. */
async function isTracked(git: WorkspaceDeps, { tree, path }: Place, means: GitMeans): Promise<boolean> {
  try {
    await using repository = await openRepository({ ...means, cwd: tree.top, scratch: git.scratch, tree });
    const paths = [Buffer.from(path, "latin1")];
    const output = await repository?.run({ args: ["ls-files", "-z"], paths });
    return output !== undefined && output.length > 0;
  } catch {
    return false;
  }
}

/** The git directory of a submodule, which is removed with the worktree's own. */
export async function submoduleDirectory({ tree, path }: Place): Promise<string | undefined> {
  const top = bytesOf(tree.top, path).toString();
  const named = await namedBy(`${top}/.git`);
  const directory = named === undefined ? undefined : resolve(top, named);
  return directory?.startsWith(`${tree.treeDirectory}/modules/`) ? directory : undefined;
}

/** Whether everything in a submodule can be fetched again. */
async function isUntouchedSubmodule(git: WorkspaceDeps, place: Place, means: GitMeans): Promise<boolean> {
  const gitDirectory = await submoduleDirectory(place);
  if (gitDirectory === undefined) return false;
  const top = bytesOf(place.tree.top, place.path).toString();
  const tree = { top, gitDirectory, treeDirectory: gitDirectory };
  try {
    if (await hasOwnCommits(tree, means)) return false;
    await using copy = await openWorkingCopy({ ...means, cwd: top, scratch: git.scratch, tree });
    if (!copy || (await changedFiles(copy)).length > 0) return false;
    return (await walk(top, { limit: entriesToLookAt }).next()).done === true;
  } catch {
    return false;
  }
}
