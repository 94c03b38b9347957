// How the Claude Code driver reports outside failures, with the real program.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { Fault } from "@drover/core";
import { scriptedPrompt } from "../models/script.ts";
import type { Check } from "./checks.ts";
import { openClaude } from "./claude-scene.ts";
import { checker, conversationOf, plainTurn } from "./claude-turn.ts";

async function faultOf(opened: Promise<unknown>): Promise<Fault> {
  const fault = await opened.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(fault instanceof Fault, `failed with ${String(fault)}`);
  return fault;
}

export function claudeFailureChecks(installed: string): Check[] {
  const check = checker(installed);
  return [
    check(
      "claude driver: 401 is a failed login that a person must fix, and the conversation continues",
      async (scene) => {
        const { end, journal, connection } = await plainTurn(
          scene,
          scriptedPrompt({ fail: { status: 401 } }),
        );
        assert.equal(end.reason, "auth");
        assert.deepEqual([end.fault?.code, end.fault?.retry], ["AUTH_FAILED", "never"]);
        assert.match(end.fault?.message ?? "", /Log in to Claude Code/);
        assert.equal((await journal.fact("notice")).code, "API_RETRY");
        assert.equal(await journal.text(), "", "a failure is not part of the answer");
        const again = await plainTurn(scene, scriptedPrompt({ say: "Better." }), conversationOf(connection));
        assert.equal(again.end.reason, "end_turn");
      },
    ),
    check("claude driver: 429, 529 and an unreachable server have different codes", async (scene) => {
      const nowhere = { env: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } };
      const cases = [
        { step: { fail: { status: 429 } }, expected: ["RATE_LIMITED", "usage_limit"] },
        { step: { fail: { status: 529 } }, expected: ["OVERLOADED", "error"] },
        { step: { say: "Never said." }, changes: nowhere, expected: ["NETWORK", "error"] },
      ];
      for (const { step, changes, expected } of cases) {
        const { end } = await plainTurn(scene, scriptedPrompt(step), changes);
        assert.deepEqual([end.fault?.code, end.reason], expected);
      }
    }),
    check(
      "X2 claude driver: an unknown conversation, a missing program and a missing directory have different codes",
      async (scene) => {
        const agentSessionId = "99999999-2222-4333-8444-555555555555";
        const unknown = await faultOf(scene.open(scene.journal(), { agentSessionId }));
        assert.equal(unknown.code, "RESUME_UNKNOWN");
        const { stage } = scene;
        const missing = await faultOf(openClaude({ ...stage, installed: stage.home }, scene.journal()));
        assert.equal(missing.code, "AGENT_MISSING");
        assert.equal(missing.message, "Could not start Claude Code. Check that it's installed.");
        await rm(stage.cwd, { recursive: true });
        assert.equal((await faultOf(scene.open(scene.journal()))).code, "WORKSPACE_MISSING");
      },
    ),
  ];
}
