// The session's system text, instruction file and context, as they arrive in the model's requests, whichever way an
// agent passes them on.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

const system = "Always speak of birds.";
const instructions = "Never speak of cats.";
/** Part of the context that Drover gives to agents. */
const runtime = "Product: Drover";

/** How often each of them occurs in the request that the model answered with `say`. */
function occurrences(scene: Scene, say: string): number[] {
  const body = JSON.stringify(scene.requestFor(say).body);
  return [system, instructions, runtime].map((words) => body.split(words).length - 1);
}

const each = (times: number) => [times, times, times];

export async function sessionPrompt(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const instructionFile = join(cwd, "RULES.md");
  await writeFile(instructionFile, instructions);
  const fields = { agent: subject.name, cwd, system, instructionFile };
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", fields);
  await using session = new Conversation(rig, id);
  const turn = async (say: string): Promise<void> => {
    const { reason, error } = await session.turn(scene.prompt({ say }), patience);
    assert.equal(reason, "end_turn", error?.message);
  };
  await turn("First bird.");
  assert.deepEqual(occurrences(scene, "First bird."), each(1), "with the first prompt");
  await turn("Second bird.");
  assert.deepEqual(occurrences(scene, "Second bird."), each(1), "not again with the second");

  const { agentSessionId, capabilities } = await session.get();
  assert.equal(capabilities.resume, true);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", { ...patience, what: "it stops" });
  await subject.beforeLoad?.(rig.home);
  await turn("Third bird.");
  assert.equal((await session.get()).agentSessionId, agentSessionId, "the conversation was loaded");
  // A system prompt is not part of the conversation, but an earlier prompt is, and stays.
  const isPrompt = subject.capabilities.systemText === "prompt";
  assert.deepEqual(occurrences(scene, "Third bird."), each(isPrompt ? 2 : 1), "once more after loading");
  await turn("Fourth bird.");
  assert.deepEqual(occurrences(scene, "Fourth bird."), each(isPrompt ? 2 : 1), "not again with the next");
  await rig.client.delete(`/api/sessions/${id}`);
}

/** The file exceeds the limit, so it is shortened. */
export async function longInstructionFile(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const instructionFile = join(cwd, "RULES.md");
  await writeFile(instructionFile, `${instructions}\n`.repeat(45_000));
  const fields = { agent: subject.name, cwd, system, instructionFile };
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", fields);
  await using session = new Conversation(rig, id);
  const { reason, error } = await session.turn(scene.prompt({ say: "A long rule." }), patience);
  assert.equal(reason, "end_turn", error?.message);
  const body = JSON.stringify(scene.requestFor("A long rule.").body);
  const [, missing] = /\[… (\d+) bytes left out\]/.exec(body) ?? [];
  const keptLines = body.split(instructions).length - 1;
  const missingLines = Number(missing) / (instructions.length + 1);
  assert.ok(
    Math.abs(keptLines + missingLines - 45_000) <= 1,
    `${keptLines} lines arrived and ${missingLines} were left out`,
  );
  assert.ok(keptLines > 30_000);
  assert.equal(body.split(system).length, 2, "once");
  await rig.client.delete(`/api/sessions/${id}`);
}
