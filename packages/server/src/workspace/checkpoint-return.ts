import { pathText, type Rejection, type Result } from "@drover/core";
import { type CheckpointPlace, openStored } from "../git/checkpoint-directory.ts";
import { type TreeChange, treeChanges } from "../git/checkpoint-restore.ts";
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
  const later = pathsOf(await treeChanges(place, [earlier, tip]));
  const changed = pathsOf(await treeChanges(place, [last, now.commit]));
  const paths = withoutConflicts(changed, later).map(pathText);
  if (paths.length === 0) return undefined;
  return revert(place, { before: last, after: now.commit, now, paths, force: false });
}

const pathsOf = (changes: readonly TreeChange[]): string[] => changes.map(({ path }) => path);

/**
 * Leaves out paths that changed later. Where one commit has a file or a link and another has a directory, everything
 * below that place counts as one path: neither can exist without removing the other.
 */
function withoutConflicts(paths: readonly string[], later: readonly string[]): string[] {
  const all = new Set([...paths, ...later]);
  const placeOf = (path: string): string => {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      if (all.has(path.slice(0, end))) return path.slice(0, end);
    }
    return path;
  };
  const taken = new Set(later.map(placeOf));
  return paths.filter((path) => !taken.has(placeOf(path)));
}
