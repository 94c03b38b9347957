// The real Claude Code outlives the host of its driver, and another host attaches to it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { isAlive } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { scriptedPrompt } from "../models/script.ts";
import type { Check } from "./checks.ts";
import type { Journal, Scene } from "./claude-scene.ts";
import { checker, conversationOf, ended, plainTurn, toolResults, writing } from "./claude-turn.ts";

interface Death {
  signal: "SIGKILL" | "SIGTERM";
  /** The host dies before it has stored the agent's request. */
  isRequestLost: boolean;
}

/** A host in its own process, which is killed while the agent waits. */
async function dieWhileAsked(
  scene: Scene,
  journal: Journal,
  { signal, isRequestLost }: Death,
): Promise<void> {
  const program = join(import.meta.dirname, "claude-host.ts");
  const args = [JSON.stringify(scene.stage), journal.file, writing, ...(isRequestLost ? ["lose"] : [])];
  const host = spawn(process.execPath, ["-C", "source", program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  host.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const exited = once(host, "exit");
  try {
    if (isRequestLost)
      await until(() => output.includes("lost"), { deadline: 60_000, what: "a lost request" });
    else await journal.fact("approval_request");
  } finally {
    host.kill(signal);
    await exited;
  }
}

async function survive(scene: Scene, death: Death): Promise<void> {
  const journal = scene.journal();
  await dieWhileAsked(scene, journal, death);
  const attach = await journal.attachment();
  assert.ok(isAlive(attach.process.pid), "the agent is still alive");
  assert.equal(Object.keys(attach.pending).length, death.isRequestLost ? 0 : 1);

  const connection = await scene.open(journal, { attach });
  await connection.caughtUp;
  const { requestKey } = await journal.fact("approval_request");
  await connection.answer(requestKey, { type: "approved" });
  const { end } = await ended(connection, journal);
  assert.deepEqual([end.turnId, end.reason], ["trn_killed", "end_turn"]);
  assert.equal(await scene.notes(), "x\n");
  assert.equal(toolResults(scene.model).length, 1);
  const facts = await journal.facts();
  for (const type of ["tool_start", "approval_request", "tool_result", "turn_end"]) {
    assert.equal(facts.filter((fact) => fact.type === type).length, 1, `one ${type}`);
  }
  assert.equal(await journal.text(), "I write it down.Done.");

  const next = await plainTurn(scene, scriptedPrompt({ say: "Still here." }), conversationOf(connection));
  assert.equal(next.end.reason, "end_turn");
  assert.equal(toolResults(scene.model).length, 1);
}

export function claudeSurvivalChecks(installed: string): Check[] {
  const check = checker(installed);
  return [
    check(
      "X8 A5 claude driver: after kill -9 of its host while the agent asks, another host attaches and the command runs once",
      (scene) => survive(scene, { signal: "SIGKILL", isRequestLost: false }),
    ),
    check(
      "X8 A5 claude driver: after kill -9 of its host before the request is stored, it is asked once and runs once",
      (scene) => survive(scene, { signal: "SIGKILL", isRequestLost: true }),
    ),
    check(
      "X8 claude driver: after SIGTERM of its host while the agent asks, another host attaches and the command runs once",
      (scene) => survive(scene, { signal: "SIGTERM", isRequestLost: false }),
    ),
    check(
      "X8 claude driver: an agent that exited without a host is recorded to its last output",
      async (scene) => {
        const journal = scene.journal();
        const connection = await scene.open(journal);
        await connection.prompt("trn_killed", writing);
        await journal.fact("approval_request");
        connection.detach();
        process.kill(connection.pid, "SIGKILL");
        await until(() => !isAlive(connection.pid));
        const late = await scene.open(journal, { attach: await journal.attachment() });
        await late.caughtUp;
        assert.equal((await late.ended).code, null);
        assert.equal(await journal.text(), "I write it down.");
        assert.equal((await journal.facts()).filter(({ type }) => type === "approval_request").length, 1);
      },
    ),
  ];
}
