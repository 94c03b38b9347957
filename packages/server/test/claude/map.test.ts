import fc from "fast-check";
import { expect, test } from "vitest";
import { mapSdkMessage } from "../../src/drivers/claude/map.ts";
import { factsOf, mapped, newState, now, only } from "./support.ts";

test("a turn is reported from its first chunk to its end: thoughts, text, a call, its input, its result", async () => {
  const facts = await factsOf("approved");
  const call = { toolCallId: facts.find((fact) => fact.type === "tool_start")?.toolCallId };
  const input = { command: "echo x >> notes", description: "A scripted command" };
  expect(facts).toEqual([
    { type: "model", model: "claude-opus-5-5" },
    { type: "thinking", text: "A file." },
    { type: "text", text: "I write it down." },
    { type: "tool_start", ...call, toolName: "Bash", kind: "execute", title: "Bash" },
    { type: "tool_input", ...call, inputText: JSON.stringify(input) },
    { type: "tool_ready", ...call, input, title: "echo x >> notes" },
    {
      type: "approval_request",
      requestKey: expect.any(String),
      ...call,
      toolName: "Bash",
      toolKind: "execute",
      title: "echo x >> notes",
      input,
    },
    { type: "tool_result", ...call, status: "complete", result: { text: "(Bash completed with no output)" } },
    { type: "text", text: "Done." },
    { type: "usage", usage: { contextTokens: 120, contextMaxTokens: 1_000_000 } },
    {
      type: "turn_end",
      turnId: "trn_recorded",
      reason: "end_turn",
      usage: { inputTokens: 200, outputTokens: 40, costUsd: 0.0016 },
    },
  ]);
});

test("a denied call has that status, with the text that the model got", async () => {
  expect(only(await factsOf("denied"), "tool_result")).toMatchObject([
    { status: "denied", result: { text: "User denied tool execution: not today" } },
  ]);
});

test("S10 two concurrent sub-agents keep their texts and calls apart", async () => {
  const facts = await factsOf("sub-agents");
  const agents = only(facts, "tool_start").filter(({ toolName }) => toolName === "Agent");
  const reported = agents.map(({ toolCallId }) => ({
    title: only(facts, "tool_ready").find((fact) => fact.toolCallId === toolCallId)?.title,
    words: only(facts, "text").flatMap(({ parent, text }) => (parent === toolCallId ? text : [])),
    calls: only(facts, "tool_start").flatMap((fact) => (fact.parent === toolCallId ? fact.toolName : [])),
  }));
  expect(reported).toEqual([
    { title: "Fox", words: ["Fox begins.", "Fox is done."], calls: ["Bash"] },
    { title: "Owl", words: ["Owl begins.", "Owl is done."], calls: ["Bash"] },
  ]);
  const inputs = only(facts, "tool_input").map(
    ({ toolCallId, inputText }) => [toolCallId, inputText] as const,
  );
  for (const { toolCallId } of agents) {
    const json = inputs.flatMap(([id, text]) => (id === toolCallId ? text : [])).join("");
    expect(JSON.parse(json)).toMatchObject({ subagent_type: "general-purpose" });
  }
  expect(only(facts, "tool_result").map(({ status }) => status)).toEqual(Array(4).fill("complete"));
  expect(facts.at(-1)).toMatchObject({ type: "turn_end", usage: { inputTokens: 600 } });
});

test("the agent's whole task list is reported whenever it changes", async () => {
  const tasks = only(await factsOf("tasks"), "tasks").map((fact) => fact.tasks);
  const feed = (status: string) => [{ id: "1", title: "Feed the sheep", status }];
  expect(tasks).toEqual([feed("pending"), feed("in_progress"), feed("in_progress"), feed("completed")]);
});

test("a list of todos becomes a task list, and a task of an earlier turn keeps its number", () => {
  const todos = [{ content: "Shear", status: "in_progress", activeForm: "Shearing" }];
  const call = (id: string, name: string, input: object) => ({
    type: "assistant",
    message: { id: `m-${id}`, content: [{ type: "tool_use", id, name, input }] },
  });
  const done = (id: string) => ({
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
  });
  const facts = mapped([
    call("t1", "TodoWrite", { todos }),
    done("t1"),
    call("t2", "TaskUpdate", { taskId: "7", status: "completed" }),
    done("t2"),
    call("t3", "TaskUpdate", { taskId: "1", status: "deleted" }),
    done("t3"),
  ]);
  const seven = { id: "7", title: "Task 7", status: "completed" };
  expect(only(facts, "tasks").map((fact) => fact.tasks)).toEqual([
    [{ id: "1", title: "Shear", status: "in_progress" }],
    [{ id: "1", title: "Shear", status: "in_progress" }, seven],
    [seven],
  ]);
  // N9: only a message about one task is a change of that task.
  expect(only(facts, "tasks").map((fact) => fact.change)).toEqual([
    undefined,
    { action: "update", task: seven },
    undefined,
  ]);
});

