import type { TreeEntry } from "./checkpoint.ts";
import { follow, matches } from "./follow.ts";
import { changesBetween } from "./merge.ts";
import {
  commitWork,
  isAncestor,
  type MergePlace,
  mergeTrees,
  NotMerged,
  openTree,
  tipOf,
} from "./merge-work.ts";
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
  if (await isAncestor(writer, [target, work])) throw new NotMerged("nothing");
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
  await follow(place, { from: work, to: commit ?? tree, isOwn: true, isTip: commit !== undefined });
  return true;
}

/** Which of these paths are as a tree has them; Latin 1 stands for bytes. */
export async function untouched(
  place: MergePlace,
  { tree, paths }: { readonly tree: string; readonly paths: readonly string[] },
): Promise<string[]> {
  if (paths.length === 0) return [];
  await using repository = await openTree(place);
  const named = paths.map((path) => Buffer.from(path, "latin1"));
  const output = await repository.writer.run({ args: ["ls-tree", "-z", "--full-tree", tree], paths: named });
  const written = entriesIn(output.toString("latin1"));
  const isSame = await matches(
    repository,
    place.tree.top,
    paths.map((path) => ({ path, object: written.get(path) })),
  );
  return paths.filter(isSame);
}

const entriesIn = (listed: string): Map<string, TreeEntry["object"]> =>
  new Map(
    listed
      .split("\0")
      .slice(0, -1)
      .map((line) => {
        const [mode = "", , id = ""] = line.slice(0, line.indexOf("\t")).split(" ");
        return [line.slice(line.indexOf("\t") + 1), { mode, id }];
      }),
  );

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
  // The agent, a person, or a server that was killed right after it.
  if (await isAncestor(writer, [target, head])) return head;
  const commit = await commitWork(repository, { writer, top, message, identity, update: target });
  if (!(await move(place, { branch, from: head, to: commit, identity }))) throw new NotMerged("moved");
  await follow(place, { from: commit, to: commit, isOwn: true, isTip: true });
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
