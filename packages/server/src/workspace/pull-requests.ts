import { ok, pathBytes, type Rejection, type Result } from "@drover/core";
import type { MergePlace } from "../git/merge-work.ts";
import { committedWork, pushCommit } from "../git/push.ts";
import { parseRemoteUrl } from "../git/remote-url.ts";
import { type Remote, type Remotes, readRemotes } from "../git/remotes.ts";
import type { PullRequests, PullSpec, SessionWorkspace } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { type Forge, forgeOf } from "./forge.ts";
import { openPull } from "./forge-program.ts";
import { inTree } from "./merge-places.ts";
import { notAWorktree } from "./merge-rejections.ts";
import { Patience } from "./patience.ts";
import { explainNotPushed, noRemote, unknownRemote } from "./push-rejections.ts";

export interface PullDeps extends WorkspaceDeps {
  /** What git and other programs of a person's own get: how to reach other hosts, and where credentials are. */
  readonly personal: Readonly<Record<string, string>>;
}

interface PushedBranch {
  readonly branch: string;
  readonly remote: string;
  readonly commit: string;
  readonly forge: Forge | undefined;
}

/** Pushes the branches of worktrees, and opens pull requests. */
export function pullRequests(deps: PullDeps): PullRequests {
  const { personal: environment } = deps;
  return {
    async publish(session, spec) {
      const limitMs = deps.worktreeTimeoutMs;
      const work = (place: MergePlace) => push({ ...place, environment }, session.workspace, spec);
      const pushed = await inTree(deps, session, { limitMs, work });
      if (!pushed.ok) return pushed;
      const { forge, ...about } = pushed.value;
      if (!forge) return ok({ ...about, isOpened: false });
      const { into, title, body = "" } = spec;
      const branches = { branch: about.branch, into };
      using patience = new Patience(limitMs);
      const { signal } = patience;
      const opened = await openPull(forge, { ...branches, title, body }, { environment, signal });
      if (opened?.url !== undefined) return ok({ ...about, isOpened: true, url: opened.url });
      const problem = opened?.problem === undefined ? {} : { problem: opened.problem };
      return ok({ ...about, isOpened: false, url: forge.pageFor(branches), ...problem });
    },
  };
}

async function push(
  place: MergePlace,
  { path, branch, base }: SessionWorkspace,
  spec: PullSpec,
): Promise<Result<PushedBranch, Rejection>> {
  if (branch === undefined) return notAWorktree(path);
  const { into, name, update } = spec;
  const names = { name, branch, into, top: path, base: base?.commit };
  try {
    const own = pathBytes(branch);
    const commit = await committedWork(place, {
      ...{ branch: own, into: pathBytes(into), update: update?.target },
    });
    const found = await readRemotes(place.tree, place);
    const chosen = choose(found, spec);
    if (!chosen.ok) return chosen;
    const { name: remote, url } = chosen.value;
    try {
      const { personal } = found;
      const address = await pushCommit(place, { url, commit, ref: `refs/heads/${own}`, personal });
      const forge = forgeOf(address) ?? forgeOf(parseRemoteUrl(url, place.mainTop));
      return ok({ branch, remote, commit, forge });
    } catch (error) {
      return explainNotPushed(error, { ...names, remote });
    }
  } catch (error) {
    return explainNotPushed(error, names);
  }
}

/** The remote that is named, or else that of the target's upstream, `origin`, or the only one. */
function choose(
  { remotes, upstreamOf }: Remotes,
  { remote, into }: Pick<PullSpec, "remote" | "into">,
): Result<Remote, Rejection> {
  const named = (name: string | undefined) => remotes.find((each) => each.name === name && each.url !== "");
  const names = remotes.map(({ name }) => name);
  if (remote !== undefined) {
    const found = named(remote);
    return found ? ok(found) : unknownRemote(remote, names);
  }
  const only = names.length === 1 ? named(names[0]) : undefined;
  const found = named(upstreamOf(into)) ?? named("origin") ?? only;
  return found ? ok(found) : noRemote(names);
}
