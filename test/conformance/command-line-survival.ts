// What happens to programs that are started for every turn when their server ends.
import assert from "node:assert/strict";
import type { Server } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { release, started, waiting } from "./command-line-turns.ts";
import { patience, type Scene } from "./stage.ts";

/** The server ends while the agent runs a command, which continues once the next server has found the agent. */
export async function serverEnds(scene: Scene, end: (server: Server) => Promise<unknown>): Promise<void> {
  const { rig, session } = scene;
  await scene.turn({ say: "The robin sings." });
  const messageId = await scene.letRun([{ say: "I begin.", run: waiting }, { say: "Done." }]);
  await started(scene);
  const { pid } = (await session.get()).connection;
  assert.ok(pid);
  await end(rig.server);
  await rig.start();
  const isFound = async () => (await session.get()).connection.pid === pid;
  await until(isFound, { ...patience, what: "the agent is found again" });
  await release(scene);
  assert.equal((await scene.done(messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "x\n");
  assert.match(session.follower.text(), /The robin sings\.\s*(?:\w+ \d+\s*)?I begin\.\s*Done\.\s*$/);
  if (scene.hasModel) assert.equal(session.all("tool_result").length, 1);
  assert.equal(session.all("done").length, 2);
  await scene.assertUsable();
}
