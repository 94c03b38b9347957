// A session in a worktree: what the agent changes there is kept, undone, forked, reviewed and merged.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Merged, Reviewed, Session } from "@drover/core";
import { gitIn, repositoryAt, Tracked } from "../e2e/repository.ts";
import { Conversation } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { patience, Scene } from "./stage.ts";

interface InWorktree extends AsyncDisposable {
  readonly cwd: string;
  readonly session: Conversation;
  readonly scene: Scene;
}

/** A session in a worktree of a new repository. */
async function openWorktree({ rig, subject, cwd: directory, asks }: Scene): Promise<InWorktree> {
  const cwd = join(directory, "repository");
  await mkdir(cwd);
  await repositoryAt(cwd);
  // An agent that asks is answered; any other may write in its workspace, and nowhere else.
  const permissionMode = asks ? "ask" : "acceptEdits";
  const wanted = { agent: subject.name, cwd, workspace: "worktree", permissionMode };
  const { id, workspace } = await rig.client.post<Session>("/api/sessions", wanted);
  const session = new Conversation(rig, id);
  const scene = new Scene(
    { subject, rig, model: undefined, [Symbol.asyncDispose]: async () => undefined },
    session,
    workspace.path,
  );
  return { cwd, session, scene, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
}

/** Edits twice in a worktree; the second edit is undone, and a fork starts from the first. */
export async function editInWorktree(outer: Scene): Promise<void> {
  await using opened = await openWorktree(outer);
  const { cwd, session, scene } = opened;
  const { rig } = outer;
  const tracked = new Tracked(session, rig, scene.cwd);
  const edit = async (text: string) => {
    const steps = [{ run: `echo ${text} > kept.txt` }, { say: `It is ${text}.` }];
    const { messageId } = await session.send(scene.prompt(...steps));
    await scene.grant();
    const { reason, turnId } = await session.done(messageId, patience);
    assert.equal(reason, "end_turn");
    const { files, added, removed } = await tracked.changesOf(turnId);
    assert.deepEqual({ files, added, removed }, { files: 1, added: 1, removed: 1 });
  };
  await edit("two");
  const { lastSeq: at } = await session.get();
  await edit("three");
  assert.equal(await tracked.read("kept.txt"), "three\n");
  assert.equal((await tracked.revert()).status, 200);
  assert.equal(await tracked.read("kept.txt"), "two\n");
  const forked = await rig.client.post<Session>(session.path("/fork"), { workspace: "worktree", at });
  assert.equal(await readFile(join(forked.workspace.path, "kept.txt"), "utf8"), "two\n");
  await using other = new Conversation(rig, forked.id);
  const { reason } = await other.turn(scene.prompt({ say: "Here, too." }), patience);
  assert.equal(reason, "end_turn");
  assert.equal(await readFile(join(cwd, "kept.txt"), "utf8"), "one\n");
  for (const one of [session, other]) await rig.client.delete(`${one.path()}?force=1`);
}

/** Work is sent back with two comments, changed, accepted and merged. */
export async function reviewAndMerge(outer: Scene): Promise<void> {
  await using opened = await openWorktree(outer);
  const { cwd, session, scene } = opened;
  const git = gitIn(cwd);
  await git("config", "user.name", "A Person");
  await git("config", "user.email", "person@example.com");
  const edit = (text: string, say: string) => scene.prompt({ run: `echo ${text} > kept.txt` }, { say });
  const opens = (length: number) =>
    until(() => session.all("review").filter(({ state }) => state === "open").length > length, patience);
  const { messageId } = await session.send(edit("two", "It is two."));
  await scene.grant();
  await session.done(messageId, patience);
  await opens(0);
  const comments = [
    { path: "kept.txt", line: 1, side: "now", text: "Use a larger number", quote: "two" },
    { path: "kept.txt", line: 1, side: "old", text: "This was better" },
  ];
  const message = edit("three", "It is three.");
  const asked = await session.post<Reviewed>("review", { do: "request_changes", message, comments });
  assert.equal(asked.review.state, "changes_requested");
  await scene.grant();
  await session.done(asked.receipt?.messageId ?? "", patience);
  const prompts = outer.conversationAt("It is three.").filter(({ role }) => role === "user");
  const sent = prompts.map(({ text }) => text).join("\n");
  for (const each of [
    "kept.txt:1",
    "> two",
    "Use a larger number",
    "kept.txt:1 (removed)",
    "This was better",
  ])
    assert.ok(sent.includes(each), `the model was told ${each}`);
  await opens(1);
  const { review } = await session.post<Reviewed>("review", { do: "accept" });
  assert.equal(review.state, "accepted");
  const { commit } = await session.post<Merged>("merge");
  assert.equal(await git("rev-parse", "main"), commit);
  assert.equal(await readFile(join(cwd, "kept.txt"), "utf8"), "three\n");
  assert.equal(await git("status", "--porcelain"), "");
  await outer.rig.client.delete(`${session.path()}?force=1`);
}
