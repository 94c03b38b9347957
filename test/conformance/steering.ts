// Words that a person says into a running turn, to agents that can take them.
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

/** A command runs until it is released; what the model is asked next, it would answer with other words. */
async function working(scene: Scene): Promise<{ messageId: string; release(): Promise<void> }> {
  const run = "echo x >> notes; until test -e released; do sleep 0.1; done";
  const messageId = await scene.letRun([{ run }, { say: "Not steered." }]);
  await until(() => scene.notes(), { ...patience, what: "the command runs" });
  return { messageId, release: () => writeFile(join(scene.cwd, "released"), "") };
}

/** It was told in the turn, once, and answered there; the turn ended once. */
async function wasSteered(scene: Scene, messageId: string): Promise<void> {
  const { session } = scene;
  const done = await scene.done(messageId);
  assert.deepEqual([done.reason, done.ok], ["end_turn", true]);
  const items = await session.items();
  const words = items.filter(({ kind }) => kind === "user");
  assert.deepEqual(
    words.map(({ turnId }) => turnId),
    [done.turnId, done.turnId],
  );
  assert.match(items.filter(({ kind }) => kind === "text").at(-1)?.text ?? "", /(?:^|\n\n)Steered\.$/);
  const told = scene.told(steered).filter(({ text }) => text.includes(scene.prompt({ say: steered })));
  assert.equal(told.length, 1, "the model was told it once");
  assert.equal(session.all("done").length, 1);
  const { queued, lastTurn } = await session.get();
  assert.deepEqual([queued, lastTurn?.id], [0, done.turnId]);
  await scene.isUsable();
}

export async function steerWork(scene: Scene): Promise<void> {
  const { messageId, release } = await working(scene);
  const { turn } = await scene.session.get();
  const { applied, turnId, queuePosition } = await steer(scene);
  assert.deepEqual([applied, turnId, queuePosition], ["steered", turn?.id, 0]);
  await until(() => scene.session.all("message").length === 2, { ...patience, what: "it is told" });
  await release();
  await wasSteered(scene, messageId);
}

/** Its model is not asked again in this turn of its own: it answers in another, which is still the same for people. */
export async function steerSpeech(scene: Scene): Promise<void> {
  const { session } = scene;
  const { messageId } = await session.send(scriptedPrompt({ say: "word ".repeat(60), pace: 100 }));
  await until(() => session.follower.text().includes("word"), { ...patience, what: "it speaks" });
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
  await until(() => scene.session.all("done").length === 2, { ...patience, what: "its own turn ends" });
}
