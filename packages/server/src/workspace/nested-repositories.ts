import { resolve } from "node:path";
import { bytesOf } from "../git/checkpoint-scan.ts";
import { openRepository } from "../git/repository.ts";
import { type GitTree, namedBy } from "../git/tree.ts";
import type { GitMeans } from "../git/worktree.ts";
import type { SessionWorkspace } from "../ports.ts";
import { changedFiles } from "./changes.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { recordedTree } from "./recorded-tree.ts";
import { hasUnpushed, modulesOf, storedSubmodules } from "./stored-submodules.ts";
import { entriesToLookAt, type Found, type Looking, walk } from "./walk-repositories.ts";
import { openWorkingCopy } from "./working-copy.ts";

/** The repositories that would be lost with a worktree. Latin 1 stands for bytes. */
export interface NestedRepositories {
  /** Relative to the top of the worktree. */
  readonly inside: readonly string[];
  /** Git directories of submodules that aren't checked out, relative to `modules` in the worktree's own. */
  readonly stored: readonly string[];
}

export async function nestedRepositories(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  looking: Looking & { readonly means: GitMeans },
): Promise<NestedRepositories> {
  const tree = recordedTree(workspace);
  if (!tree) return { inside: [], stored: [] };
  const inside = await repositoriesInside(git, tree, looking);
  const checkedOut = await Promise.all(inside.map((path) => submoduleDirectory({ tree, path })));
  const modules = modulesOf(tree.treeDirectory);
  const stored = (await storedSubmodules(tree, looking)).filter(
    (path) => !checkedOut.includes(bytesOf(modules, path).toString()),
  );
  return { inside, stored };
}

/** Git itself doesn't list those that are ignored, and stores none of them. */
async function repositoriesInside(
  git: WorkspaceDeps,
  tree: GitTree,
  { means, ...looking }: Looking & { readonly means: GitMeans },
): Promise<string[]> {
  const isSafe = ({ path, isBare }: Found) =>
    isBare ? isTracked(git, { tree, path }, means) : isUntouchedSubmodule(git, { tree, path }, means);
  const found: string[] = [];
  for await (const { path } of walk(tree.top, { ...looking, isSafe })) found.push(path);
  return found;
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
    if (await hasUnpushed(tree, { limit: entriesToLookAt }, means)) return false;
    await using copy = await openWorkingCopy({ ...means, cwd: top, scratch: git.scratch, tree });
    if (!copy || (await changedFiles(copy)).length > 0) return false;
    return (await walk(top, { limit: entriesToLookAt }).next()).done === true;
  } catch {
    return false;
  }
}
