// What happens to agents when the server or the agent is killed.
import assert from "node:assert/strict";
import { processesOfSession } from "../e2e/support.ts";
import type { Server } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

/** The server ends while the agent waits for an approval, which the next server receives. */
export async function serverKilled(scene: Scene, end: (server: Server) => Promise<unknown>): Promise<void> {
  const { rig, session } = scene;
  await scene.turn({ say: "The robin sings." });
  const asking = await scene.promptUntilAsked({ run: "echo x >> notes" }, { say: "Done." });
  await end(rig.server);
  await rig.start();
  const interaction = await scene.interaction();
  assert.equal(interaction.id, asking.interaction.id);
  await scene.approve(interaction);
  assert.equal((await scene.done(asking.messageId)).reason, "end_turn");
  assert.equal(await scene.notes(), "x\n");
  assert.equal(session.all("approval_required").length, 1);
  assert.equal(session.all("tool_result").length, 1);
  if (scene.hasModel) assert.equal(scene.results("Done.").length, 1);
  await scene.assertUsable();
  if (!scene.hasModel) return;
  assert.equal(scene.results("Still here.").length, 1);
  assert.match(JSON.stringify(scene.conversationAt("Still here.")), /The robin sings\./);
}

/** The agent's process is killed while its command runs. */
export async function agentKilled(scene: Scene): Promise<void> {
  const { rig, session } = scene;
  await scene.turn({ say: "The robin sings." });
  const run = "echo x >> notes; tail -f /dev/null";
  const messageId = await scene.letRun([{ run }, { say: "Never said." }]);
  await until(() => scene.notes(), { ...patience, what: "the command runs" });
  const { pid } = (await session.get()).connection;
  assert.ok(pid);
  process.kill(pid, "SIGKILL");
  const { reason, ok, error } = await scene.done(messageId);
  assert.deepEqual([reason, ok, error?.code], ["crashed", false, "AGENT_CRASHED"]);
  const isGone = () =>
    processesOfSession(rig, session.id).every(
      (found) => found.pid !== pid && !found.command.includes("tail -f"),
    );
  await until(isGone, { ...patience, what: "the agent's command is gone" });
  await scene.assertUsable();
  if (scene.hasModel) assert.match(JSON.stringify(scene.conversationAt("Still here.")), /The robin sings\./);
}
