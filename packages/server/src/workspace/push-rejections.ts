import { type Rejection, type Result, reject, shellWord } from "@drover/core";
import { NotPushed } from "../git/push.ts";
import { explainNotMerged } from "./merge-rejections.ts";
import { GitTimeout } from "./patience.ts";
import { someOf } from "./words.ts";

/** Which push it is about, in words. */
export interface PushNames {
  /** The session. */
  readonly name: string;
  readonly branch: string;
  readonly into: string;
  readonly top: string;
  readonly remote?: string;
  /** The last commit that the session is known to have had. */
  readonly base: string | undefined;
}

/** Why nothing was pushed, and what to do about it. Throws errors that are nobody's fault. */
export function explainNotPushed(error: unknown, names: PushNames): Result<never, Rejection> {
  const { remote = "the remote" } = names;
  if (error instanceof GitTimeout) {
    const next = "see if it answers, then try again, or raise worktrees.timeout in drover.yaml";
    return refused("timeout", `Pushing to ${remote} took too long; ${next}`, { remote });
  }
  if (error instanceof NotPushed) return explain(error, names);
  return explainNotMerged(error, {
    session: names.branch,
    top: names.top,
    branch: names.into,
    base: names.base,
    verb: "merge",
  });
}

function explain({ reason, message: detail }: NotPushed, names: PushNames): Result<never, Rejection> {
  const { name, branch, into, top, remote = "the remote" } = names;
  const git = `git -C ${shellWord(top)}`;
  switch (reason) {
    case "uncommitted": {
      const next = `commit it first: \`drover commit ${name} -m "…"\``;
      return refused(reason, `There is uncommitted work, and only commits are pushed; ${next}`);
    }
    case "nothing":
      return refused(reason, `${into} has all of the session's work; there is nothing to push`);
    case "other_branch": {
      const next = `switch back first: ${git} switch ${shellWord(branch)}`;
      return refused(reason, `The worktree is on ${detail} instead of ${branch}; ${next}`);
    }
    case "bad_url": {
      const next = `use an https, http, ssh or local address: ${git} remote set-url ${shellWord(remote)} URL`;
      return refused(reason, `Drover does not push to ${detail}; ${next}`, { remote, detail });
    }
    case "denied": {
      const next = "give git a credential helper, or the server an SSH agent, then try again";
      return refused(reason, `${remote} does not accept your credentials: ${detail}; ${next}`, {
        remote,
        detail,
      });
    }
    case "host_key": {
      const next = "connect to it once in a terminal to check its key, then try again";
      return refused(reason, `SSH does not know the host of ${remote}; ${next}`, { remote, detail });
    }
    case "rejected": {
      const isBehind = /fetch first|non-fast-forward/.test(detail);
      const next = isBehind
        ? "its branch has commits that this one lacks; merge them with git, or delete it there"
        : "change what it objects to, then try again";
      return refused(reason, `${remote} did not take ${branch}: ${detail}; ${next}`, { remote, detail });
    }
    case "unreachable": {
      const next = `check its address: ${git} remote -v`;
      return refused(reason, `${remote} can't be reached: ${detail}; ${next}`, { remote, detail });
    }
    case "failed": {
      const next = `try it with git: ${git} push ${shellWord(remote)} ${shellWord(branch)}`;
      return refused(reason, `Pushing to ${remote} failed: ${detail}; ${next}`, { remote, detail });
    }
  }
}

export function noRemote(names: readonly string[]): Result<never, Rejection> {
  const message =
    names.length === 0
      ? "The repository has no remote to push to; add one: `git remote add origin URL`"
      : `The repository has several remotes (${someOf(names)}); name the one to push to with \`remote\``;
  return reject("PUSH_REFUSED", message, { reason: "no_remote" });
}

export function unknownRemote(name: string, names: readonly string[]): Result<never, Rejection> {
  const next = names.length === 0 ? "it has none" : `it has ${someOf(names)}`;
  return reject("NOT_FOUND", `The repository has no remote "${name}"; ${next}`, { what: "remote" });
}

interface Facts {
  readonly remote?: string;
  readonly detail?: string;
}

const refused = (reason: string, message: string, { remote, detail }: Facts = {}): Result<never, Rejection> =>
  reject("PUSH_REFUSED", message, {
    reason,
    ...(remote === undefined ? {} : { remote }),
    ...(detail === undefined ? {} : { detail }),
  });
