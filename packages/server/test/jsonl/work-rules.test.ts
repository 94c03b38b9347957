// What a custom agent reports besides text, by rules alone.
import type { Preset } from "@drover/core";
import { expect, test } from "vitest";
import { LimitRules } from "../../src/drivers/jsonl/limit-rules.ts";
import { RulesMapper } from "../../src/drivers/jsonl/map-rules.ts";
import { JsonLinesReader } from "../../src/drivers/jsonl/reader.ts";
import { linesOf, presetOf } from "./support.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const exit = (code: number, stderrTail = "") => ({ code, signal: null, stderrTail });

function read(preset: Partial<Preset>, ...messages: unknown[]) {
  const kit = presetOf(preset);
  const reader = new JsonLinesReader(kit, new LimitRules(kit, new RulesMapper(kit)));
  const facts = reader.read(linesOf(messages.map((one) => `${JSON.stringify(one)}\n`).join("")), NOW);
  return { facts, reader };
}

const tools: Partial<Preset> = {
  toolStarted: [
    {
      type: "call",
      id: ["call", "id"],
      name: ["call", "tool"],
      title: ["call", "title"],
      kind: ["call", "kind"],
      input: ["call", "arguments"],
    },
    { type: "shell", name: "shell", title: ["command"], kind: "execute" },
  ],
  toolFinished: [
    { type: "answer", id: ["id"], output: ["parts", 0, "text"] },
    { type: "shell_end", output: ["output"] },
  ],
  toolFailed: [{ type: "answer", at: ["ok"], is: false, id: ["id"], output: ["why"] }],
};

test("a tool call starts and ends by rules, with its parts from paths or from the rule itself", () => {
  const call = { id: "c1", tool: "grep", title: "Look for x", kind: "search", arguments: { pattern: "x" } };
  const { facts } = read(
    tools,
    { type: "call", call },
    { type: "shell", command: "ls" },
    { type: "shell_end", output: ["a", "b"] },
    { type: "answer", id: "c1", parts: [{ text: "found" }] },
  );
  expect(facts).toEqual([
    { type: "tool_start", toolCallId: "c1", toolName: "grep", kind: "search", title: "Look for x" },
    { type: "tool_ready", toolCallId: "c1", input: { pattern: "x" } },
    { type: "tool_start", toolCallId: "call-1", toolName: "shell", kind: "execute", title: "ls" },
    { type: "tool_ready", toolCallId: "call-1", input: {} },
    {
      type: "tool_result",
      toolCallId: "call-1",
      status: "complete",
      result: { text: '[\n  "a",\n  "b"\n]' },
    },
    { type: "tool_result", toolCallId: "c1", status: "complete", result: { text: "found" } },
  ]);
});

test("a rule for failures wins, numbers can be ids, unknown kinds are other, and the title defaults to the tool's name", () => {
  const { facts } = read(
    tools,
    { type: "call", call: { id: 7, tool: "grep", kind: "conjure" } },
    { type: "answer", id: 7, ok: false, why: "no such file" },
  );
  expect(facts).toEqual([
    { type: "tool_start", toolCallId: "7", toolName: "grep", kind: "other", title: "grep" },
    { type: "tool_ready", toolCallId: "7", input: {} },
    { type: "tool_result", toolCallId: "7", status: "error", result: { text: "no such file" } },
  ]);
});

test("an end without a start is left out, and so is a second end", () => {
  const started = { type: "call", call: { id: "c1", tool: "t" } };
  const ended = { type: "answer", id: "c1", parts: [] };
  const { facts } = read(tools, { type: "answer", id: "c0" }, { type: "shell_end" }, started, ended, ended);
  expect(facts.map(({ type }) => type)).toEqual(["tool_start", "tool_ready", "tool_result"]);
});

