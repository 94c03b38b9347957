import { join } from "node:path";
import { readRegular } from "../git/read-regular.ts";
import { updateRefs } from "../git/refs.ts";
import {
  branchesInTrees,
  commitOf,
  commitsBeyond,
  type GitMeans,
  isNamedElsewhere,
  registeredTrees,
} from "../git/worktree.ts";
import type { SessionWorkspace, WorkspaceRepository } from "../ports.ts";

/** `failed`: the branch was made a moment ago, for a worktree that could not be made. */
export type Leaving = "failed" | "unused" | "used";

/**
 * Removes the branch of a worktree if Drover made it and nobody can miss it: it has no commits of its own, another
 * branch, tag or remote has its last commit, and no working tree is on it.
 */
export async function dropEmptyBranch(
  { branch, isNewBranch, base, repository }: SessionWorkspace,
  leaving: Leaving,
  means: GitMeans,
): Promise<void> {
  if (!isNewBranch || !branch || !base || !repository) return;
  const main = { ...repository, treeDirectory: repository.gitDirectory };
  const ref = `refs/heads/${branch}`;
  const tip = await commitOf(main, ref, means);
  if (tip === undefined) return;
  const isEmpty =
    leaving === "used"
      ? (await commitsBeyond(repository, { tip, base: base.commit }, means)) === 0
      : tip === base.commit;
  if (!isEmpty || (await isInUse(repository, branch, means))) return;
  if (leaving !== "failed" && !(await isNamedElsewhere(main, tip, { ...means, besides: branch }))) return;
  await updateRefs(repository, [{ ref, to: null, from: tip }], means);
}

/** Where git keeps the name of a branch whose tree is detached in the meantime. */
const INTERRUPTED = ["rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"];

/** Whether a working tree is on a branch, or goes back to it after a rebase or a bisection. */
async function isInUse(repository: WorkspaceRepository, branch: string, means: GitMeans): Promise<boolean> {
  if ((await branchesInTrees(repository, means)).has(branch)) return true;
  const registered = await registeredTrees(repository);
  const directories = [repository.gitDirectory, ...registered.map(({ treeDirectory }) => treeDirectory)];
  const files = directories.flatMap((directory) => INTERRUPTED.map((name) => join(directory, name)));
  const names = await Promise.all(files.map((file) => readRegular(file).catch(() => undefined)));
  return names.some((file) => file?.content.toString().trim().replace("refs/heads/", "") === branch);
}
