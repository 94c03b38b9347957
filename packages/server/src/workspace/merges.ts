import { mkdir, realpath, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ok, pathBytes, pathText, type Rejection, type Result } from "@drover/core";
import { commitsSince, summarizeWork, tryMerge } from "../git/merge.ts";
import { hasBranch, type MergePlace, NotMerged } from "../git/merge-work.ts";
import * as git from "../git/merge-write.ts";
import { ForgedTree } from "../git/tree.ts";
import * as updates from "../git/update.ts";
import type { Merges, PlannedUpdate, SessionWorkspace, WorkspacePlace } from "../ports.ts";
import { isThere, missing, refusal, type WorkspaceDeps } from "./comparison.ts";
import { explainNotMerged, notAWorktree, unnamedTarget } from "./merge-rejections.ts";
import { Patience } from "./patience.ts";
import { recordedTree } from "./recorded-tree.ts";
import type { RepositoryLocks } from "./repository-lock.ts";
import { unresolved } from "./unresolved.ts";
import { CHECKS_FOLDER, FOLDER } from "./worktree-files.ts";

/** The most commits that are listed. */
const maxCommits = 200;
/** How often a merge is built again because a branch has moved meanwhile. */
const maxTries = 3;

type Answer<T> = Promise<Result<T, Rejection>>;

