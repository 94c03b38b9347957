// What custom programs can show besides text, with configuration only.
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { jsonl } from "./jsonl-programs.ts";
import { heldIn, openRig, openSession, release } from "./support.ts";

const rules = {
  toolStarted: [{ type: "begin", id: ["id"], name: ["tool"], kind: "search", input: ["input"] }],
  toolFinished: [{ type: "end", id: ["id"], output: ["output"] }],
  done: "exit",
};

test("a tool call that began under one server ends under the next, and the exit of the program ends the turn", async () => {
  await using rig = await openRig((home) => ({
    agents: {
      kit: { ...jsonl("jsonl-tools.mjs", ...heldIn(home)), ...rules },
      failing: { ...jsonl("jsonl-tools.mjs", "--count", "3", ...heldIn(home)), ...rules },
    },
  }));
  await using session = await openSession(rig);
  await using failing = await openSession(rig, "failing");
  const { messageId } = await session.send("go");
  const other = await failing.send("go");
  const hasBegun = () => session.all("tool_call_end").length + failing.all("tool_call_end").length === 2;
  await until(hasBegun, { what: "both calls have begun" });
  await rig.server.kill9();
  await rig.start();
  await release(rig);
  expect(await session.done(messageId)).toMatchObject({ ok: true, reason: "end_turn" });
  const tool = { toolName: "grep", kind: "search", title: "grep", input: { pattern: "x" } };
  expect(await session.items()).toMatchObject([
    { kind: "user" },
    { kind: "tool", tool: { ...tool, status: "complete", result: { text: "3 lines" } } },
    { kind: "text", text: "Found it.", status: "complete" },
  ]);
  expect(await failing.done(other.messageId)).toMatchObject({
    ok: false,
    reason: "crashed",
    error: { code: "AGENT_CRASHED", message: expect.stringContaining("exit code 3") },
  });
});

test("`like` reads a program's lines like those of a shipped agent: text, tool calls and conversation", async () => {
  await using rig = await openRig({
    agents: { kit: { ...jsonl("jsonl-lines.mjs"), like: "codex", resume: ["--continue", "{sessionId}"] } },
  });
  await using session = await openSession(rig);
  const command = { id: "i1", type: "command_execution", command: "ls" };
  const lines = [
    { type: "thread.started", thread_id: "thread-1" },
    { type: "item.started", item: { ...command, status: "in_progress" } },
    {
      type: "item.completed",
      item: { ...command, status: "completed", aggregated_output: "a", exit_code: 0 },
    },
    { type: "item.completed", item: { id: "i2", type: "agent_message", text: "There is one." } },
    { type: "turn.completed", usage: { input_tokens: 7, output_tokens: 2 } },
  ];
  const done = await session.turn(lines.map((one) => JSON.stringify(one)).join("\n"));
  expect(done).toMatchObject({ ok: true, reason: "end_turn" });
  expect((await session.items()).slice(1)).toMatchObject([
    { kind: "tool", tool: { kind: "execute", title: "ls", status: "complete", result: { text: "a" } } },
    { kind: "text", text: "There is one." },
  ]);
  expect(await session.get()).toMatchObject({
    agentSessionId: "thread-1",
    usage: { inputTokens: 7, outputTokens: 2 },
    capabilities: { resume: true, completion: "event" },
  });
});
