import type { Stats } from "node:fs";
import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, join } from "node:path";
import { ok, pathBytes, pathText } from "@drover/core";
import { commitsSince, keepWork, summarizeWork, tryMerge, withWork } from "../git/merge.ts";
import { type MergePlace, NotMerged, workId } from "../git/merge-work.ts";
import * as git from "../git/merge-write.ts";
import { ForgedTree } from "../git/tree.ts";
import type { Merges, PlannedUpdate, WorkspacePlace } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { baseBranch, baseBranchIn, mergePlaces, namesOf } from "./merge-places.ts";
import { explainNotMerged, notAWorktree, unnamedTarget } from "./merge-rejections.ts";
import type { RepositoryLocks } from "./repository-lock.ts";
import { unresolved, worktreeUpdates } from "./updates.ts";
import { CHECKS_FOLDER, FOLDER, removeTree } from "./worktree-files.ts";

/** The most commits that are listed. */
const maxCommits = 200;
/** How often a merge is built again because a branch has moved meanwhile. */
const maxTries = 3;

/** Merges with git, in the worktrees that Drover made. */
export function worktreeMerges(deps: WorkspaceDeps, locks: RepositoryLocks): Merges {
  const places = mergePlaces(deps, locks);
  const { looking, lookingPatiently, changing } = places;

  async function mergeability(
    { workspace }: WorkspacePlace,
    place: MergePlace,
    { into: wanted, update }: { into: string | undefined; update: PlannedUpdate | undefined },
  ) {
    const into = wanted ?? (await baseBranch(place, workspace));
    if (into === undefined) return unnamedTarget(workspace.base?.ref, "into");
    try {
      const { checkout, ...tried } = await withWork(place, update?.target, (work) =>
        tryMerge(work, pathBytes(into)),
      );
      const left = update ? await unresolved(place, update) : [];
      const conflicts = [...new Set([...tried.conflicts, ...left])].map(pathText);
      return ok({
        ...{ into, mergeable: conflicts.length === 0, conflicts, ahead: tried.ahead, behind: tried.behind },
        ...(checkout && { checkout: { path: checkout.top, inTheWay: checkout.inTheWay.map(pathText) } }),
      });
    } catch (error) {
      return explainNotMerged(error, namesOf(workspace, into, "merge"));
    }
  }

  async function facts(
    { workspace }: WorkspacePlace,
    place: MergePlace,
    { into: wanted, update }: { into: string | undefined; update: PlannedUpdate | undefined },
  ) {
    const base = workspace.base?.commit;
    if (base === undefined) return notAWorktree(workspace.path);
    try {
      const { into, tree, conflicts, ...summary } = await withWork(place, update?.target, async (work) => {
        const into = wanted ?? (await baseBranchIn(work.repository, workspace));
        const named = into === undefined ? {} : { into: pathBytes(into) };
        return { ...(await summarizeWork(work, { base, ...named })), into };
      });
      const left = update ? await unresolved(place, update) : [];
      return ok({
        ...{ ...(into === undefined ? {} : { into }), ...summary, work: workId(tree, summary.base) },
        ...(conflicts.length > 0 ? { conflicts: conflicts.map(pathText) } : {}),
        ...(left.length > 0 ? { unresolved: left.map(pathText) } : {}),
      });
    } catch (error) {
      return explainNotMerged(error, namesOf(workspace, wanted ?? workspace.base?.ref ?? "", "merge"));
    }
  }

  const checkOut: Merges["checkOut"] = (session, { into, update, ...order }) =>
    changing(session, async (place) => {
      const { workspace } = session;
      const directory = join(place.mainTop, FOLDER, CHECKS_FOLDER, basename(workspace.path));
      try {
        if (update) await refuseUnresolved(place, update);
        await refuseLinked(place.mainTop);
        await removeTree(directory);
        await mkdir(directory, { recursive: true });
        const made = await lstat(directory);
        const isInPlace = () => leadsTo(directory, made);
        const remove = async () => {
          if (await isInPlace()) await removeTree(directory);
        };
        const full = { ...order, into: pathBytes(into ?? ""), update: update?.target };
        const tree = await git.exportMerge(place, full, directory);
        return ok({ tree, directory, isInPlace, remove });
      } catch (error) {
        return explainNotMerged(error, namesOf(workspace, into ?? "", "merge"));
      }
    });

  const merge: Merges["merge"] = (session, { into: wanted, update, sessionId, ...order }, begin) =>
    changing(session, async (place) => {
      const { workspace } = session;
      const into = wanted ?? (await baseBranch(place, workspace));
      if (into === undefined) return unnamedTarget(workspace.base?.ref, "into");
      try {
        if (update) await refuseUnresolved(place, update);
        for (let tries = maxTries; tries > 0; tries -= 1) {
          const full = { ...order, into: pathBytes(into), update: update?.target };
          const plan = await git.planMerge(place, full);
          const planned = { into, commit: plan.commit, plan };
          await begin(planned);
          const keep =
            order.strategy === "squash" ? `refs/drover/${sessionId}/merged/${plan.commit}` : undefined;
          if (!(await git.moveBranches(place, plan, keep))) continue;
          await git.followMerge(place, plan);
          return ok(planned);
        }
        throw new NotMerged("moved");
      } catch (error) {
        return explainNotMerged(error, namesOf(workspace, into, "merge"));
      }
    });

  return {
    mergeability: (session, { into }, update) =>
      looking(session, (place) => mergeability(session, place, { into, update })),
    work: (session, update) =>
      looking(session, async (place) => {
        try {
          return ok(await keepWork(place, update?.target));
        } catch (error) {
          return explainNotMerged(error, namesOf(session.workspace, "", "merge"));
        }
      }),
    commits: (session) =>
      looking(session, async (place) => {
        const base = session.workspace.base?.commit;
        if (base === undefined) return notAWorktree(session.workspace.path);
        const found = await commitsSince(place, { base, limit: maxCommits + 1 });
        const commits = found
          .slice(0, maxCommits)
          .map(({ time, ...rest }) => ({ ...rest, at: moment(time) }));
        return ok({ commits, ...(found.length > maxCommits ? { incomplete: true as const } : {}) });
      }),
    target: (session, wanted) =>
      looking(session, async (place) => {
        const into = wanted ?? (await baseBranch(place, session.workspace));
        return into === undefined ? unnamedTarget(session.workspace.base?.ref, "into") : ok(into);
      }),
    facts: (session, { into, isPatient }, unfinished) =>
      (isPatient ? lookingPatiently : looking)(session, (place) =>
        facts(session, place, { into, update: unfinished }),
      ),
    merge,
    checkOut,
    settle: (session, { into, plan }) =>
      changing(session, async (place) => {
        const planned = plan as git.PlannedMerge;
        try {
          if (!(await git.isMoved(place, planned))) return ok(false);
          await git.followMerge(place, planned);
          return ok(true);
        } catch (error) {
          return explainNotMerged(error, namesOf(session.workspace, into, "merge"));
        }
      }),
    ...worktreeUpdates(places),
  };
}

/** Worktrees and checks lie below the top, and not behind a link that someone put there. */
async function refuseLinked(mainTop: string): Promise<void> {
  for (const path of [join(mainTop, FOLDER), join(mainTop, FOLDER, CHECKS_FOLDER)]) {
    const found = await realpath(path).catch(() => path);
    if (found !== path) throw new ForgedTree(`${path} leads to ${found}`);
  }
}

/** Whether a path leads to this directory, without links. */
async function leadsTo(path: string, { dev, ino }: Stats): Promise<boolean> {
  const [real, now] = await Promise.all([realpath(path), lstat(path)]).catch(() => []);
  return real === path && now?.dev === dev && now.ino === ino;
}

/** What an update left must not be merged. */
async function refuseUnresolved(place: MergePlace, update: PlannedUpdate): Promise<void> {
  const left = await unresolved(place, update);
  if (left.length > 0) throw new NotMerged("conflicts", "conflicts", left);
}

/** A commit may claim any time, even one that no date can hold. */
function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
