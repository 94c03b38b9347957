import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openRepository, type Repository } from "../git/repository.ts";
import { commitOf, type GitMeans } from "../git/worktree.ts";
import type { MadeWorkspace, WorkspacePlace } from "../ports.ts";
import { isFile, isThere, type WorkspaceDeps } from "./comparison.ts";
import { recordedTree } from "./recorded-tree.ts";
import { inspectWorktree } from "./worktree-condition.ts";
import { make, type WorktreeDeps } from "./worktree-create.ts";
import { replaceFile, unregister } from "./worktree-files.ts";

/** Recreates a missing worktree from its branch; one that leads elsewhere is relinked, with its files as they are. */
export async function restoreWorktree(
  deps: WorktreeDeps,
  place: WorkspacePlace,
  means: GitMeans,
): Promise<Pick<MadeWorkspace, "isNew">> {
  const { workspace, cwd } = place;
  const { path, branch, base, repository } = workspace;
  if (!branch || !base || !repository) return { isNew: false };
  if ((await inspectWorktree(place)).state === "ready") return { isNew: false };
  const main = { ...repository, treeDirectory: repository.gitDirectory };
  const tip = await commitOf(main, `refs/heads/${branch}`, means);
  const isNew = !(await isThere(path));
  if (!isNew) await reconnect(deps.git, place, { tip: tip ?? base.commit, means });
  else {
    await unregister(path, repository);
    const existing = tip === undefined ? "nothing" : "branch";
    const planned = {
      workspace: { ...workspace, branch, repository },
      cwd,
      commit: tip ?? base.commit,
      existing,
    };
    await make(deps, planned as Parameters<typeof make>[1], means);
  }
  if (!(await isThere(cwd))) await mkdir(cwd, { recursive: true });
  return { isNew };
}

interface Reconnection {
  readonly tip: string;
  readonly means: GitMeans;
}

/**
 * Links a tree to its repository. Without an index, it gets one of the last commit. If it is still registered, making it
 * was interrupted, so the files that it lacks are written as well.
 */
async function reconnect(
  git: WorkspaceDeps,
  { workspace }: WorkspacePlace,
  { tip, means }: Reconnection,
): Promise<void> {
  const tree = recordedTree(workspace);
  if (!tree) return;
  const { top, treeDirectory, gitDirectory } = tree;
  const isRegistered = await isThere(treeDirectory);
  const registry = dirname(treeDirectory);
  await mkdir(registry, { recursive: true });
  if ((await realpath(registry)) !== registry) throw new Error(`${registry} leads to another directory`);
  await mkdir(treeDirectory, { recursive: true });
  await replaceFile(join(top, ".git"), `gitdir: ${treeDirectory}\n`);
  await replaceFile(join(treeDirectory, "gitdir"), `${join(top, ".git")}\n`);
  await replaceFile(join(treeDirectory, "commondir"), `${gitDirectory}\n`);
  const head = join(treeDirectory, "HEAD");
  if (!(await isFile(head))) await replaceFile(head, `ref: refs/heads/${workspace.branch}\n`);
  if (await isFile(join(treeDirectory, "index"))) return;
  await using repository = await openRepository({ ...means, cwd: top, scratch: git.scratch, tree });
  if (!repository) throw new Error(`${top} is gone`);
  await repository.run({ args: ["read-tree", tip] });
  if (isRegistered) await writeMissing(repository);
  await repository.saveIndex();
}

/** Writes the files of the index that don't exist. Others may be somebody's work, and stay as they are. */
async function writeMissing(repository: Repository): Promise<void> {
  const input = await repository.run({ args: ["ls-files", "--deleted", "-z"] });
  if (input.length > 0) await repository.run({ args: ["checkout-index", "-u", "-z", "--stdin"], input });
}
