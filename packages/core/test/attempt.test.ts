import {
  type AfterAttempt,
  type Attempt,
  type AttemptOutcome,
  afterAttempt,
  Fault,
  type FollowUps,
  nextAttempt,
  type OutcomeRow,
  type PromptPhase,
  promptPhases,
  type Retry,
  rowOf,
} from "@drover/core";
import { describe, expect, test } from "vitest";

const exit = { code: 1, signal: null, stderrTail: "ouch" };
const overloaded = new Fault("OVERLOADED", "Too much to do", { retry: "same" });

const outcomes: Record<OutcomeRow, AttemptOutcome> = {
  answered: { type: "answered", reason: "end_turn" },
  exited_rest: { type: "exited", ending: "rest", exit },
  exited_stop: { type: "exited", ending: "stop", exit },
  exited_switch: { type: "exited", ending: "switch", exit },
  exited_lost: { type: "exited", ending: "lost", exit },
  failed: { type: "failed", fault: overloaded },
  interrupted: { type: "interrupted" },
  stopped: { type: "stopped" },
  recovered_found: { type: "recovered", agent: "found" },
  recovered_gone: { type: "recovered", agent: "gone" },
};
const rows = Object.keys(outcomes) as OutcomeRow[];

const attempt = (phase: PromptPhase, prompt: Partial<Attempt["prompt"]> = {}): Attempt => ({
  turnId: "trn_1",
  n: 1,
  prompt: { kind: "message", seq: 2, phase, ...prompt },
});

/** Every kind of follow-up is available. */
const everything = {
  maxAttempts: 3,
  mayRetry: true,
  nextAccount: "second",
  waitUntil: "2026-01-01T01:00:00.000Z",
  instruction: "Run the tests",
  isStopping: false,
};
const nothing = { maxAttempts: 3, isStopping: false };

/** A decision in short form: its type, the reason of an end, the code of a fault. */
function summaryOf(after: AfterAttempt): string {
  const { fault } = "fault" in after ? after : { fault: undefined };
  const kind = after.type === "end" ? `end ${after.reason}` : after.type;
  return fault ? `${kind} ${fault.code}` : kind;
}

type Cells = Record<PromptPhase, string>;
const always = (summary: string): Cells => ({ accepted: summary, writing: summary, written: summary });

describe("with no follow-up available, an attempt", () => {
  const uncertain = "end uncertain DELIVERY_UNCERTAIN";
  const expected: Record<OutcomeRow, Cells> = {
    answered: always("end end_turn"),
    exited_rest: { accepted: "keep", writing: "end cancelled", written: "end cancelled" },
    exited_stop: { accepted: "keep", writing: "end cancelled", written: "end cancelled" },
    exited_switch: { accepted: "keep", writing: "end cancelled", written: "end cancelled" },
    exited_lost: always("end crashed AGENT_CRASHED"),
    failed: always("end error OVERLOADED"),
    interrupted: { accepted: "end cancelled", writing: "keep", written: "keep" },
    stopped: always("end cancelled"),
    recovered_found: { accepted: "keep", writing: uncertain, written: "keep" },
    recovered_gone: { accepted: "keep", writing: uncertain, written: "end crashed AGENT_CRASHED" },
  };
  test.for(rows.flatMap((row) => promptPhases.map((phase) => [row, phase, expected[row][phase]] as const)))(
    "that %s with its prompt %s: %s",
    ([row, phase, summary]) => {
      expect(rowOf(outcomes[row])).toBe(row);
      expect(summaryOf(afterAttempt(attempt(phase), outcomes[row], nothing))).toBe(summary);
    },
  );
});

describe("with every follow-up available, an attempt", () => {
  const uncertain = "retry DELIVERY_UNCERTAIN";
  const expected: Record<OutcomeRow, Cells> = {
    answered: always("instruct"),
    exited_rest: { accepted: "keep", writing: "end cancelled", written: "end cancelled" },
    exited_stop: { accepted: "keep", writing: "end cancelled", written: "end cancelled" },
    exited_switch: { accepted: "keep", writing: "switch_account", written: "switch_account" },
    exited_lost: always("retry AGENT_CRASHED"),
    failed: always("retry OVERLOADED"),
    interrupted: { accepted: "end cancelled", writing: "keep", written: "keep" },
    stopped: always("end cancelled"),
    recovered_found: { accepted: "keep", writing: uncertain, written: "keep" },
    recovered_gone: { accepted: "keep", writing: uncertain, written: "end crashed AGENT_CRASHED" },
  };
  test.for(rows.flatMap((row) => promptPhases.map((phase) => [row, phase, expected[row][phase]] as const)))(
    "that %s with its prompt %s: %s",
    ([row, phase, summary]) => {
      expect(summaryOf(afterAttempt(attempt(phase), outcomes[row], everything))).toBe(summary);
    },
  );
});

