// An agent that can't ask, in a worktree and in mode ask: what its turns change is approved when they have ended.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Interaction, Session } from "@drover/core";
import { gateOf } from "../e2e/gated-agent.ts";
import { repositoryAt, Tracked } from "../e2e/repository.ts";
import { Conversation } from "../e2e/support.ts";
import { patience, type Scene } from "./stage.ts";

/** Changes a file, which is denied with a reason, and then changes it again, which is approved. */
export async function approveChanges(scene: Scene): Promise<void> {
  const { rig, subject } = scene;
  const cwd = join(scene.cwd, "repository");
  await mkdir(cwd);
  await repositoryAt(cwd);
  const wanted = { agent: subject.name, cwd, workspace: "worktree", permissionMode: "ask" };
  const { id, workspace, capabilities } = await rig.client.post<Session>("/api/sessions", wanted);
  assert.equal(capabilities.approvals, "gate");
  await using session = new Conversation(rig, id);
  const tracked = new Tracked(session, rig, workspace.path);
  const change = async (text: string): Promise<Interaction> => {
    const steps = [{ run: `echo ${text} > kept.txt` }, { say: `It is ${text}.` }];
    const { reason, turnId } = await session.turn(scene.prompt(...steps), patience);
    assert.equal(reason, "end_turn");
    const gate = await gateOf(session);
    assert.equal(gate.turnId, turnId);
    assert.match((gate.input as { diff: string }).diff, new RegExp(`^-one\\n\\+${text}$`, "m"));
    return gate;
  };
  const denied = await change("two");
  const say = "I leave it alone.";
  const reason = `That number is wrong.\n${scene.prompt({ say })}`;
  await session.post("deny", { toolCallId: denied.id, reason });
  const sent = await session.follower.until<EventOf<"message">>(
    (event) => event.type === "message" && event.content === reason,
  );
  await session.done(sent.messageId, patience);
  assert.equal(await tracked.read("kept.txt"), "one\n");
  const heard = JSON.stringify(scene.requestFor(say).body);
  for (const words of ["That number is wrong.", "reverted changes to these files: kept.txt"])
    assert.ok(heard.includes(words), words);
  const { id: toolCallId } = await change("three");
  await session.post("approve", { toolCallId });
  assert.equal(await tracked.read("kept.txt"), "three\n");
  await rig.client.delete(`${session.path()}?force=1`);
}
