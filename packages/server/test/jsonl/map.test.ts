import type { Preset } from "@drover/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ClaudePrintMapper } from "../../src/drivers/claude/map-print.ts";
import { LimitRules } from "../../src/drivers/jsonl/limit-rules.ts";
import { CodexMapper } from "../../src/drivers/jsonl/map-codex.ts";
import { GeminiMapper } from "../../src/drivers/jsonl/map-gemini.ts";
import { OpencodeMapper } from "../../src/drivers/jsonl/map-opencode.ts";
import { RulesMapper } from "../../src/drivers/jsonl/map-rules.ts";
import { JsonLinesReader } from "../../src/drivers/jsonl/reader.ts";
import { linesOf, presetOf } from "./support.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");
const GONE = { code: 0, signal: null, stderrTail: "" };

function read(preset: Partial<Preset>, ...messages: unknown[]) {
  const kit = presetOf(preset);
  const reader = new JsonLinesReader(kit, new LimitRules(kit, new RulesMapper(kit)));
  const output = messages.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");
  const facts = reader.read(linesOf(output), NOW);
  return {
    facts,
    reader,
    ending: reader.ending,
    said: facts.map((fact) => ("text" in fact ? fact.text : "")).join(""),
  };
}

describe("rules", () => {
  test("without a rule for text the usual fields are tried, and a person's own words are left out", () => {
    const { said } = read(
      {},
      { type: "a", text: "1" },
      { type: "b", delta: "2" },
      { type: "c", content: "3" },
      { type: "d", message: { content: "4" } },
      { type: "e", role: "user", content: "no" },
      { type: "user", message: { content: "no" } },
      { type: "f", content: ["no"] },
      { type: "result", text: "no: it repeats the answer" },
    );
    expect(said).toBe("1234");
  });

  test("with one, nothing else is text, and the last line may bring it", () => {
    const rules = {
      text: [{ type: "*", at: ["response"] }],
      done: [{ type: "*", at: ["status"], is: "success" }],
    };
    const { said, ending } = read(rules, { type: "x", text: "no" }, { response: "all", status: "success" });
    expect(said).toBe("all");
    expect(ending).toEqual({ reason: "end_turn" });
  });

  test.for([{ type: "turn.completed" }, { type: "result" }, { type: "reuslt" }])(
    "%o is a completion",
    (line) => {
      expect(read({}, line).ending).toEqual({ reason: "end_turn" });
    },
  );

  test.for([
    { type: "turn.failed", error: { message: "No" } },
    { type: "result", is_error: true, result: "No" },
    { type: "result", status: "error", error: "No" },
  ])("%o is a failure", (line) => {
    expect(read({}, line).ending).toMatchObject({
      reason: "error",
      fault: { code: "MODEL_ERROR", message: "No" },
    });
  });

  test.for<[number, string]>([
    [401, "AUTH_FAILED"],
    [429, "RATE_LIMITED"],
    [503, "OVERLOADED"],
    [500, "MODEL_ERROR"],
  ])("a failure with status %i is %s", ([status, code]) => {
    expect(read({}, { type: "turn.failed", error: { message: "No", status } }).ending?.fault).toMatchObject({
      code,
    });
  });

  test("what ends a turn is what said so first: a limit explains the failure after it", () => {
    const limit = [{ type: "quota", until: ["ends"] }];
    const soon = new Date(NOW + 60_000).toISOString();
    expect(
      read({ limit }, { type: "quota", ends: soon }, { type: "turn.failed" }).ending?.fault,
    ).toMatchObject({
      code: "RATE_LIMITED",
      retry: { afterMs: 60_000 },
    });
    expect(read({ limit }, { type: "quota", ends: "soon" }).ending?.fault).toMatchObject({
      code: "USAGE_LIMIT",
      message: expect.stringContaining("has reached its usage limit"),
      facts: { assumed: true },
    });
  });

  test("for a limit come first for a program that Drover knows by more than rules, too", () => {
    const codex = presetOf({ limit: [{ type: "quota", until: ["ends"] }] });
    const reader = new JsonLinesReader(codex, new LimitRules(codex, new CodexMapper(codex)));
    const lines = (...all: object[]) => linesOf(all.map((one) => `${JSON.stringify(one)}\n`).join(""));
    const ends = new Date(NOW + 7_200_000).toISOString();
    reader.read(lines({ type: "quota", ends }, { type: "turn.failed", error: { message: "No" } }), NOW);
    expect(reader.ending?.fault).toMatchObject({ code: "USAGE_LIMIT", facts: { until: ends } });
    reader.beginTurn();
    reader.read(lines({ type: "turn.completed" }), NOW);
    expect(reader.ending).toMatchObject({ reason: "end_turn" });
  });

  describe("that say where a program tells why it fails", () => {
    const preset = {
      failed: [{ type: "gave_up" }],
      error: [
        { type: "oops", at: ["why"], when: [{ at: ["kind"], is: "auth" }], status: 401 },
        { type: "oops", at: ["why"], status: ["http"] },
      ],
    };
    const oops = (more: object) => ({ type: "oops", why: "No luck", ...more });

    test.for<[object, string]>([
      [{ kind: "auth" }, "AUTH_FAILED"],
      [{ http: 429 }, "RATE_LIMITED"],
      [{ why: "503 Later" }, "OVERLOADED"],
      [{ why: "connect ECONNREFUSED 127.0.0.1:9" }, "NETWORK"],
      [{}, "MODEL_ERROR"],
    ])("X11 %o makes the failure that follows %s", ([more, code]) => {
      const { facts, ending } = read(preset, oops(more), { type: "gave_up" });
      expect(facts).toEqual([]);
      expect(ending?.fault).toMatchObject({ code });
      expect(ending?.fault?.message).toContain("why" in more ? more.why : "No luck");
    });

    test("X10 it explains an end without a completion, from standard error, too", () => {
      const silent = {
        code: 1,
        signal: null,
        stderrTail: `warning\n${JSON.stringify(oops({ http: 401 }))}\n`,
      };
      expect(read(preset).reader.conclude(silent, NOW).fault).toMatchObject({ code: "AUTH_FAILED" });
      const { reader } = read(preset, oops({ http: 429 }));
      expect(reader.ending).toBeUndefined();
      expect(reader.conclude(GONE, NOW).fault).toMatchObject({ code: "RATE_LIMITED" });
    });

    test("X10 it explains nothing once the program has gone on, was ended, or has done its work", () => {
      const went = read(preset, oops({}), { type: "a", text: "On." }).reader;
      expect(went.conclude(GONE, NOW).fault).toMatchObject({ code: "NO_COMPLETION" });
      const ended = { code: null, signal: "SIGKILL", stderrTail: "" } as const;
      expect(read(preset, oops({})).reader.conclude(ended, NOW).fault).toMatchObject({
        code: "AGENT_CRASHED",
      });
      expect(read(preset, oops({}), { type: "result" }).reader.conclude(GONE, NOW)).toEqual({
        reason: "end_turn",
      });
    });
  });

  test("a conversation that the program says it has forgotten is told as such, and only where its preset says how", () => {
    const exit = { code: 1, signal: null, stderrTail: "\u001b[31mNo such talk: talk-1\u001b[0m\n" };
    const { reader } = read({ forgotten: "No such talk" });
    expect(reader.conclude(exit, NOW).fault).toMatchObject({ code: "RESUME_UNKNOWN" });
    expect(read({}).reader.conclude(exit, NOW).fault).toMatchObject({ code: "AGENT_CRASHED" });
  });

  test("the conversation's id is told by the line the preset names, and one that looks like an option is not taken", () => {
    const preset = { sessionId: ["opened", "id"] };
    expect(read(preset, { type: "opened", id: "talk-1" }).reader.agentSessionId).toBe("talk-1");
    expect(read(preset, { type: "opened", id: "--yolo" }).reader.agentSessionId).toBeUndefined();
    expect(read(preset, { type: "else", id: "talk-1" }).reader.agentSessionId).toBeUndefined();
  });

  test("S7 unknown lines are counted and say nothing", () => {
    const { facts, reader } = read({}, { type: "strange" }, { type: "strange" }, { nothing: 1 });
    expect(facts).toEqual([]);
    expect(Object.fromEntries(reader.unknown)).toEqual({ strange: 2, "": 1 });
  });

  test("S6 a line that is no JSON is told; one that an end cut off is not", () => {
    const kit = presetOf();
    const reader = new JsonLinesReader(kit, new RulesMapper(kit));
    const facts = reader.read(linesOf('garbage\n{"type":"a","text":"b"}\n{"type":"a","te'), NOW);
    expect(facts.map(({ type }) => type)).toEqual(["notice", "text"]);
    expect(reader.conclude(GONE, NOW)).toMatchObject({ fault: { code: "NO_COMPLETION" } });
  });
});

