import { describe, expect, test } from "vitest";
import { type AgentFact, boundFact, emptyTimeline, openLimits, Recorder } from "../src/index.ts";

const nested = (depth: number): unknown => (depth === 0 ? "core" : { in: nested(depth - 1) });
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0]));
const long = (size: number) => "x".repeat(size);

const start: AgentFact = {
  type: "tool_start",
  toolCallId: "c",
  toolName: "Bash",
  kind: "execute",
  title: "t",
};
const approval: AgentFact = {
  ...{ type: "approval_request", requestKey: "1", toolCallId: "c", toolName: "Bash", toolKind: "execute" },
  ...{ title: "t", input: {} },
} as const;
const option = { label: "a" };
const question = { id: "q", question: "?", options: [option], multiSelect: false };
const questionRequest: AgentFact = {
  type: "question_request",
  requestKey: "1",
  title: "t",
  questions: [question],
};

describe("H8 an agent's fact", () => {
  test.each<[string, AgentFact]>([
    ["an input at the depth limit", { type: "tool_ready", toolCallId: "c", input: nested(127) }],
    ["an input of 4 million characters", { type: "tool_ready", toolCallId: "c", input: long(4_000_000) }],
    ["an approval of 4 million characters", { ...approval, input: { content: long(4_000_000) } }],
    ["an input of 20,000 entries", { type: "tool_ready", toolCallId: "c", input: Array(20_000).fill(0) }],
    ["a long title", { ...start, title: long(262_144) }],
  ])("is recorded unchanged: %s", (_what, fact) => {
    expect(boundFact(fact)).toBe(fact);
  });

  test.each<[string, AgentFact]>([
    ["a deep input", { type: "tool_ready", toolCallId: "c", input: nested(129) }],
    ["a large input", { type: "tool_ready", toolCallId: "c", input: { text: long(5_000_000) } }],
    ["an input with too many entries", { type: "tool_ready", toolCallId: "c", input: Array(20_001).fill(0) }],
    ["a large streamed input", { type: "tool_input", toolCallId: "c", inputText: long(5_000_000) }],
    ["an approval with too many keys", { ...approval, input: keys(20_001) }],
    [
      "a changed approval with too many keys",
      { type: "approval_changed", toolCallId: "c", input: { a: keys(10_000), b: keys(10_000) } },
    ],
    ["a deep approval", { ...approval, input: nested(129) }],
    ["a large approval", { ...approval, input: long(5_000_000) }],
    ["a large diff", { ...approval, diffs: [{ path: "f", oldText: null, newText: long(5_000_000) }] }],
    ["too many diffs", { ...approval, diffs: Array(1_001).fill({ path: "", oldText: "", newText: "" }) }],
    ["a long request id", { ...approval, requestKey: long(1_001) }],
    ["a long tool call id", { ...start, toolCallId: long(1_001) }],
    ["a long parent", { type: "text", text: "a", parent: long(1_001) }],
    ["a long tool name", { ...start, toolName: long(1_001) }],
    ["a very long title", { ...start, title: long(262_145) }],
    [
      "too many steps",
      { type: "tasks", tasks: Array(1_001).fill({ id: "1", title: "", status: "pending" }) },
    ],
    ["too many questions", { ...questionRequest, questions: Array(101).fill(question) }],
    [
      "too many choices",
      { ...questionRequest, questions: [{ ...question, options: Array(501).fill(option) }] },
    ],
    ["a large question", { ...questionRequest, questions: [{ ...question, question: long(5_000_000) }] }],
    ["a large notice", { type: "notice", code: "C", message: "", facts: { all: long(5_000_000) } }],
    ["a deep result", { type: "tool_result", toolCallId: "c", status: "complete", result: nested(129) }],
  ])("ends the turn with AGENT_PROTOCOL when it is %s", (_what, fact) => {
    expect(() => boundFact(fact)).toThrow(expect.objectContaining({ code: "AGENT_PROTOCOL" }));
  });

  test("is shortened if it is a large result, and says so", () => {
    const large: AgentFact = {
      ...{ type: "tool_result", toolCallId: "c", status: "complete" },
      result: { text: `${long(65_535)}🐑${long(2_000_000)}`, exitCode: 0 },
    };
    const { result } = boundFact(large) as { result: { text: string; exitCode: number } };
    expect(result.exitCode).toBe(0);
    expect(result.text).toMatch(/^x{65535}\n\[… 2000002 characters left out; the raw log has all of it\]$/);
    const tooMany = { ...large, result: Array(1_000_000).fill("x") };
    expect(JSON.stringify(boundFact(tooMany))).toContain("too large to show");
  });
});

describe("H8 open tool calls", () => {
  const context = { state: "running", newItemId: () => "itm", isToolCallUsed: () => false } as const;
  const call = (n: number) => ({ ...start, toolCallId: `c${n}` }) as const;

  test("are limited in number", () => {
    const recorder = new Recorder(emptyTimeline);
    recorder.record(
      Array.from({ length: openLimits.calls }, (_, n) => call(n)),
      context,
    );
    expect(() => recorder.record([call(openLimits.calls)], context)).toThrow(/1000 unfinished tool calls/);
  });

  test("are limited in total input, however small the pieces", () => {
    const recorder = new Recorder(emptyTimeline);
    const piece = { type: "tool_input", toolCallId: "c0", inputText: long(1_000_000) } as const;
    recorder.record([call(0), ...Array(16).fill(piece)], context);
    expect(() => recorder.record([piece], context)).toThrow(/characters of input/);
  });

  test("may report their input any number of times", () => {
    const recorder = new Recorder(emptyTimeline);
    const again = { type: "tool_ready", toolCallId: "c0", input: long(1_000_000) } as const;
    expect(recorder.record([call(0), ...Array(100).fill(again)], context)).toHaveLength(101);
  });
});
