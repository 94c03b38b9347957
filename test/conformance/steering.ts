// Messages to a running turn, for agents that can be steered.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Receipt } from "@drover/core";
import { until } from "../kit/until.ts";
import { scriptedPrompt } from "../models/script.ts";
import { patience, type Scene } from "./stage.ts";

const steered = "Steered.";

const steer = (scene: Scene): Promise<Receipt> =>
  scene.session.post("messages", { content: scene.prompt({ say: steered }), disposition: "steer" });

/** A command runs until it is released; without steering, the model's next reply would be another one. */
async function working(scene: Scene): Promise<{ messageId: string; release(): Promise<void> }> {
  const run = "echo x >> notes; until test -e released; do sleep 0.1; done";
  const messageId = await scene.letRun([{ run }, { say: "Not steered." }]);
  await until(() => scene.notes(), { ...patience, what: "the command runs" });
  return { messageId, release: () => writeFile(join(scene.cwd, "released"), "") };
}

/** The message arrived once and was answered within the turn, which ended once. */
async function wasSteered(scene: Scene, messageId: string): Promise<void> {
  const { session } = scene;
  const done = await scene.done(messageId);
  assert.deepEqual([done.reason, done.ok], ["end_turn", true]);
  const items = await session.items();
  const userItems = items.filter(({ kind }) => kind === "user");
  assert.deepEqual(
    userItems.map(({ turnId }) => turnId),
    [done.turnId, done.turnId],
  );
  assert.match(items.filter(({ kind }) => kind === "text").at(-1)?.text ?? "", /(?:^|\n\n)Steered\.$/);
  const arrivals = scene
    .conversationAt(steered)
    .filter(({ text }) => text.includes(scene.prompt({ say: steered })));
  assert.equal(arrivals.length, 1, "the message arrived once");
  assert.equal(session.all("done").length, 1);
  const { queued, lastTurn } = await session.get();
  assert.deepEqual([queued, lastTurn?.id], [0, done.turnId]);
  await scene.assertUsable();
}

export async function steerWork(scene: Scene): Promise<void> {
  const { messageId, release } = await working(scene);
  const { turn } = await scene.session.get();
  const { applied, turnId, queuePosition } = await steer(scene);
  assert.deepEqual([applied, turnId, queuePosition], ["steered", turn?.id, 0]);
  await until(() => scene.session.all("message").length === 2, { ...patience, what: "the message arrives" });
  await release();
  await wasSteered(scene, messageId);
}

/** The agent makes no further request in its current turn and answers in another one, which Drover shows as the same. */
export async function steerSpeech(scene: Scene): Promise<void> {
  const { session } = scene;
  const { messageId } = await session.send(scriptedPrompt({ say: "word ".repeat(60), pace: 100 }));
  await until(() => session.follower.text().includes("word"), { ...patience, what: "text is streamed" });
  assert.equal((await steer(scene)).applied, "steered");
  await wasSteered(scene, messageId);
}

export async function steerOverRestart(scene: Scene): Promise<void> {
  const { messageId, release } = await working(scene);
  assert.equal((await steer(scene)).applied, "steered");
  await scene.rig.server.kill9();
  await scene.rig.start();
  await release();
  await wasSteered(scene, messageId);
}

export async function notSteered(scene: Scene): Promise<void> {
  const { messageId, release } = await working(scene);
  const { applied, degradedBecause } = await steer(scene);
  assert.deepEqual([applied, degradedBecause], ["queued", "unsupported"]);
  await release();
  await scene.done(messageId);
  await until(() => scene.session.all("done").length === 2, { ...patience, what: "the queued turn ends" });
}
