import { follow } from "./follow.ts";
import { changesBetween } from "./merge.ts";
import { commitWork, type MergePlace, mergeTrees, NotMerged, openTree, tipOf } from "./merge-work.ts";
import { ownBranch, refuseBlocked } from "./merge-write.ts";
import { updateRefs } from "./refs.ts";
import type { Identity } from "./settings.ts";

export interface UpdateOrder {
  /** The branch to merge into the session's; Latin 1 stands for bytes. */
  readonly from: string;
  readonly message: string;
  readonly workMessage: string;
}

/** An update whose objects exist, before a branch or a file changes. */
export interface PlannedUpdate {
  readonly from: string;
  readonly branch: string;
  readonly head: string;
  readonly work: string;
  /** The commit that it brings. */
  readonly target: string;
  /** The files, with markers in those that have conflicts. */
  readonly tree: string;
  readonly conflicts: readonly string[];
  /** The merge, if there are no conflicts. */
  readonly commit?: string;
  readonly identity: Identity;
}

/** Makes the objects of an update. Throws `NotMerged` or `NotCommitted`. */
export async function planUpdate(place: MergePlace, order: UpdateOrder): Promise<PlannedUpdate> {
  await using repository = await openTree(place);
  const { writer } = repository;
  const target = await tipOf(repository, order.from);
  const { branch, head, identity } = await ownBranch(place, repository);
  if (order.from === branch) throw new NotMerged("own_branch");
  const { top } = place.tree;
  const work = await commitWork(repository, { writer, top, message: order.workMessage, identity });
  const args = ["merge-base", "--is-ancestor", target, work];
  if ((await writer.attempt({ args })).code === 0) throw new NotMerged("nothing");
  const { tree, conflicts } = await mergeTrees(writer, [work, target]);
  await refuseBlocked(place, repository, { touched: await changesBetween(writer, [work, tree]) });
  const planned = { from: order.from, branch, head, work, target, tree, conflicts, identity };
  if (conflicts.length > 0) return planned;
  const commit = await writer.commit(tree, { message: order.message, identity, parents: [work, target] });
  return { ...planned, commit };
}

/** Writes the files, and moves the branch if there are no conflicts. May be repeated. False if it has moved meanwhile. */
export async function applyUpdate(
  place: MergePlace,
  { branch, head, work, tree, commit, identity }: PlannedUpdate,
): Promise<boolean> {
  if (commit !== undefined && !(await move(place, { branch, from: head, to: commit, identity })))
    return false;
  await follow(place, { from: work, to: tree, isOwn: true });
  return true;
}

export interface Finishing {
  readonly target: string;
  readonly message: string;
}

/** Commits the resolved files with both parents. Throws `NotMerged` if the branch has moved. */
export async function finishUpdate(place: MergePlace, { target, message }: Finishing): Promise<string> {
  await using repository = await openTree(place);
  const { writer } = repository;
  const { branch, head, identity } = await ownBranch(place, repository);
  const { top } = place.tree;
  const commit = await commitWork(repository, { writer, top, message, identity, update: target });
  if (!(await move(place, { branch, from: head, to: commit, identity }))) throw new NotMerged("moved");
  await follow(place, { from: commit, to: commit, isOwn: true });
  return commit;
}

interface Move {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  readonly identity: Identity;
}

/** True if the branch is there already. */
async function move(place: MergePlace, { branch, from, to, identity }: Move): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  const log = { message: `merge: Updated by Drover`, identity };
  if (await updateRefs(place.tree, [{ ref, to, from }], { ...place, log })) return true;
  await using repository = await openTree(place);
  return (await tipOf(repository, branch)) === to;
}
