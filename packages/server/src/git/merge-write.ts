import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { TreeChange } from "./checkpoint-restore.ts";
import { NotCommitted, refuseProgress } from "./commit.ts";
import { follow } from "./follow.ts";
import { filesInPlaceOf, filesInTheWay } from "./in-the-way.ts";
import { IndexLocked, removeAbandonedLock } from "./index-lock.ts";
import { changesBetween } from "./merge.ts";
import {
  commitWork,
  distance,
  isAncestor,
  type MergePlace,
  mergeBase,
  mergeTrees,
  NotMerged,
  openTree,
  tipOf,
  treeOf,
  workId,
} from "./merge-work.ts";
import { readRegular } from "./read-regular.ts";
import { type RefChange, updateRefs } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { Identity } from "./settings.ts";
import type { GitTree } from "./tree.ts";
import { registeredTrees, treeOn, treesOn } from "./worktree.ts";

export interface MergeOrder {
  /** Latin 1 stands for bytes, in all names of branches. */
  readonly into: string;
  readonly strategy: "merge" | "squash";
  readonly message: string;
  /** For a commit of uncommitted files. */
  readonly workMessage: string;
  /** The commit that an unfinished update brings. */
  readonly update?: string | undefined;
  /** What a person wanted to merge: a `workId`, or only the tree of the files. */
  readonly wanted?: string | undefined;
  /** What the result must be. */
  readonly tree?: string | undefined;
}

/** A merge whose commits exist, before any branch moves. Stored, so that a server that was killed can finish it. */
export interface PlannedMerge {
  readonly into: string;
  readonly branch: string;
  /** Where the target was. */
  readonly target: string;
  /** Where the session's branch was. */
  readonly head: string;
  /** Everything that the session has. */
  readonly work: string;
  /** The result: where both branches go. */
  readonly commit: string;
  readonly identity: Identity;
}

/**
 * Makes the commits of a merge and checks that every working tree it concerns can follow. Changes no ref, file or
 * index. Throws `NotMerged` or `NotCommitted`.
 */
export async function planMerge(place: MergePlace, order: MergeOrder): Promise<PlannedMerge> {
  await using repository = await openTree(place);
  const { writer } = repository;
  const { into, strategy, message, workMessage, update } = order;
  const target = await tipOf(repository, into);
  const { branch, head, identity } = await ownBranch(place, repository);
  if (into === branch) throw new NotMerged("own_branch");
  const { top } = place.tree;
  const work = await commitWork(repository, { writer, top, message: workMessage, identity, update });
  if (order.wanted !== undefined) {
    const tree = await treeOf(writer, work);
    const base = await mergeBase(writer, [target, work]);
    // Of what was reviewed for another target, only the files count.
    const isSame = order.wanted === tree || (base !== undefined && order.wanted === workId(tree, base));
    if (!isSame) throw new NotMerged("changed");
  }
  const merged = await mergeTrees(writer, [target, work]);
  if (merged.conflicts.length > 0) throw new NotMerged("conflicts", "conflicts", merged.conflicts);
  if (order.tree !== undefined && order.tree !== merged.tree) throw new NotMerged("stale");
  const { ahead } = await distance(writer, [target, work]);
  const isEmpty = strategy === "squash" && merged.tree === (await treeOf(writer, target));
  if (ahead === 0 || isEmpty) throw new NotMerged("nothing");
  const parents = strategy === "squash" ? [target] : [target, work];
  const commit = await writer.commit(merged.tree, { message, identity, parents });
  await refuseBlocked(place, repository, { touched: await changesBetween(writer, [work, commit]) });
  await refuseBusy(place, into);
  const checkout = await checkoutOf(place, into);
  if (checkout) await refuseCheckout(place, checkout, await changesBetween(writer, [target, commit]));
  return { into, branch, target, head, work, commit, identity };
}

/** Writes the files that a merge would result in to an empty directory. Returns their tree. */
export async function exportMerge(place: MergePlace, order: MergeOrder, directory: string): Promise<string> {
  const { commit } = await planMerge(place, order);
  await using repository = await openTree(place);
  const tree = await treeOf(repository.writer, commit);
  const index = repository.indexNamed("export-index");
  await index.run({ args: ["read-tree", "--reset", tree] });
  await index.run({ args: ["checkout-index", "--all", "--quiet", `--prefix=${directory}/`] });
  return tree;
}

/** The branch that a session's work is on, and who commits there. */
export async function ownBranch(
  place: MergePlace,
  { branch, commit: head, identity }: Repository,
): Promise<{ branch: string; head: string; identity: Identity }> {
  if (branch === undefined) throw new NotCommitted("detached");
  // It would move with the merge, and may be a person's.
  if (place.branch !== undefined && branch !== place.branch) throw new NotMerged("other_branch", branch);
  if ((await treesOn(repositoryOf(place), branch, place)) > 1) throw new NotCommitted("branch_in_use");
  if (head === undefined) throw new NotMerged("no_branch");
  if (!identity) throw new NotCommitted("no_identity");
  return { branch, head, identity };
}

