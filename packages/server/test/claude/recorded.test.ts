import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentFact } from "@drover/core";
import { describe, expect, test } from "vitest";
import { MapState } from "../../src/drivers/claude/map-state.ts";
import { asLines, newReader, only } from "./support.ts";

// Written by `npm run record -- claude`.
const directory = join(import.meta.dirname, "../../../../test/transcripts/claude-2.1.325");
const names = readdirSync(directory).flatMap((file) => (file.endsWith(".jsonl") ? file.slice(0, -6) : []));

function replay(name: string): { facts: AgentFact[]; state: MapState } {
  const text = readFileSync(join(directory, `${name}.jsonl`), "utf8");
  const uuid = /"user_message_uuid":"([^"]+)"/.exec(text)?.[1] ?? "";
  const state = new MapState({ name: "Claude Code" });
  state.beginTurn({ id: "trn_recorded", uuid });
  return { facts: newReader(state).read(asLines(text.trimEnd().split("\n"))).facts, state };
}

const words = (facts: AgentFact[], type: "text" | "thinking") =>
  only(facts, type)
    .map(({ text }) => text)
    .join("");

test("there is a recording of every kind of turn", () => {
  expect(names).toEqual(expect.arrayContaining(["answer", "question", "plan", "sub-agents", "cancelled"]));
});

describe.for(names)("the recording %s", (name) => {
  test("has one end, no open call, and nothing unknown", () => {
    const { facts, state } = replay(name);
    expect(only(facts, "turn_end")).toHaveLength(1);
    const started = only(facts, "tool_start").map(({ toolCallId }) => toolCallId);
    expect(new Set(started).size).toBe(started.length);
    expect(
      only(facts, "tool_result")
        .map(({ toolCallId }) => toolCallId)
        .sort(),
    ).toEqual(started.toSorted());
    expect([...state.unknown]).toEqual([]);
  });
});

test.for([
  ["answer", "The robin sings. Das Rotkehlchen singt 🐦."],
  ["command", "I look.Done."],
  ["resumed", "It still sings."],
] as const)("in %s all text is reported once", ([name, expected]) => {
  const { facts } = replay(name);
  expect(words(facts, "text")).toBe(expected);
  expect(only(facts, "turn_end")).toMatchObject([{ reason: "end_turn" }]);
});

test("thoughts are separate from text", () => {
  const { facts } = replay("thinking");
  expect([words(facts, "thinking"), words(facts, "text")]).toEqual(["Which bird sings?", "The robin sings."]);
});

test("parallel calls have separate requests and keep their own results", () => {
  const { facts } = replay("parallel");
  const results = only(facts, "tool_result");
  for (const [name, command] of [
    ["fox", "echo fox | tee fox"],
    ["owl", "echo owl | tee owl"],
  ] as const) {
    const ask = only(facts, "approval_request").find(({ title }) => title === command);
    expect(results.find(({ toolCallId }) => toolCallId === ask?.toolCallId)).toMatchObject({
      status: "complete",
      result: { text: name },
    });
  }
});

test.for([
  ["failing-tool", "error"],
  ["denied", "denied"],
] as const)("the call of %s ends as %s, and the turn succeeds", ([name, status]) => {
  const { facts } = replay(name);
  expect(only(facts, "tool_result")).toMatchObject([{ status }]);
  expect(only(facts, "turn_end")).toMatchObject([{ reason: "end_turn" }]);
});

test("a question arrives with its options", () => {
  const [request] = only(replay("question").facts, "question_request");
  expect(request?.questions).toMatchObject([
    { question: "Which bird?", options: [{ label: "Robin" }, { label: "Wren" }] },
  ]);
});

test("a plan is requested as one", () => {
  const [request] = only(replay("plan").facts, "approval_request");
  expect(request?.toolKind).toBe("plan");
});

test("a cancelled turn ends as cancelled", () => {
  expect(only(replay("cancelled").facts, "turn_end")).toMatchObject([{ reason: "cancelled" }]);
});

test.for([
  ["auth", "AUTH_FAILED"],
  ["rate-limit", "RATE_LIMITED"],
  ["overloaded", "OVERLOADED"],
  ["dropped-midway", "NETWORK"],
] as const)("%s ends the turn as %s", ([name, code]) => {
  expect(only(replay(name).facts, "turn_end")).toMatchObject([{ fault: { code } }]);
});
