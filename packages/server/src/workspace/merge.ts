import {
  type CommitList,
  type Mergeability,
  ok,
  pathBytes,
  pathText,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import { NotCommitted } from "../git/commit.ts";
import { commitsSince, hasBranch, type MergePlace, NotMerged, tryMerge } from "../git/merge.ts";
import type { GitPlace } from "../git/repository.ts";
import type { WorkspacePlace } from "../ports.ts";
import { explainNotCommitted } from "./commit.ts";
import type { Patience } from "./patience.ts";
import { recordedTree } from "./recorded-tree.ts";

type Means = Pick<GitPlace, "environment" | "scratch"> & { readonly patience: Patience };

/** The most commits that are listed. */
const maxCommits = 200;

/** What merging the work of a session would do. Changes nothing; throws what git cannot do. */
export async function mergeability(
  means: Means,
  { workspace }: WorkspacePlace,
  wanted: string | undefined,
): Promise<Result<Mergeability, Rejection>> {
  const place = placeOf(means, workspace);
  if (!place) return notAWorktree(workspace.path);
  const into = wanted ?? (await baseBranch(place, workspace.base?.ref));
  if (into === undefined) return unnamed(workspace.base?.ref);
  try {
    const { conflicts, ahead, behind, checkout } = await tryMerge(place, pathBytes(into));
    return ok({
      ...{ into, mergeable: conflicts.length === 0, conflicts: conflicts.map(pathText), ahead, behind },
      ...(checkout && { checkout: { path: checkout.top, inTheWay: checkout.inTheWay.map(pathText) } }),
    });
  } catch (error) {
    if (error instanceof NotMerged) return explain(error, into);
    if (!(error instanceof NotCommitted)) throw error;
    return explainNotCommitted(error, error.paths.map(pathText), workspace.path);
  }
}

/** The commits of a session beyond its base. */
export async function commitList(
  means: Means,
  { workspace }: WorkspacePlace,
): Promise<Result<CommitList, Rejection>> {
  const place = placeOf(means, workspace);
  const base = workspace.base?.commit;
  if (!place || base === undefined) return notAWorktree(workspace.path);
  const found = await commitsSince(place, { base, limit: maxCommits + 1 });
  const commits = found.slice(0, maxCommits).map(({ time, ...rest }) => ({ ...rest, at: moment(time) }));
  return ok({ commits, ...(found.length > maxCommits ? { incomplete: true } : {}) });
}

/** A commit may claim any time, even one that no date can hold. */
function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

function placeOf(
  { environment, scratch, patience }: Means,
  workspace: WorkspacePlace["workspace"],
): MergePlace | undefined {
  const tree = recordedTree(workspace);
  if (!tree || !workspace.repository) return undefined;
  const { signal } = patience;
  return { cwd: tree.top, tree, mainTop: workspace.repository.top, environment, scratch, signal };
}

/** The branch that a base names, if it still exists. */
async function baseBranch(place: MergePlace, ref: string | undefined): Promise<string | undefined> {
  const name = ref?.replace(/^(refs\/)?heads\//, "");
  if (name === undefined || name === "HEAD") return undefined;
  return (await hasBranch(place, pathBytes(name))) ? name : undefined;
}

function unnamed(ref: string | undefined): Result<never, Rejection> {
  const base = ref === undefined ? "The session's base" : `The session's base (${ref})`;
  const message = `${base} is not a branch; name the branch to merge into with \`into\``;
  return reject("BAD_REQUEST", message, { issues: [{ path: "into", message }] });
}

const notAWorktree = (path: string) =>
  reject(
    "UNSUPPORTED",
    `The session works in ${path} itself, so there is nothing to merge; start a session in a worktree for that`,
    { what: "worktree" },
  );

function explain({ reason, message: detail }: NotMerged, into: string): Result<never, Rejection> {
  switch (reason) {
    case "unknown_branch":
      return reject("NOT_FOUND", `There is no branch "${into}"; list branches with \`git branch\``, {
        what: "branch",
      });
    case "own_branch": {
      const message = `${into} is the session's own branch; name the branch to merge into`;
      return reject("BAD_REQUEST", message, { issues: [{ path: "into", message }] });
    }
    case "unrelated": {
      const message = `${into} and the session have no commit in common; merge them with git`;
      return reject("UNSUPPORTED", message, { what: "merge" });
    }
    case "old_git": {
      const message = `Merging needs git 2.38 or newer, and this is ${detail}; update git`;
      return reject("UNSUPPORTED", message, { what: "git" });
    }
  }
}
