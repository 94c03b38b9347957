import { ok, pathBytes, pathText } from "@drover/core";
import { type MergePlace, NotMerged } from "../git/merge-work.ts";
import * as git from "../git/update.ts";
import type { Merges, PlannedUpdate } from "../ports.ts";
import { baseBranch, type MergePlaces, namesOf } from "./merge-places.ts";
import { explainNotMerged, unnamedTarget } from "./merge-rejections.ts";
import { withMarkers } from "./with-markers.ts";

/** Brings the commits of other branches into worktrees. */
export function worktreeUpdates({
  changing,
}: MergePlaces): Pick<Merges, "update" | "repeatUpdate" | "finishUpdate"> {
  return {
    update: (session, { from: wanted, workMessage }, begin) =>
      changing(session, async (place) => {
        const { workspace } = session;
        const from = wanted ?? (await baseBranch(place, workspace));
        if (from === undefined) return unnamedTarget(workspace.base?.ref, "from");
        const message = `Merge ${from} into ${workspace.branch ?? "the session"}\n`;
        try {
          const plan = await git.planUpdate(place, { from: pathBytes(from), message, workMessage });
          const { target, commit } = plan;
          const conflicts = plan.conflicts.map(pathText);
          const planned = { from, target, conflicts, plan, ...(commit === undefined ? {} : { commit }) };
          await begin(planned);
          if (!(await git.applyUpdate(place, plan))) throw new NotMerged("moved");
          return ok(planned);
        } catch (error) {
          return explainNotMerged(error, namesOf(workspace, from, "update"));
        }
      }),
    repeatUpdate: (session, { from, plan }) =>
      changing(session, async (place) => {
        try {
          return ok(await git.applyUpdate(place, plan as git.PlannedUpdate));
        } catch (error) {
          return explainNotMerged(error, namesOf(session.workspace, from, "update"));
        }
      }),
    finishUpdate: (session, update) =>
      changing(session, async (place) => {
        const { workspace } = session;
        const { from, target } = update;
        const message = `Merge ${from} into ${workspace.branch ?? "the session"}\n`;
        try {
          if ((await unresolved(place, update)).length > 0) return ok(undefined);
          return ok(await git.finishUpdate(place, { target, message }));
        } catch (error) {
          return explainNotMerged(error, namesOf(workspace, from, "update"));
        }
      }),
  };
}

/**
 * The files of an update whose conflicts are not resolved; Latin 1 stands for bytes. A binary file, or one that a side
 * has deleted, gets no markers: as long as it is as the update has written it, only an agent that was asked to resolve
 * the conflicts may have decided about it.
 */
export async function unresolved(
  place: MergePlace,
  { conflicts, plan, isAnswered = false }: PlannedUpdate,
): Promise<string[]> {
  const paths = conflicts.map(pathBytes);
  const { tree } = plan as git.PlannedUpdate;
  const untouched = isAnswered ? [] : await git.untouched(place, { tree, paths });
  const marked = await withMarkers(place.tree.top, paths);
  return [...new Set([...marked, ...untouched])].sort();
}
