import { pathBytes, type Rejection, type Result, reject } from "@drover/core";
import { hasBranch, type MergePlace, openTree } from "../git/merge-work.ts";
import type { Repository } from "../git/repository.ts";
import { type SessionWorkspace, StoreError, type WorkspacePlace } from "../ports.ts";
import { isThere, missing, refusal, type WorkspaceDeps } from "./comparison.ts";
import { notAWorktree, refused } from "./merge-rejections.ts";
import { Patience } from "./patience.ts";
import { recordedTree } from "./recorded-tree.ts";
import { RepositoryLocked, type RepositoryLocks } from "./repository-lock.ts";

export type Answer<T> = Promise<Result<T, Rejection>>;

/** Runs git for worktrees that must still be there. */
export interface MergePlaces {
  looking<T>(session: WorkspacePlace, work: (place: MergePlace) => Answer<T>): Answer<T>;
  /** For as long as a change may take. */
  lookingPatiently<T>(session: WorkspacePlace, work: (place: MergePlace) => Answer<T>): Answer<T>;
  /** One change at a time in each repository. */
  changing<T>(session: WorkspacePlace, work: (place: MergePlace) => Answer<T>): Answer<T>;
}

export interface TreeWork<T> {
  readonly limitMs: number;
  readonly work: (place: MergePlace) => Answer<T>;
}

/** Runs git for a worktree that must still be there. */
export async function inTree<T>(
  deps: WorkspaceDeps,
  { cwd, workspace }: WorkspacePlace,
  { limitMs, work }: TreeWork<T>,
): Answer<T> {
  const { environment, scratch } = deps;
  const tree = recordedTree(workspace);
  if (!tree || !workspace.repository) return notAWorktree(workspace.path);
  if (!(await isThere(workspace.path))) return missing(cwd);
  using patience = new Patience(limitMs);
  const { signal } = patience;
  const branch = workspace.branch === undefined ? undefined : pathBytes(workspace.branch);
  const { top: mainTop } = workspace.repository;
  try {
    return await work({ cwd: tree.top, tree, mainTop, branch, environment, scratch, signal });
  } catch (error) {
    // From the caller's own part of the work.
    if (error instanceof StoreError) throw error;
    return refusal(error, cwd, { ...deps, gitTimeoutMs: limitMs });
  }
}

export function mergePlaces(deps: WorkspaceDeps, locks: RepositoryLocks): MergePlaces {
  const { worktreeTimeoutMs } = deps;
  return {
    looking: (session, work) => inTree(deps, session, { limitMs: deps.gitTimeoutMs, work }),
    lookingPatiently: (session, work) => inTree(deps, session, { limitMs: worktreeTimeoutMs, work }),
    changing: async (session, work) => {
      const { repository, path } = session.workspace;
      if (!repository) return notAWorktree(path);
      try {
        return await locks.run(repository.gitDirectory, worktreeTimeoutMs, () =>
          inTree(deps, session, { limitMs: worktreeTimeoutMs, work }),
        );
      } catch (error) {
        if (error instanceof RepositoryLocked) {
          return refused("locked", `${error.message}; wait for it to finish, then try again`);
        }
        if (error instanceof StoreError) throw error;
        const message = `The repository ${repository.gitDirectory} can't be used: ${String(error)}; put it back, then try again`;
        return reject("NOT_FOUND", message, { what: "repository" });
      }
    },
  };
}

/** The branch that a base names, if it still exists. */
export async function baseBranch(
  place: MergePlace,
  workspace: SessionWorkspace,
): Promise<string | undefined> {
  await using repository = await openTree(place);
  return baseBranchIn(repository, workspace);
}

export async function baseBranchIn(
  repository: Pick<Repository, "refs">,
  { base }: SessionWorkspace,
): Promise<string | undefined> {
  const name = base?.ref.replace(/^(refs\/)?heads\//, "");
  if (name === undefined || name === "HEAD") return undefined;
  return (await hasBranch(repository, pathBytes(name))) ? name : undefined;
}

export const namesOf = (
  { path, branch, base }: SessionWorkspace,
  other: string,
  verb: "merge" | "update",
) => ({
  ...{ session: branch ?? path, top: path, branch: other, verb, base: base?.commit },
});
