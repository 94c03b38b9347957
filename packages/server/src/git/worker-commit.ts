import { refuseProgress, stage } from "./commit.ts";
import { follow } from "./follow.ts";
import { type MergePlace, NotMerged, openTree, treeOf } from "./merge-work.ts";
import { ownBranch } from "./merge-write.ts";
import { DROVER, idIn, type ObjectWriter } from "./object-writer.ts";
import { updateRefs } from "./refs.ts";

export interface WorkOrder {
  readonly subject: string;
  /** The last lines of the message: they identify the run. */
  readonly trailers: string;
  /** Commits that are not counted. */
  readonly known: readonly string[];
}

export interface WorkDone {
  readonly head: string;
  readonly count: number;
  /** The last commit has the trailers. */
  readonly isOwn: boolean;
}

/** Drover's own folder, or what an agent has put in its place; Latin 1 stands for bytes. */
const OWN = /(^|\/)\.drover(\/|$)/;

/**
 * Commits everything that a tree has and does not ignore to its branch. May be repeated: if nothing has changed since,
 * there is no other commit. Throws `NotCommitted` or `NotMerged`.
 */
export async function commitWorkerWork(
  place: MergePlace,
  { subject, trailers, known }: WorkOrder,
): Promise<WorkDone> {
  await using repository = await openTree(place);
  const { writer } = repository;
  const { top } = place.tree;
  const identified = { ...repository, identity: repository.identity ?? DROVER };
  const { branch, head: before, identity } = await ownBranch(place, identified);
  await refuseProgress({ ...repository, writer });
  await stage({ ...repository, writer }, { top, isWanted: (path) => !OWN.test(path) });
  const tree = idIn(await writer.run({ args: ["write-tree"] }));
  let head = before;
  if (tree !== (await treeOf(writer, before))) {
    const message = `${subject}\n\n${trailers}\n`;
    head = await writer.commit(tree, { message, identity, parents: [before] });
    const ref = `refs/heads/${branch}`;
    const log = { message: `commit: ${subject}`, identity };
    const { environment, signal } = place;
    const isMoved = await updateRefs(place.tree, [{ ref, to: head, from: before }], {
      ...{ environment, signal, log },
    });
    if (!isMoved) throw new NotMerged("moved");
  }
  const message = (await writer.run({ args: ["log", "-1", "--format=%B", head] })).toString();
  const isOwn = message.trimEnd().endsWith(trailers);
  // A server that was killed here may have left the index behind.
  if (isOwn) await follow(place, { from: head, to: head, isOwn: true, isTip: true });
  return { head, count: await countBeyond(writer, head, known), isOwn };
}

/** A commit may be gone since it was reported. */
async function countBeyond(writer: ObjectWriter, head: string, known: readonly string[]): Promise<number> {
  const present: string[] = [];
  for (const commit of known) {
    const { code } = await writer.attempt({ args: ["cat-file", "-e", `${commit}^{commit}`] });
    if (code === 0) present.push(`^${commit}`);
  }
  return Number(idIn(await writer.run({ args: ["rev-list", "--count", head, ...present] })));
}
