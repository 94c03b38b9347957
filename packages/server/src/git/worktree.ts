import { readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkStored, outputOf, ownDirectory } from "./describe.ts";
import { type GitCommand, type GitResult, type GitRun, runGit } from "./run-git.ts";
import { ForgedTree, findTree, type GitTree, pathIn } from "./tree.ts";

/** A repository by its recorded paths: git never looks for them. */
export type GitRepository = Pick<GitTree, "top" | "gitDirectory">;

export type GitMeans = Pick<GitRun, "environment" | "signal">;

/** Runs git on the repository's own directory, for commands that read or write no file of a working tree. */
export async function runOwn(tree: GitTree, command: GitCommand, means: GitMeans): Promise<GitResult> {
  await checkStored(tree);
  return runGit(command, ownDirectory({ cwd: tree.top, ...means }, tree));
}

const main = ({ top, gitDirectory }: GitRepository): GitTree => ({
  top,
  gitDirectory,
  treeDirectory: gitDirectory,
});

const line = ({ code, output }: GitResult): string | undefined =>
  code === 0 ? output.toString("latin1").trimEnd() || undefined : undefined;

/** The commit that a name stands for in a tree. Undefined if there is none. */
export async function commitOf(tree: GitTree, name: string, means: GitMeans): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const id = line(await runOwn(tree, { args }, means));
  // Git also accepts names that exclude a commit, and prints them as such.
  return id && /^[0-9a-f]+$/.test(id) ? id : undefined;
}

/** The newest commit of a tree that is not newer than a time in seconds. */
export async function commitBefore(
  tree: GitTree,
  time: number,
  means: GitMeans,
): Promise<string | undefined> {
  const args = ["rev-list", "--max-count=1", "--first-parent", `--min-age=${time}`, "HEAD"];
  return line(await runOwn(tree, { args }, means));
}

/** The commit that a tree was on at a time, as far as its history shows; otherwise the one it is on now. */
export async function commitAt(
  tree: GitTree,
  time: Date | undefined,
  means: GitMeans,
): Promise<string | undefined> {
  const found = time && (await commitBefore(tree, Math.floor(time.getTime() / 1000), means));
  return found ?? commitOf(tree, "HEAD", means);
}

/** The branch that a tree is on. Undefined while its HEAD is detached. */
export async function branchOf(tree: GitTree, means: GitMeans): Promise<string | undefined> {
  const ref = line(await runOwn(tree, { args: ["symbolic-ref", "--quiet", "HEAD"] }, means));
  return ref?.startsWith("refs/heads/") ? Buffer.from(ref.slice(11), "latin1").toString() : undefined;
}

/** The last commit that two commits have in common. */
export async function commonCommit(
  repository: GitRepository,
  commits: readonly [string, string],
  means: GitMeans,
): Promise<string | undefined> {
  return line(await runOwn(main(repository), { args: ["merge-base", ...commits] }, means));
}

/** How many commits lead to one commit and not to another. */
export async function commitsBeyond(
  repository: GitRepository,
  { tip, base }: { tip: string; base: string },
  means: GitMeans,
): Promise<number | undefined> {
  const args = ["rev-list", "--count", tip, `^${base}`];
  const count = line(await runOwn(main(repository), { args }, means));
  return count === undefined ? undefined : Number(count);
}

export interface Addition {
  readonly path: string;
  readonly branch: string;
  /** Where the new branch starts; without it, the branch already exists and is used as it is. */
  readonly commit?: string | undefined;
}

/** Registers a worktree that has no files yet. What git says about a failure is in the result. */
export async function addWorktree(
  repository: GitRepository,
  { path, branch, commit }: Addition,
  means: GitMeans,
): Promise<GitResult> {
  const registry = join(repository.gitDirectory, "worktrees");
  const real = await realpath(registry).catch(() => registry);
  if (real !== registry) throw new ForgedTree(`${registry} leads to ${real}`);
  // Without --no-track, git would write to the settings, and parallel additions fail.
  const how = commit === undefined ? [] : ["--no-track", "-b", branch];
  const args = ["worktree", "add", "--no-checkout", ...how, "--", path, commit ?? branch];
  return runOwn(main(repository), { args }, means);
}

