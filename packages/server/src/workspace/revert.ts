import { ok, pathBytes, pathText, type Rejection, type Result, reject } from "@drover/core";
import type { TreeEntry } from "../git/checkpoint.ts";
import type { CheckpointPlace } from "../git/checkpoint-directory.ts";
import { applyEntries, InTheWay, isSame, type TreeChange, treeChanges } from "../git/checkpoint-restore.ts";
import { isAt } from "../git/commit.ts";
import type { ChangedFiles, Checkpoint, CheckpointPair } from "../ports.ts";
import { someOf } from "./words.ts";

export interface RevertRequest extends CheckpointPair {
  readonly now: Checkpoint;
  readonly paths?: readonly string[] | undefined;
  readonly force: boolean;
}

/** Reverts what changed between two checkpoints, unless it has changed since. */
export async function revert(
  place: CheckpointPlace,
  { before, after, now, paths, force }: RevertRequest,
): Promise<Result<ChangedFiles, Rejection>> {
  const changed = await treeChanges(place, [before, after]);
  const chosen = paths === undefined ? ok(changed) : choose(changed, paths.map(pathBytes));
  if (!chosen.ok) return chosen;
  const since = new Map((await treeChanges(place, [after, now.commit])).map((each) => [each.path, each]));
  const skipped = new Set(now.skipped.map(({ path }) => pathBytes(path)));
  const entries: TreeEntry[] = [];
  const conflicts: string[] = [];
  for (const { path, before: wanted, after: left } of chosen.value) {
    const moved = since.get(path);
    const present = moved ? moved.after : left;
    if (isSame(present, wanted)) continue;
    // Content that is in no checkpoint cannot be recovered, so it stays even with `force`.
    if (skipped.has(path) || (moved && !force)) conflicts.push(path);
    else entries.push(wanted ? { path, object: wanted } : { path });
  }
  if (conflicts.length > 0) return conflict(conflicts);
  try {
    const { commit, paths: changed } = await applyEntries(place, { now: now.commit, entries });
    return ok({ commit, files: changed.map(pathText).sort() });
  } catch (error) {
    if (error instanceof InTheWay) return conflict(error.paths);
    throw error;
  }
}

/** The changes at these paths or below them. */
function choose(changes: readonly TreeChange[], paths: readonly string[]): Result<TreeChange[], Rejection> {
  const unknown = paths.find((place) => !changes.some(({ path }) => isAt(path, place)));
  if (unknown !== undefined) {
    const message = `The turn did not change ${pathText(unknown)}; name files that it changed, relative to the top of the repository`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "paths", message }] });
  }
  return ok(changes.filter(({ path }) => paths.some((place) => isAt(path, place))));
}

function conflict(paths: readonly string[]): Result<never, Rejection> {
  const files = [...new Set(paths.map(pathText))].sort();
  return reject(
    "REVERT_CONFLICT",
    `${someOf(files)} changed after that turn; choose other files, or revert with \`force\` to lose those changes`,
    { files },
  );
}