describe("codex", () => {
  const codex = (...messages: unknown[]) => {
    const mapper = new CodexMapper(presetOf());
    const facts = messages.flatMap((one) => mapper.map(one as Record<string, unknown>, NOW));
    return { facts, mapper };
  };

  test("two messages in a row do not run together", () => {
    const message = (text: string) => ({
      type: "item.completed",
      item: { id: text, type: "agent_message", text },
    });
    expect(codex(message("one"), message("two")).facts).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "\n\ntwo" },
    ]);
  });

  test("a list of things to do is told whole each time", () => {
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

  test("a failure is judged by how its words begin, not by what a server or a model put into them", () => {
    const { mapper } = codex({
      type: "turn.failed",
      error: { message: "Bad: unexpected status 401, usage limit" },
    });
    expect(mapper.ending?.fault).toMatchObject({ code: "MODEL_ERROR" });
  });

  test("errors on the way of a good turn do not end it", () => {
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
])("gemini's exit code %s without a word is %s", ([code, fault]) => {
  const kit = presetOf();
  const reader = new JsonLinesReader(kit, new GeminiMapper(kit));
  expect(reader.conclude({ code, signal: null, stderrTail: "why" }, NOW).fault).toMatchObject({
    code: fault,
  });
});

test("gemini forgets a conversation in which its model has not answered: it has no name before", () => {
  const kit = presetOf({ sessionId: ["init", "session_id"] });
  const reader = new JsonLinesReader(kit, new GeminiMapper(kit));
  const say = (message: object) => reader.read(linesOf(`${JSON.stringify(message)}\n`), NOW);
  say({ type: "init", session_id: "c-3" });
  say({ type: "message", role: "user", content: "hi" });
  expect(reader.agentSessionId).toBeUndefined();
  say({ type: "message", role: "assistant", content: "hello", delta: true });
  expect(reader.agentSessionId).toBe("c-3");
});

test("opencode passes on what a vendor calls a used up account, and when that ends", () => {
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

test("codex says on stderr alone that it does not trust a directory", () => {
  const kit = presetOf();
  const conclude = (code: number, stderrTail: string) =>
    new JsonLinesReader(kit, new CodexMapper(kit)).conclude({ code, signal: null, stderrTail }, NOW).fault
      ?.code;
  const words = "Not inside a trusted directory and --skip-git-repo-check was not specified.\n";
  expect(conclude(1, words)).toBe("AGENT_UNREACHABLE");
  expect(conclude(1, `It said: ${words}`)).toBe("AGENT_CRASHED");
  expect(conclude(0, words)).toBe("NO_COMPLETION");
});

test("opencode's last step counts only with the exit of its program", () => {
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
])("opencode's error %o is %s, and it is the end, whether its program ends or not", ([error, code]) => {
  const kit = presetOf();
  const reader = new JsonLinesReader(kit, new OpencodeMapper(kit));
  reader.read(linesOf(`${JSON.stringify({ type: "error", error })}\n`), NOW);
  expect(reader.ending?.fault).toMatchObject({ code });
  expect(reader.awaitsExit).toBe(false);
});

test("no mapper throws, whatever the lines hold", () => {
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
