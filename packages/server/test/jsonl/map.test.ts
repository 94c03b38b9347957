import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClaudePrintMapper } from "../../src/drivers/claude/map-print.ts";
import { CodexMapper } from "../../src/drivers/jsonl/map-codex.ts";
import { GeminiMapper } from "../../src/drivers/jsonl/map-gemini.ts";
import { OpencodeMapper } from "../../src/drivers/jsonl/map-opencode.ts";
import { RulesMapper } from "../../src/drivers/jsonl/map-rules.ts";
import { JsonLinesReader } from "../../src/drivers/jsonl/reader.ts";
import { GONE, linesOf, NOW, presetOf } from "./support.ts";

describe("codex", () => {
  const codex = (...messages: unknown[]) => {
    const mapper = new CodexMapper(presetOf());
    const facts = messages.flatMap((one) => mapper.map(one as Record<string, unknown>, NOW));
    return { facts, mapper };
  };

  test("consecutive messages are separated", () => {
    const message = (text: string) => ({
      type: "item.completed",
      item: { id: text, type: "agent_message", text },
    });
    expect(codex(message("one"), message("two")).facts).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "\n\ntwo" },
    ]);
  });

  test("the whole task list is reported each time", () => {
    const items = [
      { text: "look", completed: true },
      { text: "leap", completed: false },
    ];
    expect(codex({ type: "item.updated", item: { id: "i", type: "todo_list", items } }).facts).toEqual([
      {
        type: "tasks",
        tasks: [
          { id: "1", title: "look", status: "completed" },
          { id: "2", title: "leap", status: "pending" },
        ],
      },
    ]);
  });

  test("a failure is classified by the start of its message, not by text from a server or a model", () => {
    const { mapper } = codex({
      type: "turn.failed",
      error: { message: "Bad: unexpected status 401, usage limit" },
    });
    expect(mapper.ending?.fault).toMatchObject({ code: "MODEL_ERROR" });
  });

  test("errors during a successful turn do not end it", () => {
    const { mapper, facts } = codex(
      { type: "error", message: "Reconnecting... 1/5 (429 Too Many Requests)" },
      { type: "item.completed", item: { id: "i", type: "error", message: "Model metadata not found" } },
      { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 2 } },
    );
    expect(mapper.ending).toEqual({ reason: "end_turn" });
    expect(facts.map((fact) => (fact.type === "notice" ? fact.code : fact.type))).toEqual([
      "API_RETRY",
      "AGENT_NOTICE",
      "usage",
    ]);
  });
});

test.for<[number | null, string]>([
  [41, "AUTH_FAILED"],
  [52, "AGENT_UNREACHABLE"],
  [55, "AGENT_UNREACHABLE"],
  [145, "AUTH_FAILED"],
  [173, "RATE_LIMITED"],
  [1, "AGENT_CRASHED"],
  [0, "NO_COMPLETION"],
  [null, "AGENT_CRASHED"],
])("gemini's exit code %s without output is %s", ([code, fault]) => {
  const kit = presetOf();
  const reader = new JsonLinesReader(kit, new GeminiMapper(kit));
  expect(reader.conclude({ code, signal: null, stderrTail: "why" }, NOW).fault).toMatchObject({
    code: fault,
  });
});

test("gemini does not keep a conversation without a reply, so it has no id before the first one", () => {
  const kit = presetOf({ sessionId: ["init", "session_id"] });
  const reader = new JsonLinesReader(kit, new GeminiMapper(kit));
  const say = (message: object) => reader.read(linesOf(`${JSON.stringify(message)}\n`), NOW);
  say({ type: "init", session_id: "c-3" });
  say({ type: "message", role: "user", content: "hi" });
  expect(reader.agentSessionId).toBeUndefined();
  say({ type: "message", role: "assistant", content: "hello", delta: true });
  expect(reader.agentSessionId).toBe("c-3");
});

