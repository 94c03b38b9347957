// How turns of agents go through Drover, and how they fail.
import assert from "node:assert/strict";
import { maxPromptBytes } from "@drover/core";
import { until } from "../kit/until.ts";
import { writing } from "./answers.ts";
import { patience, type Scene } from "./stage.ts";

const endless = [{ run: "echo x >> notes; tail -f /dev/null" }, { say: "Never said." }];

export async function declare({ session, subject }: Scene): Promise<void> {
  assert.deepEqual((await session.get()).capabilities, subject.capabilities);
}

export async function stream(scene: Scene): Promise<void> {
  const words = Array.from({ length: 40 }, (_, index) => `word${index + 1}`).join(" ");
  const done = await scene.turn({ say: words });
  const { events } = scene.session.follower;
  assert.deepEqual([done.reason, done.ok], ["end_turn", true]);
  // Codex begins with a warning about a model it does not know.
  assert.ok(scene.session.follower.text().trim().endsWith(words));
  assert.equal(scene.session.all("done").length, 1);
  const own = events.filter((event) => "turnId" in event && event.turnId === done.turnId);
  assert.equal(own.at(-1)?.type, "done");
  const text = own.find(({ type }) => type === "text_delta" || type === "item");
  assert.ok(text && text.seq < done.seq);
}

export async function interrupt(scene: Scene): Promise<void> {
  const { messageId, interaction } = await scene.askedBy(...endless);
  await scene.approve(interaction);
  await until(() => scene.notes(), { ...patience, what: "the command runs" });
  await scene.session.post("interrupt");
  assert.equal((await scene.done(messageId)).reason, "cancelled");
  await scene.isUsable();
}

export async function interruptAsking(scene: Scene): Promise<void> {
  const { messageId } = await scene.askedBy(...writing);
  await scene.session.post("interrupt");
  assert.equal((await scene.done(messageId)).reason, "cancelled");
  const [resolved] = scene.session.all("interaction_resolved");
  assert.deepEqual([resolved?.resolution, resolved?.cause], ["cancelled", "turn_cancelled"]);
  assert.deepEqual(await scene.session.openInteractions(), []);
  assert.equal(await scene.notes(), undefined);
  await scene.isUsable();
}

export async function resume(scene: Scene): Promise<void> {
  const { session } = scene;
  await scene.turn({ say: "The robin sings." });
  const { agentSessionId } = await session.get();
  assert.ok(agentSessionId);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", { ...patience, what: "it stops" });
  await session.post("resume");
  await scene.isUsable();
  assert.equal((await session.get()).agentSessionId, agentSessionId);
  if (scene.hasModel) remembers(scene, "The robin sings.");
}

/** The model was told of an earlier turn's words. */
function remembers(scene: Scene, words: string): void {
  const told = scene.told("Still here.").filter(({ role }) => role === "assistant");
  assert.ok(
    told.some(({ text }) => text.includes(words)),
    `the model was told ${JSON.stringify(told)}`,
  );
}

export async function longPrompts(scene: Scene): Promise<void> {
  for (const bytes of [200 * 1024, maxPromptBytes]) {
    const say = `All ${bytes} bytes.`;
    const script = `\n${scene.prompt({ say })}`;
    const sheep = "🐑 ".repeat((bytes - Buffer.byteLength(script)) / 5);
    const prompt = sheep + ".".repeat(bytes - Buffer.byteLength(sheep + script)) + script;
    assert.equal(Buffer.byteLength(prompt), bytes);
    assert.equal((await scene.session.turn(prompt, patience)).reason, "end_turn");
    if (scene.hasModel) {
      const told = scene.told(say).filter(({ role }) => role === "user");
      assert.ok(
        told.some(({ text }) => text.includes(prompt)),
        "every character of it",
      );
    } else {
      // What is no instruction is echoed.
      const said = scene.session.follower.text();
      assert.ok(said.includes(prompt.slice(0, prompt.indexOf("\n"))), "every character of it");
    }
  }
}

export async function queue(scene: Scene): Promise<void> {
  const words = ["One.", "Two.", "Three."];
  const messageIds: string[] = [];
  for (const say of words) {
    const { messageId, applied } = await scene.session.send(
      scene.prompt({ run: `touch ${say}txt` }, { say }),
    );
    assert.equal(applied, say === "One." ? "started" : "queued");
    messageIds.push(messageId);
  }
  for (const messageId of messageIds) {
    await scene.approve(await scene.asked());
    assert.equal((await scene.done(messageId)).reason, "end_turn");
  }
  const begun = scene.session.all("turn_start").map(({ messageId }) => messageId);
  assert.deepEqual(begun, messageIds);
  assert.match(scene.session.follower.text(), /One\..*Two\..*Three\.\s*$/s);
}