describe("after a fault", () => {
  const available = {
    nothing: {},
    "a retry": { mayRetry: true },
    "an account": { nextAccount: "second" },
    "a wait": { waitUntil: everything.waitUntil },
    "an instruction": { instruction: everything.instruction },
    everything,
  } satisfies Record<string, Partial<FollowUps>>;
  type Available = keyof typeof available;
  const cells = (same: Partial<Record<Available, string>>): Record<Available, string> => ({
    ...{ nothing: "end", "a retry": "end", "an account": "end" },
    ...{ "a wait": "end", "an instruction": "end", everything: "end" },
    ...same,
  });
  const expected: [string, Retry, Record<Available, string>][] = [
    ["never", "never", cells({})],
    ["same", "same", cells({ "a retry": "retry", everything: "retry" })],
    [
      "other-account",
      "other-account",
      cells({ "an account": "switch_account", "a wait": "wait", everything: "switch_account" }),
    ],
    [
      "after",
      { afterMs: 5 },
      cells({ "an account": "switch_account", "a wait": "wait", everything: "wait" }),
    ],
  ];
  test.for(
    expected.flatMap(([name, retry, words]) =>
      (Object.keys(available) as Available[]).map((what) => [name, what, words[what], retry] as const),
    ),
  )('with retry "%s" and %s available: %s', ([, what, summary, retry]) => {
    const fault = new Fault("MODEL_ERROR", "It failed", { retry });
    for (const outcome of [
      { type: "failed", fault },
      { type: "answered", reason: "error", fault },
    ] as const) {
      const after = afterAttempt(attempt("written"), outcome, { ...nothing, ...available[what] });
      expect(after.type).toBe(summary);
      expect("fault" in after && after.fault).toBe(fault);
    }
  });
});

describe("an attempt has no follow-up", () => {
  test.for(rows.flatMap((row) => promptPhases.map((phase) => [row, phase] as const)))(
    "if a person interrupted it: %s with its prompt %s is cancelled or kept",
    ([row, phase]) => {
      const after = afterAttempt(attempt(phase, { interrupted: true }), outcomes[row], everything);
      const isKept = afterAttempt(attempt(phase), outcomes[row], everything).type === "keep";
      expect(after).toEqual(isKept ? { type: "keep" } : { type: "end", reason: "cancelled" });
    },
  );

  test("if the agent cancelled it", () => {
    const after = afterAttempt(attempt("written"), { type: "answered", reason: "cancelled" }, everything);
    expect(after).toEqual({ type: "end", reason: "cancelled" });
  });

  test.for(["answered", "exited_switch", "exited_lost", "failed"] as const)(
    "if its session is stopping, or if the turn has used all its attempts: %s",
    (row) => {
      const ended = summaryOf(afterAttempt(attempt("written"), outcomes[row], nothing));
      for (const [n, followUps] of [
        [1, { ...everything, isStopping: true }],
        [3, everything],
        [4, everything],
      ] as const) {
        expect(summaryOf(afterAttempt({ ...attempt("written"), n }, outcomes[row], followUps))).toBe(ended);
      }
      expect(summaryOf(afterAttempt({ ...attempt("written"), n: 2 }, outcomes[row], everything))).not.toBe(
        ended,
      );
    },
  );
});

describe("the next attempt", () => {
  const last: Attempt = {
    ...attempt("written", { isBare: true, steers: [{ messageId: "msg_2", seq: 5, isWritten: true }] }),
    account: "first",
  };
  const again = {
    ...{ kind: "message", seq: 2, phase: "accepted" },
    steers: [{ messageId: "msg_2", seq: 5 }],
  };

  test("repeats the prompt and the messages people added to the turn", () => {
    expect(nextAttempt(last, { type: "retry" }, 9)).toEqual({
      ...{ turnId: "trn_1", n: 2, account: "first", prompt: again },
    });
  });

  test("uses the other account after a switch", () => {
    const next = nextAttempt(last, { type: "switch_account", account: "second" }, 9);
    expect(next).toEqual({ turnId: "trn_1", n: 2, account: "second", prompt: again });
  });

  test("does not begin before the end of its wait", () => {
    const next = nextAttempt(last, { type: "wait", until: everything.waitUntil }, 9);
    expect(next).toMatchObject({ n: 2, notBefore: everything.waitUntil, prompt: again });
    expect(nextAttempt(next, { type: "retry" }, 9)).not.toHaveProperty("notBefore");
  });

  test("refers to an instruction by the number of its event", () => {
    const next = nextAttempt(last, { type: "instruct", text: "Run the tests" }, 9);
    expect(next.prompt).toEqual({ kind: "instruct", seq: 9, phase: "accepted" });
  });
});
