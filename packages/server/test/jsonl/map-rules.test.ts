import type { Preset } from "@drover/core";
import { describe, expect, test } from "vitest";
import { LimitRules } from "../../src/drivers/jsonl/limit-rules.ts";
import { CodexMapper } from "../../src/drivers/jsonl/map-codex.ts";
import { RulesMapper } from "../../src/drivers/jsonl/map-rules.ts";
import { JsonLinesReader } from "../../src/drivers/jsonl/reader.ts";
import { GONE, linesOf, NOW, presetOf } from "./support.ts";

function read(preset: Partial<Preset>, ...messages: unknown[]) {
  const kit = presetOf(preset);
  const reader = new JsonLinesReader(kit, new LimitRules(kit, new RulesMapper(kit)));
  const output = messages.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\n`).join("");
  const facts = reader.read(linesOf(output), NOW);
  return {
    facts,
    reader,
    ending: reader.ending,
    text: facts.map((fact) => ("text" in fact ? fact.text : "")).join(""),
  };
}

describe("rules", () => {
  test("without a rule for text the usual fields are tried, and the user's messages are left out", () => {
    const { text } = read(
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
    expect(text).toBe("1234");
  });

  test("with a rule for text nothing else is text, and the last line may match it", () => {
    const rules = {
      text: [{ type: "*", at: ["response"] }],
      done: [{ type: "*", at: ["status"], is: "success" }],
    };
    const { text, ending } = read(rules, { type: "x", text: "no" }, { response: "all", status: "success" });
    expect(text).toBe("all");
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

  test("the first line that ends a turn decides: a limit explains the failure after it", () => {
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

  test("for a limit also take precedence for a program with a built-in mapper", () => {
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

  describe("for a program's error messages", () => {
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
    ])("X11 turn the failure after %o into %s", ([more, code]) => {
      const { facts, ending } = read(preset, oops(more), { type: "gave_up" });
      expect(facts).toEqual([]);
      expect(ending?.fault).toMatchObject({ code });
      expect(ending?.fault?.message).toContain("why" in more ? more.why : "No luck");
    });

    test("X10 explain an exit without a completion, also from standard error", () => {
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

    test("X10 explain nothing once the program has continued, was killed, or has completed", () => {
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

  test("a conversation that the program no longer has is reported as such, if its preset has a rule for it", () => {
    const exit = { code: 1, signal: null, stderrTail: "\u001b[31mNo such talk: talk-1\u001b[0m\n" };
    const { reader } = read({ forgotten: "No such talk" });
    expect(reader.conclude(exit, NOW).fault).toMatchObject({ code: "RESUME_UNKNOWN" });
    expect(read({}).reader.conclude(exit, NOW).fault).toMatchObject({ code: "AGENT_CRASHED" });
  });

  test("the conversation's id is read from the line the preset names, unless it looks like an option", () => {
    const preset = { sessionId: ["opened", "id"] };
    expect(read(preset, { type: "opened", id: "talk-1" }).reader.agentSessionId).toBe("talk-1");
    expect(read(preset, { type: "opened", id: "--yolo" }).reader.agentSessionId).toBeUndefined();
    expect(read(preset, { type: "else", id: "talk-1" }).reader.agentSessionId).toBeUndefined();
  });

  test("S7 unknown lines are counted and produce no facts", () => {
    const { facts, reader } = read({}, { type: "strange" }, { type: "strange" }, { nothing: 1 });
    expect(facts).toEqual([]);
    expect(Object.fromEntries(reader.unknown)).toEqual({ strange: 2, "": 1 });
  });

  test("S6 a line that is not JSON is reported; one that an exit cut off is not", () => {
    const kit = presetOf();
    const reader = new JsonLinesReader(kit, new RulesMapper(kit));
    const facts = reader.read(linesOf('garbage\n{"type":"a","text":"b"}\n{"type":"a","te'), NOW);
    expect(facts.map(({ type }) => type)).toEqual(["notice", "text"]);
    expect(reader.conclude(GONE, NOW)).toMatchObject({ fault: { code: "NO_COMPLETION" } });
  });
});
