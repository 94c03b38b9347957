import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { bytesOf } from "../git/checkpoint-scan.ts";
import { hasOwnCommits } from "../git/left-commits.ts";
import type { GitTree } from "../git/tree.ts";
import type { GitMeans } from "../git/worktree.ts";
import { type Looking, walk } from "./walk-repositories.ts";

/** Where a git directory has those of its submodules, whether or not they are checked out. */
export const modulesOf = (gitDirectory: string): string => join(gitDirectory, "modules");

/**
 * The git directories of a worktree's submodules with commits that can't be fetched again, relative to `modules`; Latin
 * 1 stands for bytes. Those of their own submodules lie inside them.
 */
export async function storedSubmodules(
  { treeDirectory }: GitTree,
  { means, ...looking }: Looking & { readonly means: GitMeans },
): Promise<string[]> {
  const modules = modulesOf(treeDirectory);
  const found: string[] = [];
  // A link would lead to directories that stay.
  if ((await realpath(modules).catch(() => undefined)) !== modules) return found;
  for await (const { path } of walk(modules, looking)) {
    const gitDirectory = bytesOf(modules, path).toString();
    const tree = { top: gitDirectory, gitDirectory, treeDirectory: gitDirectory };
    // What git can't read may hold commits too.
    if (await hasUnpushed(tree, looking, means).catch(() => true)) found.push(path);
  }
  return found;
}

/** Whether a submodule, or one stored inside it, has commits that can't be fetched again. */
export async function hasUnpushed(tree: GitTree, looking: Looking, means: GitMeans): Promise<boolean> {
  if (await hasOwnCommits(tree, means)) return true;
  return (await storedSubmodules(tree, { ...looking, means })).length > 0;
}
