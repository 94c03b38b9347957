// What the model is told of the session: its system text, its instruction file and where the agent works. Read from the
// model's own requests, whichever way an agent takes it there.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Conversation } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

const system = "Always speak of birds.";
const instructions = "Never speak of cats.";
/** Words of Drover's own description of where an agent is. */
const runtime = "Product: Drover";

/** How often the model was told each of them, in the request that it answered so. */
function tellings(scene: Scene, say: string): number[] {
  const body = JSON.stringify(scene.requestFor(say).body);
  return [system, instructions, runtime].map((words) => body.split(words).length - 1);
}

const each = (times: number) => [times, times, times];

export async function tell(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const instructionFile = join(cwd, "RULES.md");
  await writeFile(instructionFile, instructions);
  const given = { agent: subject.name, cwd, system, instructionFile };
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", given);
  await using session = new Conversation(rig, id);
  const turn = async (say: string): Promise<void> => {
    const { reason, error } = await session.turn(scene.prompt({ say }), patience);
    assert.equal(reason, "end_turn", error?.message);
  };
  await turn("First bird.");
  assert.deepEqual(tellings(scene, "First bird."), each(1), "with the first prompt");
  await turn("Second bird.");
  assert.deepEqual(tellings(scene, "Second bird."), each(1), "not with the second");

  const { agentSessionId, capabilities } = await session.get();
  assert.equal(capabilities.resume, true);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", { ...patience, what: "it stops" });
  await subject.beforeLoad?.(rig.home);
  await turn("Third bird.");
  assert.equal((await session.get()).agentSessionId, agentSessionId, "the conversation was loaded");
  // A system prompt is not part of the conversation; a prompt of it is, and stays.
  const isPrompt = subject.capabilities.systemText === "prompt";
  assert.deepEqual(tellings(scene, "Third bird."), each(isPrompt ? 2 : 1), "again, once");
  await turn("Fourth bird.");
  assert.deepEqual(tellings(scene, "Fourth bird."), each(isPrompt ? 2 : 1), "and not again");
  await rig.client.delete(`/api/sessions/${id}`);
}

/** More than an agent is given: the file is shortened, and the rest arrives. */
export async function tellMuch(scene: Scene): Promise<void> {
  const { rig, cwd, subject } = scene;
  const instructionFile = join(cwd, "RULES.md");
  await writeFile(instructionFile, `${instructions}\n`.repeat(45_000));
  const given = { agent: subject.name, cwd, system, instructionFile };
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", given);
  await using session = new Conversation(rig, id);
  const { reason, error } = await session.turn(scene.prompt({ say: "A long rule." }), patience);
  assert.equal(reason, "end_turn", error?.message);
  const body = JSON.stringify(scene.requestFor("A long rule.").body);
  const [, missing] = /\[… (\d+) bytes left out\]/.exec(body) ?? [];
  const kept = body.split(instructions).length - 1;
  const left = Number(missing) / (instructions.length + 1);
  assert.ok(Math.abs(kept + left - 45_000) <= 1, `${kept} lines arrived and ${left} were left out`);
  assert.ok(kept > 30_000);
  assert.equal(body.split(system).length, 2, "once");
  await rig.client.delete(`/api/sessions/${id}`);
}