test("a tool's change of a file becomes a diff, and its failure keeps its message", async () => {
  const results = only(await factsOf("files"), "tool_result");
  expect(results).toMatchObject([
    {
      status: "complete",
      result: { diffs: [{ path: "/home/me/project/song.txt", oldText: null, newText: "la\n" }] },
    },
    { status: "complete", result: { diffs: [{ oldText: "la", newText: "la la" }] } },
    { status: "error", result: { text: expect.stringContaining("does not exist") } },
  ]);
  expect(results[2]?.result).not.toMatchObject({ text: expect.stringContaining("tool_use_error") });
});

test("incomplete input is reported as unknown", () => {
  const event = (event: object) => ({ type: "stream_event", parent_tool_use_id: null, event });
  const facts = mapped([
    event({
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "t1", name: "Bash" },
    }),
    event({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: '{"com' },
    }),
    event({ type: "content_block_stop", index: 0 }),
  ]);
  expect(facts.at(-1)).toEqual({ type: "tool_ready", toolCallId: "t1", input: undefined });
});

test("the result of a server-side tool is read from the agent's message", () => {
  const content = [
    { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "sheep" } },
    { type: "web_search_tool_result", tool_use_id: "s1", content: [{ type: "web_search_result" }] },
  ];
  expect(mapped([{ type: "assistant", message: { id: "m1", content } }])).toMatchObject([
    { type: "tool_start", kind: "fetch" },
    { type: "tool_ready", input: { query: "sheep" } },
    { type: "tool_result", status: "complete", result: { text: "[web_search_result]" } },
  ]);
});

test("retries, a compacted context and a near limit become notices", () => {
  const facts = mapped([
    {
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      max_retries: 3,
      retry_delay_ms: 1239,
      error_status: 529,
    },
    {
      type: "system",
      subtype: "api_retry",
      attempt: 2,
      max_retries: 3,
      retry_delay_ms: 500,
      error_status: null,
    },
    { type: "system", subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 9 } },
    {
      type: "rate_limit_event",
      rate_limit_info: { status: "allowed_warning", utilization: 0.92, resetsAt: 1_795_000_000 },
    },
  ]);
  expect(only(facts, "notice").map(({ code, message }) => [code, message])).toEqual([
    ["API_RETRY", "The model server answered 529; Claude Code retries in 1.2 s (1 of 3)"],
    ["API_RETRY", "The model server could not be reached; Claude Code retries in 0.5 s (2 of 3)"],
    ["COMPACTED", "Claude Code shortened its conversation to fit its context"],
    ["USAGE_WARNING", "92 % of this account's usage limit is used"],
  ]);
  expect(only(facts, "notice").at(-1)?.facts).toMatchObject({ until: "2026-11-18T11:06:40.000Z" });
});

test("an agent that cleared its context continues in another conversation, with a notice", () => {
  const state = newState();
  const init = (session_id: string) => ({ type: "system", subtype: "init", session_id, model: "m" });
  const reset = { type: "conversation_reset", trigger: "clear", session_id: "one" };
  const facts = mapped([init("one"), reset, init("two")], state);
  expect(only(facts, "notice")).toMatchObject([{ code: "FORGOTTEN", facts: { trigger: "clear" } }]);
  expect(state.agentSessionId).toBe("two");
});

test("S7 unknown kinds of messages are counted and change nothing", () => {
  const state = newState();
  const strange = [{ type: "telepathy" }, { type: "system", subtype: "mood" }, { type: "telepathy" }, {}];
  expect(
    mapped([...strange, { type: "command_lifecycle" }, { type: "system", subtype: "status" }], state),
  ).toEqual([]);
  expect(Object.fromEntries(state.unknown)).toEqual({ telepathy: 2, "system/mood": 1, "": 1 });
});

test("the mapper never throws, whatever a message contains", () => {
  const type = fc.constantFrom(
    "stream_event",
    "assistant",
    "user",
    "result",
    "system",
    "rate_limit_event",
    "x",
  );
  const subtype = fc.constantFrom(
    "init",
    "api_retry",
    "informational",
    "background_tasks_changed",
    "success",
  );
  const message = fc.record({
    type,
    subtype,
    message: fc.anything(),
    event: fc.anything(),
    usage: fc.anything(),
  });
  const odd = fc.dictionary(
    fc.constantFrom("rate_limit_info", "tasks", "errors", "tool_use_result"),
    fc.anything(),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(message, odd)), (messages) => {
      const state = newState();
      for (const [one, more] of messages) mapSdkMessage({ ...one, ...more }, state, now);
    }),
  );
});