/** Merges with git, in the worktrees that Drover made. */
export function worktreeMerges(deps: WorkspaceDeps, locks: RepositoryLocks): Merges {
  const { environment, scratch } = deps;

  /** Runs git for a worktree that must still be there. */
  async function inTree<T>(
    { cwd, workspace }: WorkspacePlace,
    limitMs: number,
    work: (place: MergePlace) => Answer<T>,
  ): Answer<T> {
    const tree = recordedTree(workspace);
    if (!tree || !workspace.repository) return notAWorktree(workspace.path);
    if (!(await isThere(workspace.path))) return missing(cwd);
    using patience = new Patience(limitMs);
    const { signal } = patience;
    const { top: mainTop } = workspace.repository;
    try {
      return await work({ cwd: tree.top, tree, mainTop, environment, scratch, signal });
    } catch (error) {
      return refusal(error, cwd, deps);
    }
  }

  const looking = <T>(place: WorkspacePlace, work: (place: MergePlace) => Answer<T>) =>
    inTree(place, deps.gitTimeoutMs, work);

  /** One change at a time in each repository. */
  function changing<T>(place: WorkspacePlace, work: (place: MergePlace) => Answer<T>): Answer<T> {
    const { repository } = place.workspace;
    if (!repository) return Promise.resolve(notAWorktree(place.workspace.path));
    const { worktreeTimeoutMs } = deps;
    return locks.run(repository.gitDirectory, worktreeTimeoutMs, () =>
      inTree(place, worktreeTimeoutMs, work),
    );
  }

  async function mergeability({ workspace }: WorkspacePlace, place: MergePlace, into: string) {
    try {
      const { checkout, ...tried } = await tryMerge(place, { into: pathBytes(into) });
      const conflicts = tried.conflicts.map(pathText);
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
    const into = wanted ?? (await baseBranch(place, workspace));
    const commit = update?.target;
    try {
      const { tree: work, ...summary } = await summarizeWork(place, { base, update: commit });
      const tried =
        into === undefined ? undefined : await tryMerge(place, { into: pathBytes(into), update: commit });
      const left = update ? await unresolved(workspace.path, update.conflicts.map(pathBytes)) : [];
      const conflicts = tried?.conflicts.map(pathText) ?? [];
      return ok({
        ...{ ...(into === undefined ? {} : { into }), ...summary, behind: tried?.behind ?? 0, work },
        ...(conflicts.length > 0 ? { conflicts } : {}),
        ...(left.length > 0 ? { unresolved: left.map(pathText) } : {}),
      });
    } catch (error) {
      return explainNotMerged(error, namesOf(workspace, into ?? "", "merge"));
    }
  }

  const checkOut: Merges["checkOut"] = (session, { into, update, ...order }) =>
    changing(session, async (place) => {
      const { workspace } = session;
      const directory = join(place.mainTop, FOLDER, CHECKS_FOLDER, basename(workspace.path));
      const remove = () => rm(directory, { recursive: true, force: true });
      try {
        if (update) await refuseMarkers(workspace, update);
        await refuseLinked(place.mainTop);
        await remove();
        await mkdir(directory, { recursive: true });
        const full = { ...order, into: pathBytes(into ?? ""), update: update?.target };
        return ok({ tree: await git.exportMerge(place, full, directory), directory, remove });
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
        if (update) await refuseMarkers(workspace, update);
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

  const update: Merges["update"] = (session, { from: wanted, workMessage }, begin) =>
    changing(session, async (place) => {
      const { workspace } = session;
      const from = wanted ?? (await baseBranch(place, workspace));
      if (from === undefined) return unnamedTarget(workspace.base?.ref, "from");
      const message = `Merge ${from} into ${workspace.branch ?? "the session"}\n`;
      try {
        const plan = await updates.planUpdate(place, { from: pathBytes(from), message, workMessage });
        const { target, commit } = plan;
        const conflicts = plan.conflicts.map(pathText);
        const planned = { from, target, conflicts, plan, ...(commit === undefined ? {} : { commit }) };
        await begin(planned);
        if (!(await updates.applyUpdate(place, plan))) throw new NotMerged("moved");
        return ok(planned);
      } catch (error) {
        return explainNotMerged(error, namesOf(workspace, from, "update"));
      }
    });

  return {
    mergeability: (session, { into: wanted }) =>
      looking(session, async (place) => {
        const into = wanted ?? (await baseBranch(place, session.workspace));
        if (into === undefined) return unnamedTarget(session.workspace.base?.ref, "into");
        return mergeability(session, place, into);
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
    facts: (session, { into }, unfinished) =>
      looking(session, (place) => facts(session, place, { into, update: unfinished })),
    merge,
    checkOut,
    settle: async (session, { plan }) => {
      const planned = plan as git.PlannedMerge;
      const settled = await changing(session, async (place) => {
        if (!(await git.isMoved(place, planned))) return ok(false);
        await git.followMerge(place, planned);
        return ok(true);
      });
      if (!settled.ok) throw new Error(settled.error.message);
      return settled.value;
    },
    update,
    repeatUpdate: async (session, { plan }) => {
      const repeated = await changing(session, async (place) =>
        ok(await updates.applyUpdate(place, plan as updates.PlannedUpdate)),
      );
      if (!repeated.ok) throw new Error(repeated.error.message);
      return repeated.value;
    },
    finishUpdate: (session, { from, target, conflicts }) =>
      changing(session, async (place) => {
        const { workspace } = session;
        if ((await unresolved(workspace.path, conflicts.map(pathBytes))).length > 0) return ok(undefined);
        const message = `Merge ${from} into ${workspace.branch ?? "the session"}\n`;
        try {
          return ok(await updates.finishUpdate(place, { target, message }));
        } catch (error) {
          return explainNotMerged(error, namesOf(workspace, from, "update"));
        }
      }),
  };
}

const namesOf = ({ path, branch }: SessionWorkspace, other: string, verb: "merge" | "update") => ({
  ...{ session: branch ?? path, top: path, branch: other, verb },
});

/** Worktrees and checks lie below the top, and not behind a link that someone put there. */
async function refuseLinked(mainTop: string): Promise<void> {
  for (const path of [join(mainTop, FOLDER), join(mainTop, FOLDER, CHECKS_FOLDER)]) {
    const found = await realpath(path).catch(() => path);
    if (found !== path) throw new ForgedTree(`${path} leads to ${found}`);
  }
}

/** Markers that an update left must not be merged. */
async function refuseMarkers({ path }: SessionWorkspace, { conflicts }: PlannedUpdate): Promise<void> {
  const left = await unresolved(path, conflicts.map(pathBytes));
  if (left.length > 0) throw new NotMerged("conflicts", "conflicts", left);
}

/** A commit may claim any time, even one that no date can hold. */
function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

/** The branch that a base names, if it still exists. */
async function baseBranch(place: MergePlace, { base }: SessionWorkspace): Promise<string | undefined> {
  const name = base?.ref.replace(/^(refs\/)?heads\//, "");
  if (name === undefined || name === "HEAD") return undefined;
  return (await hasBranch(place, pathBytes(name))) ? name : undefined;
}
