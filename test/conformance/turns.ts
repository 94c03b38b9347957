// Turns of agents through Drover.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { maxPromptBytes } from "@drover/core";
import { seeded } from "../e2e/support.ts";
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
  // Codex starts with a warning about an unknown model.
  assert.ok(scene.session.follower.text().trim().endsWith(words));
  assert.equal(scene.session.all("done").length, 1);
  const own = events.filter((event) => "turnId" in event && event.turnId === done.turnId);
  assert.equal(own.at(-1)?.type, "done");
  const text = own.find(({ type }) => type === "text_delta" || type === "item");
  assert.ok(text && text.seq < done.seq);
}

/** Interrupts a turn while its command runs. */
export async function interruptRunning(scene: Scene): Promise<void> {
  const messageId = await scene.letRun(endless);
  await until(() => scene.notes(), { ...patience, what: "the command runs" });
  await scene.session.post("interrupt");
  assert.equal((await scene.done(messageId)).reason, "cancelled");
}

export async function interrupt(scene: Scene): Promise<void> {
  await interruptRunning(scene);
  await scene.assertUsable();
}

export async function interruptAsking(scene: Scene): Promise<void> {
  const { messageId } = await scene.promptUntilAsked(...writing);
  await scene.session.post("interrupt");
  assert.equal((await scene.done(messageId)).reason, "cancelled");
  const [resolved] = scene.session.all("interaction_resolved");
  assert.deepEqual([resolved?.resolution, resolved?.cause], ["cancelled", "turn_cancelled"]);
  assert.deepEqual(await scene.session.openInteractions(), []);
  assert.equal(await scene.notes(), undefined);
  await scene.assertUsable();
}

export async function resume(scene: Scene): Promise<void> {
  const { session } = scene;
  await scene.turn({ say: "The robin sings." });
  const { agentSessionId } = await session.get();
  assert.ok(agentSessionId);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", { ...patience, what: "it stops" });
  await session.post("resume");
  await scene.assertUsable();
  assert.equal((await session.get()).agentSessionId, agentSessionId);
  if (scene.hasModel) remembers(scene, "The robin sings.");
}

/** The model's request has the text of an earlier turn. */
function remembers(scene: Scene, words: string): void {
  const replies = scene.conversationAt("Still here.").filter(({ role }) => role === "assistant");
  assert.ok(
    replies.some(({ text }) => text.includes(words)),
    `the request has ${JSON.stringify(replies)}`,
  );
}

/** Letters of one to four bytes, without those that an agent's prompt takes for a command. */
const alphabets = [
  [0x41, 0x5a],
  [0xc0, 0x24f],
  [0x391, 0x3a1],
  [0x4e00, 0x9fff],
  [0x1f300, 0x1f5ff],
] as const;

/** Deterministic text of this many bytes. */
function randomText(bytes: number): string {
  const random = seeded(bytes);
  const below = (end: number) => Math.floor(random() * end);
  const letters: string[] = [];
  let remaining = bytes;
  while (remaining >= 4) {
    const [first, last] = alphabets[below(alphabets.length)] ?? [0x2e, 0x2e];
    const letter = String.fromCodePoint(first + below(last - first + 1));
    letters.push(letter);
    remaining -= Buffer.byteLength(letter);
  }
  return letters.join("") + ".".repeat(remaining);
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** As many characters as `expected` has, from where it begins. */
const stretch = (text: string, expected: string): string =>
  text.slice(Math.max(0, text.indexOf(expected.slice(0, 40)))).slice(0, expected.length);

export async function longPrompts(scene: Scene): Promise<void> {
  for (const bytes of [200 * 1024, maxPromptBytes]) {
    const say = `All ${bytes} bytes.`;
    const script = `\n${scene.prompt({ say })}`;
    const body = randomText(bytes - Buffer.byteLength(script));
    const prompt = body + script;
    assert.equal(Buffer.byteLength(prompt), bytes);
    assert.equal((await scene.session.turn(prompt, patience)).reason, "end_turn");
    const arrived = scene.hasModel ? arrivedAtModel(scene, say, prompt) : arrivedInAgent(scene, body, prompt);
    assert.ok(arrived, "every character arrives");
  }
}

const arrivedAtModel = (scene: Scene, say: string, prompt: string): boolean =>
  scene
    .conversationAt(say)
    .some(({ role, text }) => role === "user" && hashOf(stretch(text, prompt)) === hashOf(prompt));

/** An agent without a model echoes text that is not an instruction, or prints its hash. */
function arrivedInAgent({ session }: Scene, body: string, prompt: string): boolean {
  const output = session.follower.text();
  return output.includes(hashOf(prompt)) || hashOf(stretch(output, body)) === hashOf(body);
}

export async function queue(scene: Scene): Promise<void> {
  const words = ["One.", "Two.", "Three."];
  const messageIds: string[] = [];
  await scene.permit();
  for (const say of words) {
    const { messageId, applied } = await scene.session.send(
      scene.prompt({ run: `touch ${say}txt` }, { say }),
    );
    assert.equal(applied, say === "One." ? "started" : "queued");
    messageIds.push(messageId);
  }
  for (const messageId of messageIds) {
    await scene.grant();
    assert.equal((await scene.done(messageId)).reason, "end_turn");
  }
  const startedMessages = scene.session.all("turn_start").map(({ messageId }) => messageId);
  assert.deepEqual(startedMessages, messageIds);
  assert.match(scene.session.follower.text(), /One\..*Two\..*Three\.\s*$/s);
}
