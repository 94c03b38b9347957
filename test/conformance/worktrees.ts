// A session in a worktree: what the agent changes there is kept, undone and forked, and the checkout stays as it is.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { repositoryAt, Tracked } from "../e2e/repository.ts";
import { Conversation } from "../e2e/support.ts";
import { patience, Scene } from "./stage.ts";

/** Edits twice in a worktree; the second edit is undone, and a fork starts from the first. */
export async function editInWorktree({ rig, subject, cwd: directory, asks }: Scene): Promise<void> {
  const cwd = join(directory, "repository");
  await mkdir(cwd);
  await repositoryAt(cwd);
  // An agent that asks is answered; any other may write in its workspace, and nowhere else.
  const permissionMode = asks ? "ask" : "acceptEdits";
  const wanted = { agent: subject.name, cwd, workspace: "worktree", permissionMode };
  const { id, workspace } = await rig.client.post<Session>("/api/sessions", wanted);
  await using session = new Conversation(rig, id);
  const scene = new Scene(
    { subject, rig, model: undefined, [Symbol.asyncDispose]: async () => undefined },
    session,
    workspace.path,
  );
  const tracked = new Tracked(session, rig, workspace.path);
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