const repositoryOf = ({ tree, mainTop }: MergePlace) => ({ gitDirectory: tree.gitDirectory, top: mainTop });

const checkoutOf = (place: MergePlace, branch: string) => treeOn(repositoryOf(place), branch, place);

/** In the session's own tree, only files that no commit has can be in the way. */
export async function refuseBlocked(
  { tree }: MergePlace,
  repository: Repository,
  { touched }: { readonly touched: readonly TreeChange[] },
): Promise<void> {
  await refuseLocked(tree);
  const blocked = await filesInPlaceOf(repository, tree.top, touched);
  if (blocked.length > 0) throw new NotMerged("in_the_way", tree.top, blocked);
  await refuseFiltered(repository, tree.top, touched);
}

/** Throws `IndexLocked`: the tree could not follow. */
async function refuseLocked({ treeDirectory }: GitTree): Promise<void> {
  const index = join(treeDirectory, "index");
  const lock = `${index}.lock`;
  const isThere = () =>
    lstat(lock).then(
      () => true,
      () => false,
    );
  if (!(await isThere())) return;
  // A server that was killed may have left it.
  await removeAbandonedLock(index);
  if (await isThere()) throw new IndexLocked(lock);
}

async function refuseFiltered(
  repository: Pick<Repository, "filtered">,
  top: string,
  touched: readonly TreeChange[],
): Promise<void> {
  const filtered = await repository.filtered(touched.map(({ path }) => path));
  if (filtered.length > 0) throw new NotMerged("filter", top, filtered);
}

/** Throws `NotMerged` if a checkout of the target can't follow. */
async function refuseCheckout(
  place: MergePlace,
  tree: GitTree,
  touched: readonly TreeChange[],
): Promise<void> {
  const there = { ...place, cwd: tree.top, tree };
  const inTheWay = await filesInTheWay(there, touched);
  if (inTheWay.length > 0) throw new NotMerged("in_the_way", tree.top, inTheWay);
  await refuseLocked(tree);
  await using checkout = await openTree(there);
  await refuseProgress(checkout).catch((error: unknown) => {
    throw error instanceof NotCommitted ? new NotMerged("busy", tree.top) : error;
  });
  await refuseFiltered(checkout, tree.top, touched);
}

/** A branch that is being rebased, or that several trees are on, must not move. */
async function refuseBusy(place: MergePlace, into: string): Promise<void> {
  const repository = repositoryOf(place);
  if ((await treesOn(repository, into, place)) > 1) throw new NotMerged("busy", place.mainTop);
  const main = { top: place.mainTop, treeDirectory: repository.gitDirectory };
  for (const { top, treeDirectory } of [main, ...(await registeredTrees(repository))]) {
    for (const progress of ["rebase-merge", "rebase-apply"]) {
      const file = await readRegular(join(treeDirectory, progress, "head-name")).catch(() => undefined);
      if (file?.content.toString("latin1").trim() === `refs/heads/${into}`) throw new NotMerged("busy", top);
    }
  }
}

/**
 * Moves both branches, or none: false if one has moved meanwhile, or is locked. A squash drops the session's commits
 * from its branch, so `keep` is a ref that gets them.
 */
export function moveBranches(
  place: MergePlace,
  { into, branch, target, head, work, commit, identity }: PlannedMerge,
  keep: string | undefined,
): Promise<boolean> {
  const changes: RefChange[] = [
    { ref: `refs/heads/${into}`, to: commit, from: target },
    { ref: `refs/heads/${branch}`, to: commit, from: head },
    ...(keep === undefined ? [] : [{ ref: keep, to: work }]),
  ];
  const log = { message: `merge ${branch}: Merged by Drover`, identity };
  return updateRefs(repositoryOf(place), changes, { ...place, log });
}

/** Whether the branches of a planned merge were moved. */
export async function isMoved(
  place: MergePlace,
  { into, branch, commit }: Pick<PlannedMerge, "into" | "branch" | "commit">,
): Promise<boolean> {
  await using repository = await openTree(place);
  for (const name of [branch, into]) {
    const tip = await existingTip(repository, name);
    if (tip !== undefined && (await isAncestor(repository.writer, [commit, tip]))) return true;
  }
  return false;
}

const existingTip = (repository: Repository, name: string): Promise<string | undefined> =>
  tipOf(repository, name).catch((error: unknown) => {
    if (error instanceof NotMerged) return undefined;
    throw error;
  });

/** Makes the session's tree and the target's checkout follow. May be repeated. */
export async function followMerge(
  place: MergePlace,
  { into, target, work, commit }: PlannedMerge,
): Promise<void> {
  await follow(place, { from: work, to: commit, isOwn: true, isTip: true });
  const checkout = await checkoutOf(place, into);
  if (!checkout) return;
  await follow({ ...place, cwd: checkout.top, tree: checkout }, { from: target, to: commit, isTip: true });
}