test("one line can be a whole call and also text", () => {
  const preset: Partial<Preset> = {
    text: [{ type: "did", at: ["note"] }],
    toolStarted: [{ type: "did", title: ["what"] }],
    toolFinished: [{ type: "did", output: ["got"] }],
  };
  const { facts } = read(preset, { type: "did", what: "Counted", got: "3", note: "There are 3." });
  expect(facts.map(({ type }) => type)).toEqual(["tool_start", "tool_ready", "tool_result", "text"]);
});

test("thinking is separate from text, and without rules for text no line of another rule counts as text", () => {
  const { facts, reader } = read(
    { ...tools, thinking: [{ type: "hm" }, { type: "why", at: ["because"] }] },
    { type: "hm", text: "let me see" },
    { type: "why", because: "it is so", text: "no" },
    { type: "shell", command: "ls", text: "no" },
    { type: "say", text: "Hello" },
    { type: "odd" },
  );
  expect(facts.filter(({ type }) => type === "text" || type === "thinking")).toEqual([
    { type: "thinking", text: "let me seeit is so" },
    { type: "text", text: "Hello" },
  ]);
  expect([...reader.unknown.keys()]).toEqual(["odd"]);
});

test("usage is the sum of a turn's lines, and starts again with the next turn", () => {
  const usage = [
    {
      type: "step",
      inputTokens: ["used", "in"],
      outputTokens: ["used", "out"],
      costUsd: ["used", "usd"],
    },
  ];
  const { reader, facts } = read(
    { usage },
    { type: "step", used: { in: 10, out: 2, usd: 0.5 } },
    { type: "step", used: { in: 5, out: "many" } },
    { type: "result" },
  );
  expect(facts).toEqual([]);
  const ending = { reason: "end_turn", usage: { inputTokens: 15, outputTokens: 2, costUsd: 0.5 } };
  expect(reader.ending).toEqual(ending);
  reader.beginTurn();
  reader.read(linesOf('{"type":"result"}\n'), NOW);
  expect(reader.ending, "the next turn has used nothing yet").toEqual({ reason: "end_turn" });
});

test("with done: exit the turn ends with the process, whatever its lines say", () => {
  const { reader, facts } = read({ done: "exit" }, { type: "say", text: "Hi" }, { type: "turn.completed" });
  expect(facts).toEqual([{ type: "text", text: "Hi" }]);
  expect(reader.ending).toBeUndefined();
  expect(reader.conclude(exit(0), NOW)).toEqual({ reason: "end_turn" });
  expect(reader.conclude(exit(3, "no disk\n"), NOW)).toMatchObject({
    reason: "crashed",
    fault: { code: "AGENT_CRASHED", message: expect.stringContaining("no disk") },
  });
});

test("with done: exit a line that reports a failure still decides, and so does the reason for the exit", () => {
  const failing = read({ done: "exit", failed: [{ type: "sorry" }] }, { type: "sorry", message: "No" });
  expect(failing.reader.ending, "it may have more to say").toBeUndefined();
  expect(failing.reader.conclude(exit(0), NOW)).toMatchObject({
    reason: "error",
    fault: { code: "MODEL_ERROR", message: "No" },
  });
  const error = [{ type: "oops", at: ["why"], status: 401 }];
  const refused = read({ done: "exit", error }, { type: "oops", why: "key expired" });
  expect(refused.reader.conclude(exit(1), NOW)).toMatchObject({ fault: { code: "AUTH_FAILED" } });
  expect(refused.reader.conclude(exit(0), NOW), "it got over it").toEqual({ reason: "end_turn" });
});

test("any of several texts on standard error means that the conversation is gone", () => {
  const { reader } = read({ forgotten: ["no such thread", "thread expired"] });
  expect(reader.conclude(exit(1, "error: thread expired\n"), NOW)).toMatchObject({
    fault: { code: "RESUME_UNKNOWN" },
  });
  expect(reader.conclude(exit(1, "error: other\n"), NOW)).toMatchObject({ fault: { code: "AGENT_CRASHED" } });
});
