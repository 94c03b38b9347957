import { pathText, type Rejection, type Result, reject, shellWord } from "@drover/core";
import { NotCommitted } from "../git/commit.ts";
import { IndexLocked } from "../git/index-lock.ts";
import { NotMerged } from "../git/merge-work.ts";
import { ForgedTree } from "../git/tree.ts";
import { explainNotCommitted } from "./commit.ts";
import { filesThat, someOf } from "./words.ts";

/** Which merge it is about, in words. */
export interface MergeNames {
  readonly session: string;
  readonly top: string;
  /** The branch that is merged into, or from. */
  readonly branch: string;
  readonly verb: "merge" | "update";
  /** The last commit that the session is known to have had. */
  readonly base: string | undefined;
}

/** Why there is no merge, and what to do about it. Throws errors that are nobody's fault. */
export function explainNotMerged(error: unknown, names: MergeNames): Result<never, Rejection> {
  if (error instanceof NotCommitted) {
    return explainNotCommitted(error, error.paths.map(pathText), names.top);
  }
  if (error instanceof IndexLocked) {
    const next = `wait for the other git, or remove ${error.lock} if none is running`;
    return refused("locked", `An index is locked; ${next}`);
  }
  if (error instanceof ForgedTree) return refused("links", `${error.message}; remove that, then try again`);
  if (!(error instanceof NotMerged)) throw error;
  return explain(error, names);
}

function explain(
  { reason, message: detail, paths }: NotMerged,
  { session, top, branch, verb, base }: MergeNames,
): Result<never, Rejection> {
  const files = paths.map(pathText);
  const field = verb === "merge" ? "into" : "from";
  switch (reason) {
    case "unknown_branch":
      return reject("NOT_FOUND", `There is no branch "${branch}"; list branches with \`git branch\``, {
        what: "branch",
      });
    case "own_branch": {
      const message = `${branch} is the session's own branch; name another one`;
      return reject("BAD_REQUEST", message, { issues: [{ path: field, message }] });
    }
    case "other_branch": {
      const next = `switch back: \`git -C ${shellWord(top)} switch ${shellWord(session)}\`, or ${verb} with git`;
      const message = `The worktree is on ${pathText(detail)}, and Drover moves no branch but its own ${session}; ${next}`;
      return refused(reason, message);
    }
    case "no_branch": {
      const next = `create it again: \`git -C ${shellWord(top)} branch ${shellWord(session)} ${base ?? "COMMIT"}\``;
      return refused(reason, `The session's branch ${session} was deleted; ${next}`);
    }
    case "unrelated": {
      const message = `${branch} and the session have no commit in common; merge them with git`;
      return reject("UNSUPPORTED", message, { what: "merge" });
    }
    case "old_git": {
      const message = `Merging needs git 2.38 or newer, and this is ${detail}; update git`;
      return reject("UNSUPPORTED", message, { what: "git" });
    }
    case "conflicts": {
      const next = `update the session from ${branch}, resolve the conflicts there, then merge`;
      return reject(
        "MERGE_CONFLICT",
        `${filesThat(files, "conflicts", "conflict")} with ${branch}; ${next}`,
        { files },
      );
    }
    case "nothing": {
      const message =
        verb === "merge"
          ? `${branch} has all of the session's work; there is nothing to merge`
          : `The session has all of ${branch}; there is nothing to update`;
      return reject("NOTHING_TO_MERGE", message);
    }
    case "in_the_way": {
      const message = `${someOf(files)} in ${detail} would be overwritten; commit, move or remove that first`;
      return reject("CHECKOUT_IN_THE_WAY", message, { files, path: detail });
    }
    case "busy": {
      const next = `finish it, or switch the other working tree to another branch: \`git -C ${shellWord(detail)} status\``;
      return refused(
        "busy",
        `Git is in the middle of something on ${branch}, or several working trees are on it; ${next}`,
      );
    }
    case "filter": {
      const message = `${filesThat(files, "goes", "go")} through a filter such as Git LFS, which Drover does not run; ${verb} with git`;
      return refused(reason, message, files);
    }
    case "symbolic":
      return refused(
        reason,
        `${branch} stands for another branch; name that one: \`git symbolic-ref refs/heads/${branch}\``,
      );
    case "stale":
      return refused(reason, `The result has changed since it was checked; try again`);
    case "changed":
      return reject(
        "INPUT_CHANGED",
        "The work has changed since it was seen or accepted; review it, then merge again",
      );
    case "moved":
      return refused(reason, `A branch keeps moving, or git holds its lock; try again`);
  }
}

export const refused = (
  reason: string,
  message: string,
  files?: readonly string[],
): Result<never, Rejection> => reject("MERGE_REFUSED", message, { reason, ...(files ? { files } : {}) });

export const notAWorktree = (path: string) =>
  reject(
    "UNSUPPORTED",
    `The session works in ${path} itself, so there is nothing to merge; start a session in a worktree for that`,
    { what: "worktree" },
  );

export function unnamedTarget(ref: string | undefined, field: "into" | "from"): Result<never, Rejection> {
  const base = ref === undefined ? "The session's base" : `The session's base (${ref})`;
  const message = `${base} is not a branch; name one with \`${field}\``;
  return reject("BAD_REQUEST", message, { issues: [{ path: field, message }] });
}
