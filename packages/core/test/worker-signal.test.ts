import { fencedSignal, parseSignal } from "@drover/core";
import { describe, expect, it, test } from "vitest";

const parsed = (value: unknown) => parseSignal(typeof value === "string" ? value : JSON.stringify(value));
const problem = (value: unknown) => {
  const found = parsed(value);
  return found.ok ? undefined : found.problem;
};

describe("a signal", () => {
  test.each([
    [{ status: "done" }, { status: "done" }],
    [
      { status: "done", result: "all good" },
      { status: "done", result: "all good" },
    ],
    [
      { status: "done", result: { files: 3 } },
      { status: "done", result: { files: 3 } },
    ],
    [{ status: "done", result: null, error: "ignored" }, { status: "done" }],
    [
      { status: "error", error: "no network" },
      { status: "error", error: "no network" },
    ],
    [
      { status: "questions", questions: [{ question: "Why?" }] },
      {
        status: "questions",
        questions: [{ id: "q1", question: "Why?", options: [], multiSelect: false }],
      },
    ],
  ])("%j is read as it is meant", (value, signal) => {
    expect(parsed(value)).toEqual({ ok: true, signal });
  });

  test.each([
    ["", "is not valid JSON"],
    ['{"status":', "is not valid JSON"],
    ["[]", "is not a JSON object"],
    ['"done"', "is not a JSON object"],
    [{}, 'needs a "status": done, questions, error'],
    [{ status: "finished" }, 'needs a "status": done, questions, error'],
    [`${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`, "is nested too deeply"],
  ])("%j is refused", (value, words) => {
    expect(problem(value)).toBe(words);
  });

  test.each([
    [{ status: "error" }, "error"],
    [{ status: "error", error: " " }, "error"],
    [{ status: "questions" }, "questions"],
    [{ status: "questions", questions: [] }, "questions"],
    [{ status: "questions", questions: Array(21).fill({ question: "Why?" }) }, "questions"],
    [{ status: "questions", questions: [{ question: "" }] }, "questions.0.question"],
  ])("%j is refused by the field that is wrong", (value, field) => {
    expect(problem(value)).toContain(`has an invalid "${field}"`);
  });

  it("is broken only if it is no JSON: more of it may still come", () => {
    expect(parsed('{"status"')).toMatchObject({ isBroken: true });
    expect(parsed({ status: "?" })).not.toHaveProperty("isBroken");
  });

  it("G8 gives every question an id of its own", () => {
    const asked = ["a", undefined, "a", "q2", "a~2", 7].map((id) => ({ id, question: "Why?" }));
    const found = parsed({ status: "questions", questions: asked });
    const questions = found.ok && found.signal.status === "questions" ? found.signal.questions : [];
    expect(questions.map(({ id }) => id)).toEqual(["a", "q2", "a~2", "q2~2", "a~2~2", "7"]);
  });

  it("takes options as texts, or with descriptions", () => {
    const options = ["one", { label: "two", description: "the other" }];
    const found = parsed({ status: "questions", questions: [{ question: "Which?", options }] });
    expect(found).toMatchObject({
      signal: { questions: [{ options: [{ label: "one" }, { label: "two", description: "the other" }] }] },
    });
  });

  it("keeps the beginning of a result that is too large to be stored", () => {
    const found = parsed({ status: "done", result: "x".repeat(100_000) });
    const result = found.ok && found.signal.status === "done" ? found.signal.result : undefined;
    expect(result).toMatch(/^x{16384}\n\[… 83616 characters left out\]$/);
    const large = parsed({ status: "done", result: Array(10_000).fill("abc") });
    expect(large.ok && large.signal.status === "done" && typeof large.signal.result).toBe("string");
  });

  it("loses characters that no text may contain", () => {
    expect(parsed('{"status":"done","result":"a\\u0000b\\ud800"}')).toMatchObject({
      signal: { result: "ab\ufffd" },
    });
  });
});

describe("a fenced signal", () => {
  it("is the last block of its kind", () => {
    const text =
      'Done.\n```drover-signal\n{"a":1}\n```\nNo:\n```drover-signal\n{"a":2}\n```\n```json\n{}\n```';
    expect(fencedSignal(text)).toBe('{"a":2}');
  });

  it("is found behind any number of fences that are never closed", () => {
    const unclosed = "```drover-signal\n".repeat(500_000);
    expect(fencedSignal(unclosed)).toBeUndefined();
    expect(fencedSignal(`${unclosed}{}\n\`\`\``)).toBe("{}");
  });

  it("is no block of another kind, and none that is still open", () => {
    expect(fencedSignal("```json\n{}\n```")).toBeUndefined();
    expect(fencedSignal("```drover-signal\n{}")).toBeUndefined();
    expect(fencedSignal("say ```drover-signal {}```")).toBeUndefined();
  });
});
