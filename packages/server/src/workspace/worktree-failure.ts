import { type Rejection, shellWord, type WorkspaceFailure } from "@drover/core";

export interface FailureFacts {
  readonly reason: WorkspaceFailure;
  readonly path?: string;
  readonly branch?: string;
  readonly detail?: string;
}

/** A worktree could not be made. The code that made part of it removes that part. */
export class WorktreeFailed extends Error {
  override readonly name = "WorktreeFailed";
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.message);
    this.rejection = rejection;
  }
}

/** `command` fixes it. */
export const failure = (message: string, command: string, facts: FailureFacts): Rejection => ({
  code: "WORKSPACE_FAILED",
  message: `${message} Run \`${command}\`, then try again.`,
  facts: { ...facts, command },
});

interface Attempted {
  readonly top: string;
  readonly path: string;
  readonly branch: string;
  /** The commit whose files were to be written. */
  readonly commit: string;
  readonly isPartialClone: boolean;
}

/** What git's own messages mean; Drover runs it with messages in English. */
export function gitFailure(messages: string, attempted: Attempted): Rejection {
  const { top, path, branch, commit, isPartialClone } = attempted;
  const detail = messages.trim().split("\n").at(-1)?.slice(0, 500) ?? "";
  const at = `git -C ${shellWord(top)}`;
  const inUse = /already (?:checked out|used by worktree) at '(.+)'/.exec(messages)?.[1];
  if (inUse !== undefined) {
    const message = `The branch ${branch} is checked out in ${inUse}.`;
    const command = `git -C ${shellWord(inUse)} switch --detach`;
    return failure(message, command, { reason: "branch_in_use", path: inUse, branch, detail });
  }
  const [, inTheWay] = /cannot lock ref '[^']*': 'refs\/heads\/([^']+)' exists/.exec(messages) ?? [];
  const other = inTheWay ?? /a branch named '(.+)' already exists/.exec(messages)?.[1];
  if (other !== undefined) {
    const message = `The branch ${other} exists, so git cannot create ${other === branch ? "it" : branch}.`;
    const command = `${at} branch -m ${shellWord(other)} ${shellWord(`${other.replaceAll("/", "-")}-old`)}`;
    return failure(message, command, { reason: "branch_in_use", branch: other, detail });
  }
  const lock = (/Unable to create '(.+\.lock)': File exists/.exec(messages) ??
    /^(.+\.lock) exists$/.exec(messages))?.[1];
  if (lock !== undefined) {
    const message = `Another git command is running in ${top}, or one crashed and left its lock.`;
    return failure(message, `rm ${shellWord(lock)}`, { reason: "git_locked", path: lock, detail });
  }
  const invalid = /invalid path '(.+)'/.exec(messages)?.[1];
  if (invalid !== undefined) {
    const command = `${at} ls-tree -r --name-only ${commit}`;
    const message = `The commit ${commit} has the path ${invalid}, which git never writes. List its files with \`${command}\`, and read one with \`${at} show ${commit}:FILE\`.`;
    return {
      code: "WORKSPACE_FAILED",
      message,
      facts: { reason: "invalid_path", path: invalid, detail, command },
    };
  }
  if (isPartialClone) {
    const message = `${top} is a partial clone, and files of this commit are missing.`;
    return failure(message, `${at} fetch --refetch --no-filter`, { reason: "partial_clone", detail });
  }
  const message = `Git could not write the worktree ${path}: ${detail || "it gave no reason"}.`;
  return failure(message, `df -h ${shellWord(top)}`, { reason: "disk", path, detail });
}
