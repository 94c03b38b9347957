import type { AgentFact } from "@drover/core";
import { expect, test } from "vitest";
import { UpdateMapper } from "../../src/drivers/acp/map.ts";
import { FactBatch, maxSpeech } from "../../src/drivers/fact-batch.ts";

/** The facts of these updates, in one batch. */
function facts(updates: object[], mapper = new UpdateMapper({ isUnderWay: false })): AgentFact[] {
  const batch = new FactBatch();
  for (const update of updates) mapper.map({ sessionId: "s", update }, batch);
  return batch.facts;
}

const say = (text: string, more: object = {}): object => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...more,
});
const think = (text: string): object => ({
  sessionUpdate: "agent_thought_chunk",
  content: { type: "text", text },
});
const tool = (toolCallId: string, more: object): object => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  ...more,
});

test("consecutive chunks of the same kind are one fact", () => {
  const sub = { _meta: { claudeCode: { parentToolUseId: "t1" } } };
  expect(facts([say("a"), say("b"), think("c"), think("d"), say("e"), say("f", sub), say("g", sub)])).toEqual(
    [
      { type: "text", text: "ab" },
      { type: "thinking", text: "cd" },
      { type: "text", text: "e" },
      { type: "text", text: "fg", parent: "t1" },
    ],
  );
});

test("a text never exceeds its limit, and no character is cut", () => {
  const sheep = "🐑".repeat(maxSpeech);
  const texts = facts([say("x"), say(sheep), say("y")]);
  expect(texts.map((fact) => (fact.type === "text" ? fact.text : "")).join("")).toBe(`x${sheep}y`);
  for (const fact of texts) {
    if (fact.type !== "text") throw new Error("not text");
    expect(fact.text.length).toBeLessThanOrEqual(maxSpeech);
    expect(fact.text.isWellFormed()).toBe(true);
  }
});

test("content that is not text is replaced with its name", () => {
  const content = (block: object): object => ({ sessionUpdate: "agent_message_chunk", content: block });
  expect(
    facts([
      content({ type: "image", data: "…", mimeType: "image/png" }),
      content({ type: "resource_link", name: "notes", uri: "file:///notes" }),
      content({ type: "resource", resource: { uri: "file:///a" } }),
    ]),
  ).toEqual([{ type: "text", text: "[image][notes](file:///notes)[file:///a]" }]);
});

// As claude-agent-acp 0.99 sends it.
test("a tool call is reported from its announcement to its result, with its input and title as they grow", () => {
  const meta = { _meta: { claudeCode: { toolName: "Bash" } } };
  expect(
    facts([
      {
        ...meta,
        sessionUpdate: "tool_call",
        toolCallId: "toolu_12",
        name: "Bash",
        rawInput: {},
        status: "pending",
        title: "Terminal",
        kind: "execute",
        content: [],
      },
      tool("toolu_12", { ...meta, rawInput: { command: "touch a" }, title: "touch a" }),
      tool("toolu_12", { ...meta, rawInput: { command: "touch a", description: "touch" } }),
      tool("toolu_12", { ...meta, rawInput: { description: "touch", command: "touch a" } }),
      tool("toolu_12", { status: "in_progress" }),
      tool("toolu_12", {
        ...meta,
        status: "completed",
        rawOutput: "hi",
        content: [{ type: "content", content: { type: "text", text: "```console\nhi\n```" } }],
      }),
      tool("toolu_12", { status: "completed", title: "too late" }),
    ]),
  ).toEqual([
    { type: "tool_start", toolCallId: "toolu_12", toolName: "Bash", kind: "execute", title: "Terminal" },
    { type: "tool_ready", toolCallId: "toolu_12", input: { command: "touch a" }, title: "touch a" },
    { type: "tool_ready", toolCallId: "toolu_12", input: { command: "touch a", description: "touch" } },
    {
      type: "tool_result",
      toolCallId: "toolu_12",
      status: "complete",
      result: { text: "```console\nhi\n```", rawOutput: "hi" },
    },
  ]);
});

// As codex-acp 2.6 sends it.
test("a command's output in a protocol extension becomes its result", () => {
  expect(
    facts([
      {
        sessionUpdate: "tool_call",
        toolCallId: "call_1",
        name: "exec_command",
        kind: "execute",
        title: "echo a; echo b",
        status: "in_progress",
        content: [{ type: "terminal", terminalId: "call_1" }],
        rawInput: { command: "echo a; echo b" },
      },
      tool("call_1", { _meta: { terminal_output_delta: { data: "a\n" } } }),
      tool("call_1", {
        status: "completed",
        _meta: { terminal_output_delta: { data: "b\n" }, terminal_exit: { exit_code: 0 } },
      }),
    ]).at(-1),
  ).toEqual({
    type: "tool_result",
    toolCallId: "call_1",
    status: "complete",
    result: { text: "a\nb\n", exitCode: 0 },
  });
});

