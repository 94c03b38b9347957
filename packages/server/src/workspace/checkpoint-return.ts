import { pathText, type Rejection, type Result } from "@drover/core";
import { type CheckpointPlace, openStored } from "../git/checkpoint-directory.ts";
import { treeChanges } from "../git/checkpoint-restore.ts";
import type { GitTree } from "../git/tree.ts";
import { commitBefore, commitOf } from "../git/worktree.ts";
import type { ChangedFiles, Checkpoint } from "../ports.ts";
import { revert } from "./revert.ts";

/**
 * Writes the files of an earlier checkpoint into a tree that was made again from its branch. Files of commits that are
 * newer than the checkpoint stay as they are committed.
 */
export async function returnTo(
  place: CheckpointPlace,
  { tree, last, now }: { tree: GitTree; last: string; now: Checkpoint },
): Promise<Result<ChangedFiles, Rejection> | undefined> {
  const { writer } = await openStored(place);
  const described = await writer.run({ args: ["rev-list", "--max-count=1", "--timestamp", last] });
  const takenAt = Number.parseInt(described.toString("latin1"), 10);
  const tip = await commitOf(tree, "HEAD", place);
  const earlier = await commitBefore(tree, takenAt, place);
  if (tip === undefined || earlier === undefined) return undefined;
  const later = new Set((await treeChanges(place, [earlier, tip])).map(({ path }) => path));
  const changed = await treeChanges(place, [last, now.commit]);
  const paths = changed.filter(({ path }) => !later.has(path)).map(({ path }) => pathText(path));
  if (paths.length === 0) return undefined;
  return revert(place, { before: last, after: now.commit, now, paths, force: false });
}
