import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EventOf, Session } from "@drover/core";
import { type Conversation, openSession, type Rig } from "./support.ts";

const run = promisify(execFile);

/** Git in a directory, as a person would run it. */
export const gitIn =
  (directory: string) =>
  async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env["PATH"], HOME: directory, GIT_CONFIG_GLOBAL: "/dev/null", LC_ALL: "C" };
    const named = ["-c", "user.name=A", "-c", "user.email=a@example.test", ...args];
    return (await run("git", named, { cwd: directory, env })).stdout.trim();
  };

/** Makes a directory a repository with one commit of `kept.txt`. */
export async function repositoryAt(directory: string): Promise<void> {
  const git = gitIn(directory);
  await git("init", "-q", "-b", "main");
  await writeFile(join(directory, "kept.txt"), "one\n");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
}

/** A session whose agent may write, in a repository in the rig's working directory. */
export async function openTracked(rig: Rig, agent = "demo"): Promise<Tracked> {
  const top = await mkdtemp(join(rig.home, "work", "tracked-"));
  await repositoryAt(top);
  return new Tracked(await openSession(rig, agent, { permissionMode: "never", cwd: top }), rig, top);
}

export class Tracked implements AsyncDisposable {
  readonly session: Conversation;
  readonly top: string;
  readonly git: (...args: string[]) => Promise<string>;
  readonly #rig: Rig;

  constructor(session: Conversation, rig: Rig, top: string) {
    this.session = session;
    this.top = top;
    this.git = gitIn(top);
    this.#rig = rig;
  }

  /** A turn that changes files, and how many it changed. */
  async change(content: string): Promise<EventOf<"turn_changes">> {
    const { turnId } = await this.session.turn(content);
    return this.changesOf(turnId);
  }

  changesOf(turnId: string): Promise<EventOf<"turn_changes">> {
    return this.session.follower.until<EventOf<"turn_changes">>(
      (event) => event.type === "turn_changes" && event.turnId === turnId,
      { what: `the changes of ${turnId} are known` },
    );
  }

  async diff(query: string): Promise<string> {
    return (await this.#rig.client.ask<string>("GET", this.session.path(`/diff?${query}`))).body;
  }

  revert(body: Record<string, unknown> = {}) {
    return this.#rig.client.ask<Record<string, unknown>>("POST", this.session.path("/revert"), { body });
  }

  discard(body: Record<string, unknown>) {
    return this.#rig.client.ask<Record<string, unknown>>("POST", this.session.path("/discard"), { body });
  }

  commit(body: Record<string, unknown> = { message: "a change" }) {
    return this.#rig.client.ask<Record<string, unknown>>("POST", this.session.path("/commit"), { body });
  }

  /** Tells git in this repository who commits. */
  async identify(): Promise<void> {
    await this.git("config", "user.name", "Ada");
    await this.git("config", "user.email", "ada@example.test");
  }

  read = (name: string): Promise<string> => readFile(join(this.top, name), "utf8");
  write = (name: string, content: string): Promise<void> => writeFile(join(this.top, name), content);
  remove = (name: string): Promise<void> => rm(join(this.top, name), { recursive: true });

  /** The user's state, which no checkpoint may change. */
  async own(): Promise<string> {
    const status = await this.git("status", "--porcelain=v2", "--branch");
    return [status, await this.git("stash", "list"), await this.git("ls-files", "-s")].join("\n");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.session[Symbol.asyncDispose]();
  }
}

/** The path and body of a request to revert a turn whose file was changed afterwards. */
export async function overtakenTurn(rig: Rig): Promise<[path: string, body: { turnId: string }]> {
  await using tracked = await openTracked(rig);
  const { turnId } = await tracked.change("write kept.txt two");
  await tracked.write("kept.txt", "three\n");
  return [tracked.session.path("/revert"), { turnId }];
}

/** A change that is refused with this code. */
export async function refusedChange(
  rig: Rig,
  code: "DISCARD_CONFLICT" | "COMMIT_REFUSED" | "NOTHING_TO_COMMIT" | "NO_IDENTITY",
) {
  await using tracked = await openTracked(rig);
  if (code === "NO_IDENTITY") return tracked.commit();
  await tracked.identify();
  if (code === "NOTHING_TO_COMMIT") return tracked.commit();
  const patch = "--- a/kept.txt\n+++ b/kept.txt\n@@ -1 +1 @@\n-one\n+two\n";
  if (code === "DISCARD_CONFLICT") return tracked.discard({ patch });
  await tracked.git("checkout", "-q", "--detach");
  return tracked.commit();
}

/** Requests to delete a session that has an uncommitted file. */
export async function deleteDirty(rig: Rig) {
  const cwd = await mkdtemp(join(rig.home, "work", "dirty-"));
  await repositoryAt(cwd);
  const wanted = { agent: "demo", cwd, workspace: "worktree" };
  const { id, workspace } = await rig.client.post<Session>("/api/sessions", wanted);
  await writeFile(join(workspace.path, "new"), "");
  return rig.client.ask<Record<string, unknown>>("DELETE", `/api/sessions/${id}`);
}

/** A session in a worktree of a new repository. */
async function openWorktree(rig: Rig) {
  const top = await mkdtemp(join(rig.home, "work", "merged-"));
  await repositoryAt(top);
  const git = gitIn(top);
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.test");
  const wanted = { agent: "demo", cwd: top, workspace: "worktree" };
  return { top, git, ...(await rig.client.post<Session>("/api/sessions", wanted)) };
}

/** A push that is refused because there is nowhere to push to. */
export async function refusedPush(rig: Rig) {
  const { id, workspace } = await openWorktree(rig);
  await gitIn(workspace.path)("commit", "-q", "--allow-empty", "-m", "work");
  return rig.client.ask<Record<string, unknown>>("POST", `/api/sessions/${id}/pull-request`, { body: {} });
}

/** A merge that is refused with this code. */
export async function refusedMerge(
  rig: Rig,
  code: "MERGE_CONFLICT" | "CHECKOUT_IN_THE_WAY" | "NOTHING_TO_MERGE" | "MERGE_REFUSED",
) {
  const { id, workspace, top, git } = await openWorktree(rig);
  if (code !== "NOTHING_TO_MERGE") await writeFile(join(workspace.path, "kept.txt"), "two\n");
  if (code === "MERGE_CONFLICT" || code === "CHECKOUT_IN_THE_WAY") {
    await writeFile(join(top, "kept.txt"), "three\n");
  }
  if (code === "MERGE_CONFLICT") await git("commit", "-qam", "theirs");
  if (code === "MERGE_REFUSED")
    await writeFile(join(top, ".git", "MERGE_HEAD"), await git("rev-parse", "HEAD"));
  return rig.client.ask<Record<string, unknown>>("POST", `/api/sessions/${id}/merge`, { body: {} });
}
