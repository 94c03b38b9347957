import { err, ok, type Rejection, type Result, reject, shellWord } from "@drover/core";
import { RefBlocked } from "../git/refs.ts";
import { ForgedTree } from "../git/tree.ts";
import type { GitMeans } from "../git/worktree.ts";
import type {
  MadeWorkspace,
  MovedRepository,
  SessionWorkspace,
  WorkspaceManager,
  WorktreeUpkeep,
} from "../ports.ts";
import { isThere } from "./comparison.ts";
import { moveNested } from "./move-nested.ts";
import { GitTimeout, Patience } from "./patience.ts";
import { hasPorts, releasePorts } from "./port-blocks.ts";
import { RepositoryLocked } from "./repository-lock.ts";
import { dropEmptyBranch, type Leaving } from "./worktree-branch.ts";
import { inspectWorktree } from "./worktree-condition.ts";
import {
  forged,
  make,
  ownPorts,
  type Plan,
  plan,
  repositoryOf,
  type WorktreeDeps,
  withPorts,
} from "./worktree-create.ts";
import { failure, WorktreeFailed } from "./worktree-failure.ts";
import { removeWorktree } from "./worktree-files.ts";
import { includeFiles } from "./worktree-include.ts";
import { keepWork } from "./worktree-keep.ts";
import { noticesFor } from "./worktree-notices.ts";
import { restoreWorktree } from "./worktree-restore.ts";
import { worktreeUpkeep } from "./worktree-upkeep.ts";

/** A separate checkout for each session, on its own branch, below the top of the repository. */
export function worktrees(deps: WorktreeDeps): WorkspaceManager & WorktreeUpkeep {
  const { git, locks } = deps;

  /** One at a time in each repository. Time spent waiting for others does not count. */
  const exclusively = <T>(gitDirectory: string, work: (means: GitMeans) => Promise<T>): Promise<T> =>
    locks.run(gitDirectory, git.worktreeTimeoutMs, async () => {
      using patience = new Patience(git.worktreeTimeoutMs);
      return await work({ environment: git.environment, signal: patience.signal });
    });

  const locked = <T>({ repository }: SessionWorkspace, work: (means: GitMeans) => Promise<T>): Promise<T> => {
    if (!repository) throw new Error("A worktree without a repository");
    return exclusively(repository.gitDirectory, work);
  };

  async function discard(
    workspace: SessionWorkspace,
    leaving: Leaving,
    means: GitMeans,
  ): Promise<MovedRepository[]> {
    const moved = await moveNested(git, workspace, means);
    await removeWorktree(workspace);
    await releasePorts(deps.ports(), workspace);
    await dropEmptyBranch(workspace, leaving, means);
    return moved;
  }

  async function makeOrDiscard(planned: Plan, means: GitMeans): Promise<MadeWorkspace> {
    try {
      return await make(deps, planned, means);
    } catch (error) {
      // Git may have used up its time; cleaning up gets its own.
      using patience = new Patience(git.worktreeTimeoutMs);
      if (planned.existing !== "tree") {
        const { isNewBranch, ...rest } = planned.workspace;
        const attempted = { ...rest, ...(isNewBranch && !isBranchInUse(error) ? { isNewBranch } : {}) };
        await discard(attempted, "failed", { ...means, signal: patience.signal });
      }
      throw error;
    }
  }

  async function create(...[wanted, begin]: Parameters<WorkspaceManager["create"]>) {
    const found = await repositoryOf(deps, wanted);
    if (!found.ok) return found;
    return exclusively(found.value.tree.gitDirectory, async (means) => {
      const draft = await plan(wanted, found.value, means);
      const planned = draft.ok ? await withPorts(deps, draft.value) : draft;
      if (!planned.ok) return planned;
      if (planned.value.existing !== "tree") await begin(planned.value.workspace);
      const made = await makeOrDiscard(planned.value, means);
      const { workspace } = made;
      const from = found.value.tree;
      const notices = await noticesFor(git, { from, workspace }, means);
      if (wanted.trusted && planned.value.existing !== "tree") {
        notices.push(
          ...(await includeFiles(git, { from: from.top, to: workspace.path }, means).catch(noNotices)),
        );
      }
      return ok({ ...made, notices });
    });
  }

  const upkeep = worktreeUpkeep(deps, exclusively);
  return {
    mode: "worktree",
    create: (wanted, begin) => explained(deps, wanted.directory, create(wanted, begin)),
    inspect: inspectWorktree,
    restore: (place) =>
      explained(
        deps,
        place.workspace.path,
        locked(place.workspace, async (means) => ok(await restoreWorktree(deps, place, means))),
      ),
    async ports(workspace) {
      if (workspace.ports && (await hasPorts(deps.ports(), workspace))) return ok(workspace.ports);
      return explained(
        deps,
        workspace.path,
        locked(workspace, () => ownPorts(deps, workspace)),
      );
    },
    // Without the repository nothing is compared, kept or removed: the files stay.
    keep: async (workspace, options) =>
      (await hasRepository(workspace))
        ? locked(workspace, (means) => keepWork(git, workspace, { ...options, means })).catch(refBlocked)
        : ok(undefined),
    async destroy(workspace, { isUnused }) {
      if (!(await hasRepository(workspace))) return [];
      return await locked(workspace, (means) => discard(workspace, isUnused ? "unused" : "used", means));
    },
    ...upkeep,
    reopen: (kept, begin) => explained(deps, kept.repository, upkeep.reopen(kept, begin)),
    ...deps.comparison,
  };
}

const noNotices = () => [];

const hasRepository = async ({ repository }: SessionWorkspace): Promise<boolean> =>
  repository !== undefined && (await isThere(repository.gitDirectory));

function refBlocked(error: unknown): Result<never, Rejection> {
  if (error instanceof RefBlocked) {
    const message = `${error.message}, so the work can't be kept; see what is in its way with \`git for-each-ref refs/drover\` and rename that`;
    return reject("WORKSPACE_DIRTY", message, { files: [] });
  }
  if (error instanceof ForgedTree) {
    const message = `The work can't be kept: ${error.message}; remove that, then try again`;
    return reject("WORKSPACE_DIRTY", message, { files: [] });
  }
  throw error;
}

/** Someone else made the branch, or one whose name is in the way. */
const isBranchInUse = (error: unknown): boolean =>
  error instanceof WorktreeFailed && error.rejection.facts?.["reason"] === "branch_in_use";

/** Turns known failures into rejections. */
async function explained<T>(
  { git }: WorktreeDeps,
  directory: string,
  work: Promise<Result<T, Rejection>>,
): Promise<Result<T, Rejection>> {
  try {
    return await work.catch(forged);
  } catch (error) {
    if (error instanceof WorktreeFailed) return err(error.rejection);
    if (error instanceof RepositoryLocked) {
      const facts = { reason: "git_locked", path: error.path } as const;
      return err(failure(`${error.message}, and does not finish.`, `rm ${shellWord(error.path)}`, facts));
    }
    if (error instanceof GitTimeout) {
      const message = `Git took longer than ${git.worktreeTimeoutMs} ms; raise worktrees.timeout, or find out why.`;
      const facts = { reason: "timeout", path: directory } as const;
      return err(failure(message, `git -C ${shellWord(directory)} gc`, facts));
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !diskCodes.has(code)) throw error;
    const detail = (error as Error).message;
    const message = `The worktree could not be written: ${detail}.`;
    return err(
      failure(message, `df -h ${shellWord(directory)}`, { reason: "disk", path: directory, detail }),
    );
  }
}

const diskCodes = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO"]);