test("opencode forwards a vendor's error for an exhausted account and its reset time", () => {
  const fault = (error: object, headers = {}) => {
    const mapper = new OpencodeMapper(presetOf());
    const responseBody = JSON.stringify({ type: "error", error });
    const data = { message: "No", statusCode: 429, responseHeaders: headers, responseBody };
    mapper.map({ type: "error", error: { name: "APIError", data } }, NOW);
    return mapper.ending?.fault;
  };
  const until = new Date(NOW + 7_200_000).toISOString();
  expect(fault({ type: "GoUsageLimitError" }, { "retry-after": "7200" })).toMatchObject({
    ...{ code: "USAGE_LIMIT", retry: "other-account", facts: { until } },
  });
  expect(fault({ code: "insufficient_quota" })).toMatchObject({ facts: { assumed: true } });
  expect(fault({ type: "rate_limit_error", message: "insufficient_quota" })).toMatchObject({
    code: "RATE_LIMITED",
  });
});

test("codex reports an untrusted directory only on stderr", () => {
  const kit = presetOf();
  const conclude = (code: number, stderrTail: string) =>
    new JsonLinesReader(kit, new CodexMapper(kit)).conclude({ code, signal: null, stderrTail }, NOW).fault
      ?.code;
  const words = "Not inside a trusted directory and --skip-git-repo-check was not specified.\n";
  expect(conclude(1, words)).toBe("AGENT_UNREACHABLE");
  expect(conclude(1, `It said: ${words}`)).toBe("AGENT_CRASHED");
  expect(conclude(0, words)).toBe("NO_COMPLETION");
});

test("opencode's last step counts only once its program exits", () => {
  const conclude = (code: number | null, ...reasons: string[]) => {
    const kit = presetOf();
    const reader = new JsonLinesReader(kit, new OpencodeMapper(kit));
    for (const reason of reasons) {
      reader.read(linesOf(`${JSON.stringify({ type: "step_finish", part: { reason } })}\n`), NOW);
    }
    return reader.conclude({ code, signal: null, stderrTail: "" }, NOW).fault?.code ?? "ok";
  };
  expect(conclude(0, "tool-calls", "stop")).toBe("ok");
  expect(conclude(null, "stop"), "found again without its exit code").toBe("ok");
  expect(conclude(1, "stop")).toBe("AGENT_CRASHED");
  expect(conclude(0, "tool-calls")).toBe("NO_COMPLETION");
});

test.for<[object, string]>([
  [{ name: "APIError", data: { message: "No", statusCode: 429 } }, "RATE_LIMITED"],
  [{ name: "APIError", data: { message: "No", statusCode: 529 } }, "OVERLOADED"],
  [{ name: "APIError", data: { message: "Cannot connect to API" } }, "NETWORK"],
  [{ name: "ProviderAuthError", data: { message: "No" } }, "AUTH_FAILED"],
  [{ name: "UnknownError", data: { message: "No" } }, "MODEL_ERROR"],
])("opencode's error %o is %s and ends the turn, whether its program exits or not", ([error, code]) => {
  const kit = presetOf();
  const reader = new JsonLinesReader(kit, new OpencodeMapper(kit));
  reader.read(linesOf(`${JSON.stringify({ type: "error", error })}\n`), NOW);
  expect(reader.ending?.fault).toMatchObject({ code });
  expect(reader.awaitsExit).toBe(false);
});

test("no mapper throws, whatever the lines contain", () => {
  const types = [
    ...[
      "item.started",
      "item.completed",
      "turn.failed",
      "turn.completed",
      "error",
      "init",
      "message",
      "tool_use",
    ],
    ...[
      "tool_result",
      "result",
      "step_start",
      "step_finish",
      "text",
      "assistant",
      "user",
      "system",
      "stream_event",
    ],
  ];
  const line = fc.record({
    type: fc.oneof(fc.constantFrom(...types), fc.string()),
    item: fc.anything(),
    part: fc.anything(),
    error: fc.anything(),
    message: fc.anything(),
    stats: fc.anything(),
    usage: fc.anything(),
  });
  const mappers = [CodexMapper, GeminiMapper, OpencodeMapper, RulesMapper, ClaudePrintMapper];
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (messages) => {
      for (const Mapper of mappers) {
        const kit = presetOf({ limit: [{ type: "error", until: ["message"] }] });
        const reader = new JsonLinesReader(kit, new Mapper(kit));
        reader.read(linesOf(messages.map((one) => `${JSON.stringify(one)}\n`).join("")), NOW);
        reader.conclude(GONE, NOW);
      }
    }),
    { numRuns: 300 },
  );
});
