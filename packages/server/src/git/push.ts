import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describeRepository } from "./describe.ts";
import { commitWork, distance, type MergePlace, openTree, tipOf } from "./merge-work.ts";
import { type Layout, privateEnvironment, quoted, shallowCommits } from "./private-directory.ts";
import { PROTOCOLS, parseRemoteUrl, type RemoteUrl } from "./remote-url.ts";
import type { Entry } from "./remotes.ts";
import { type GitResult, runGit } from "./run-git.ts";
import { configText } from "./settings.ts";

/** Why nothing was pushed. */
export type NotPushedReason =
  | "bad_url"
  | "denied"
  | "failed"
  | "host_key"
  | "nothing"
  | "other_branch"
  | "rejected"
  | "uncommitted"
  | "unreachable";

/** Nothing was pushed; `message` is what git or the remote said about it. */
export class NotPushed extends Error {
  override readonly name = "NotPushed";
  readonly reason: NotPushedReason;

  constructor(reason: NotPushedReason, detail = reason as string) {
    super(detail);
    this.reason = reason;
  }
}

/** The commit of a session's branch, if all of its work is committed and the target lacks some of it. */
export async function committedWork(
  place: MergePlace,
  {
    branch,
    into,
    update,
  }: { readonly branch: string; readonly into: string; readonly update?: string | undefined },
): Promise<string> {
  await using repository = await openTree(place);
  const { trial } = repository;
  const target = await tipOf(repository, into);
  if (repository.branch !== branch) throw new NotPushed("other_branch", repository.branch ?? "no branch");
  const commit = await tipOf(repository, branch);
  const work = await commitWork(repository, {
    writer: trial,
    top: place.tree.top,
    message: "Work\n",
    update,
  });
  if (work !== commit) throw new NotPushed("uncommitted");
  const { ahead } = await distance(trial, [target, commit]);
  if (ahead === 0) throw new NotPushed("nothing");
  return commit;
}

export interface PushOrder {
  /** As the repository has it. */
  readonly url: string;
  readonly commit: string;
  /** The full name that it gets there. Latin 1 stands for bytes. */
  readonly ref: string;
  /** The user's own settings about connections and credentials. */
  readonly personal: readonly Entry[];
}

/** Where the commit is now, as the user's own settings spell it. */
export type Pushed = RemoteUrl;

/**
 * Pushes one commit to one ref, without force. Git runs on a private directory with the repository's objects and the
 * user's own settings: no hook, remote, rewritten address, proxy, program or push option of the repository counts.
 * Throws `NotPushed`.
 */
export async function pushCommit(
  place: MergePlace,
  { url, commit, ref, personal }: PushOrder,
): Promise<Pushed> {
  const { scratch, tree, mainTop, signal } = place;
  const { layout } = await describeRepository(
    { cwd: tree.top, environment: place.environment, signal },
    tree,
  );
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(scratch, "git-"));
  try {
    const environment = {
      ...place.environment,
      ...privateEnvironment(directory, directory),
      ...connecting(personal),
    };
    const git = { cwd: directory, environment, signal, protocols: PROTOCOLS };
    const rewrites = personal.filter(({ key }) => key.startsWith("url."));
    await fill(directory, layout, [{ key: REMOTE_URL, value: url }, ...rewrites]);
    const asked = await runGit({ args: ["remote", "get-url", "--push", REMOTE] }, git);
    const [named = ""] = asked.code === 0 ? asked.output.toString().split("\n") : [];
    const address = parseRemoteUrl(named, mainTop);
    if (!address) throw new NotPushed("bad_url", withoutSecrets(named || url));
    const others = personal.filter(({ key }) => key !== "core.sshcommand" && !key.startsWith("url."));
    const local = { key: `remote.${REMOTE}.receivepack`, value: RECEIVE_LOCALLY };
    await fill(directory, layout, [
      ...others,
      { key: REMOTE_URL, value: address.url },
      ...(address.kind === "local" ? [local] : []),
    ]);
    const args = ["push", "--porcelain", REMOTE, `${commit}:${Buffer.from(ref, "latin1").toString()}`];
    const pushed = await runGit({ args }, git);
    if (pushed.code !== 0) throw explain(pushed);
    return address;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const REMOTE = "target";
const REMOTE_URL = `remote.${REMOTE}.url`;

/**
 * A repository on this machine may have been made by an agent, and git would run its hooks and programs with the rights
 * of the person who pushes.
 */
const RECEIVE_LOCALLY = [
  "GIT_ALLOW_PROTOCOL=none GIT_NO_LAZY_FETCH=1 git",
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.alternateRefsCommand=true"].map(
    (each) => `-c ${each}`,
  ),
  ...["receive.autogc=false", "receive.denyCurrentBranch=refuse"].map((each) => `-c ${each}`),
  "receive-pack",
].join(" ");

/** Nobody is there to answer. */
function connecting(personal: readonly Entry[]): Record<string, string> {
  const command = personal.findLast(({ key }) => key === "core.sshcommand")?.value || "ssh";
  const [program = ""] = command.trim().split(/\s/, 1);
  // Other programs don't know the option.
  const isSsh = basename(program) === "ssh";
  return {
    GIT_SSH_COMMAND: isSsh ? `${command} -o BatchMode=yes` : command,
    GCM_INTERACTIVE: "never",
  };
}

async function fill(directory: string, layout: Layout, settings: readonly Entry[]): Promise<void> {
  const own = [
    { key: "core.repositoryformatversion", value: "1" },
    { key: "core.bare", value: "true" },
    { key: "core.commitgraph", value: "false" },
    { key: "extensions.objectformat", value: layout.objectFormat },
  ];
  for (const name of ["refs", "objects/info"]) await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/unborn\n");
  await writeFile(join(directory, "objects/info/alternates"), `${quoted(layout.objects)}\n`);
  await writeFile(join(directory, "shallow"), await shallowCommits(layout));
  await writeFile(join(directory, "config"), configText([...own, ...settings]), { mode: 0o600 });
}

function explain({ output, messages }: GitResult): NotPushed {
  const rejected = /^!\t[^\t]*\t(.*)$/m.exec(output.toString())?.[1];
  if (rejected !== undefined) return new NotPushed("rejected", withoutSecrets(rejected));
  const lines = withoutSecrets(messages)
    .split("\n")
    .map((line) => line.replace(/^(fatal|error|remote): */, "").trim())
    .filter((line) => line !== "");
  const detail = lines.slice(0, 3).join("; ").slice(0, 500);
  return new NotPushed(reasonIn(messages), detail || "git gave no reason");
}

function reasonIn(messages: string): NotPushedReason {
  if (/host key verification failed/i.test(messages)) return "host_key";
  if (
    /authentication failed|could not read (username|password)|permission denied|error: 40[13]\b/i.test(
      messages,
    )
  )
    return "denied";
  if (
    /could not resolve|unable to access|connection |timed out|not appear to be a git|could not read from|not found/i.test(
      messages,
    )
  )
    return "unreachable";
  return "failed";
}

/** An address may contain a password. */
const withoutSecrets = (text: string): string => text.replace(/\/\/[^/@\s]+@/g, "//");