/** Whether a branch, a tag or a remote leads to a commit. The branch `besides` doesn't count. */
export async function isNamedElsewhere(
  tree: GitTree,
  commit: string,
  { besides, ...means }: GitMeans & { readonly besides?: string },
): Promise<boolean> {
  const not = ["--not", ...(besides === undefined ? [] : [`--exclude=${besides}`])];
  const args = ["rev-list", "--max-count=1", commit, ...not, "--branches", "--tags", "--remotes"];
  const { code, output } = await runOwn(tree, { args }, means);
  return code === 0 && output.length === 0;
}

/** Makes a former submodule a repository of its own. */
export async function detachFromSuperproject(repository: GitRepository, means: GitMeans): Promise<void> {
  const config = join(repository.gitDirectory, "config");
  const args = ["config", "--file", config, "--unset-all", "core.worktree"];
  await runOwn(main(repository), { args }, means);
}

interface ListedTree {
  /** Latin 1 stands for bytes. */
  readonly branch: string;
  readonly path: string;
  readonly isMain: boolean;
}

/** Every working tree that is on a branch, whether or not the tree still exists. */
async function checkedOut(repository: GitRepository, means: GitMeans): Promise<ListedTree[]> {
  const list = await runOwn(main(repository), { args: ["worktree", "list", "--porcelain"] }, means);
  const records = outputOf(list).toString("latin1").split("\n\n");
  return records.flatMap((record, at) => {
    const branch = /^branch refs\/heads\/(.+)$/m.exec(record)?.[1];
    const path = /^worktree (.+)$/m.exec(record)?.[1] ?? "";
    if (branch === undefined) return [];
    return { branch, path: Buffer.from(path, "latin1").toString(), isMain: at === 0 };
  });
}

/** The existing working tree that is on a branch; Latin 1 stands for bytes. The main one is at `top`. */
export async function treeOn(
  { gitDirectory, top }: GitRepository,
  branch: string,
  means: GitMeans,
): Promise<GitTree | undefined> {
  for (const listed of await checkedOut({ gitDirectory, top }, means)) {
    if (listed.branch !== branch) continue;
    const path = listed.isMain ? top : listed.path;
    // A tree that is gone may have been inside another one.
    const found = await findTree(path).catch(() => undefined);
    if (found?.gitDirectory === gitDirectory && found.top === path) return found;
  }
  return undefined;
}

/** How many working trees are on a branch; Latin 1 stands for bytes. */
export async function treesOn(repository: GitRepository, branch: string, means: GitMeans): Promise<number> {
  return (await checkedOut(repository, means)).filter((each) => each.branch === branch).length;
}

/** The branches that the main working tree and all registered ones are on, whether or not they still exist. */
export async function branchesInTrees(repository: GitRepository, means: GitMeans): Promise<Set<string>> {
  const names = await checkedOut(repository, means);
  const branches = names.map(({ branch: name }) => Buffer.from(name, "latin1").toString());
  // The list says nothing about the HEAD of a bare repository.
  const head = await branchOf(main(repository), means);
  return new Set([...branches, ...(head === undefined ? [] : [head])]);
}

/** Whether the repository left out objects when it was cloned. */
export async function isPartialClone(repository: GitRepository, means: GitMeans): Promise<boolean> {
  const args = ["config", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"];
  return line(await runOwn(main(repository), { args }, means)) !== undefined;
}

/** The trees a repository has registered, whether or not they still exist. */
export async function registeredTrees({ gitDirectory }: GitRepository): Promise<GitTree[]> {
  const directory = join(gitDirectory, "worktrees");
  // A link would lead to another repository's.
  if ((await realpath(directory).catch(() => undefined)) !== directory) return [];
  const found = await Promise.all(
    (await readdir(directory)).map(async (name): Promise<GitTree[]> => {
      const treeDirectory = join(directory, name);
      const file = await pathIn(treeDirectory, "gitdir");
      return file === undefined ? [] : [{ top: dirname(file), treeDirectory, gitDirectory }];
    }),
  );
  return found.flat();
}