test("a diff is kept from the update that contained it", () => {
  const diff = { type: "diff", path: "/w/a.txt", oldText: null, newText: "one\n" };
  const [, , result] = facts([
    { sessionUpdate: "tool_call", toolCallId: "t", title: "Write", kind: "edit", rawInput: { path: "a" } },
    tool("t", { content: [diff] }),
    tool("t", { status: "completed", rawOutput: "ok" }),
  ]);
  expect(result).toMatchObject({
    result: { diffs: [{ path: "/w/a.txt", oldText: null, newText: "one\n" }], rawOutput: "ok" },
  });
});

test("a failed call has the status error", () => {
  expect(facts([tool("a", { title: "A" }), tool("a", { status: "failed" })])).toMatchObject([
    { type: "tool_start", toolCallId: "a" },
    { toolCallId: "a", status: "error" },
  ]);
});

test("an update for a call that was never announced announces it", () => {
  expect(facts([tool("t", { kind: "unheard-of", status: "completed" })])).toMatchObject([
    { type: "tool_start", toolCallId: "t", toolName: "other", kind: "other", title: "other" },
    { type: "tool_result", toolCallId: "t", status: "complete" },
  ]);
});

test("in a resumed turn an update belongs to an earlier call; in the next turn it announces one", () => {
  const mapper = new UpdateMapper({ isUnderWay: true });
  const done = { title: "Look", status: "completed" };
  expect(facts([tool("t", done)], mapper).map(({ type }) => type)).toEqual(["tool_result"]);
  mapper.tools.endTurn();
  expect(facts([tool("u", done)], mapper).map(({ type }) => type)).toEqual(["tool_start", "tool_result"]);
});

test("an id can be used again in the next turn, and late updates of the previous turn are dropped", () => {
  const mapper = new UpdateMapper({ isUnderWay: false });
  const begin = { sessionUpdate: "tool_call", toolCallId: "call-1", title: "Look", kind: "read" };
  facts([begin], mapper);
  mapper.tools.endTurn();
  expect(facts([tool("call-1", { status: "completed" })], mapper)).toEqual([]);
  expect(facts([begin, tool("call-1", { status: "completed" })], mapper).map(({ type }) => type)).toEqual([
    "tool_start",
    "tool_result",
  ]);
});

test("a plan becomes the list of tasks", () => {
  const entries = [
    { content: "do a", status: "in_progress", priority: "high" },
    { content: "do b", status: "someday", priority: "whenever" },
  ];
  expect(facts([{ sessionUpdate: "plan", entries }])).toEqual([
    {
      type: "tasks",
      tasks: [
        { id: "1", title: "do a", status: "in_progress", priority: "high" },
        { id: "2", title: "do b", status: "pending" },
      ],
    },
  ]);
});

test("usage is reported when it changes", () => {
  const usage = (used: number, more: object = {}): object => ({
    sessionUpdate: "usage_update",
    used,
    size: 1000,
    ...more,
  });
  const cost = { cost: { amount: 0.5, currency: "USD" } };
  const euros = { cost: { amount: 9, currency: "EUR" } };
  expect(facts([usage(10), usage(10), usage(20, cost), usage(20, { ...cost }), usage(20, euros)])).toEqual([
    { type: "usage", usage: { contextTokens: 10, contextMaxTokens: 1000 } },
    { type: "usage", usage: { contextTokens: 20, costUsd: 0.5 } },
  ]);
});

test("a model is reported when the agent changes it", () => {
  const options = (currentValue: string): object => ({
    sessionUpdate: "config_option_update",
    configOptions: [{ id: "model", name: "Model", type: "select", currentValue, options: [] }],
  });
  const mapper = new UpdateMapper({ isUnderWay: true, model: "small" });
  expect(facts([options("small"), options("large"), options("large")], mapper)).toEqual([
    { type: "model", model: "large" },
  ]);
});

test("a compacted conversation becomes a notice", () => {
  const compaction = (status: string): object => ({
    sessionUpdate: "compaction_update",
    compactionId: "c",
    status,
  });
  expect(facts([compaction("in_progress"), compaction("completed")])).toMatchObject([{ code: "COMPACTED" }]);
});

test("S7 unknown, malformed and irrelevant updates produce no facts", () => {
  const odd = [
    { sessionUpdate: "unheard_of" },
    { sessionUpdate: "agent_message_chunk" },
    { sessionUpdate: "agent_message_chunk", content: { type: "hologram" } },
    { sessionUpdate: "tool_call", title: "without an id" },
    { sessionUpdate: "tool_call", toolCallId: 7 },
    { sessionUpdate: "usage_update", used: "many" },
    { sessionUpdate: "user_message_chunk", content: { type: "text", text: "me" } },
    { sessionUpdate: "current_mode_update", currentModeId: "plan" },
    { sessionUpdate: "session_info_update", title: "x" },
  ];
  expect(facts(odd)).toEqual([]);
  const batch = new FactBatch();
  for (const params of [undefined, null, 7, "x", [], { update: null }]) {
    new UpdateMapper({ isUnderWay: false }).map(params, batch);
  }
  expect(batch.facts).toEqual([]);
});
