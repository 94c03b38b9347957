import { type AttemptOutcome, Fault, signalCallId } from "@drover/core";
import { describe, expect, it, test } from "vitest";
import { TestSession } from "./test-session.ts";

const answered: AttemptOutcome = { type: "answered", reason: "end_turn" };
const none = { maxAttempts: 1 };
const worker = { mode: "execute", outputDirectory: "/repo/.drover/output" } as const;
const questions = [{ id: "q1", question: "Why?", options: [], multiSelect: false }];

function working(): TestSession {
  const session = new TestSession({ worker });
  session.send("one");
  session.deliver();
  return session;
}

const signal = (status: "done" | "questions" | "error") => ({
  ...{ type: "signal" as const, run: 1, status, tries: 1 },
});

describe("a worker", () => {
  it("is queued from the start of its turn, whose message is still the last event", () => {
    const session = new TestSession({ worker });
    session.send("one");
    expect(session.types()).toEqual(["turn_start", "session_status", "message"]);
    expect(session.state.reportedState).toBe("queued");
    expect(session.events[session.running().prompt.seq - 1]).toMatchObject({ content: "one" });
  });

  const fault = new Fault("NETWORK", "Gone", { retry: "same", facts: { reason: "x" } });
  test.each<[string, AttemptOutcome]>([
    ["an answer", answered],
    ["a fault", { type: "failed", fault }],
    ["a crash", { type: "exited", ending: "lost", exit: { code: 1, signal: null, stderrTail: "" } }],
    ["a lost agent", { type: "recovered", agent: "gone" }],
  ])("leaves something behind after %s: its attempt is over but not settled", (_, outcome) => {
    const session = working();
    const { length } = session.events;
    session.settle(outcome, { followUps: none });
    expect(session.events).toHaveLength(length);
    expect(session.running().ended?.outcome.type).toBe(outcome.type);
    // Whatever else happens to its process changes nothing.
    session.settle({ type: "exited", ending: "stop", exit: { code: 0, signal: null, stderrTail: "" } });
    expect(session.events).toHaveLength(length);
    session.settle(answered, { followUps: none, collected: { events: [signal("done")] } });
    expect(session.types().slice(length)).toEqual(["signal", "done", "session_status"]);
    expect(session.attempt).toBeNull();
  });

  test.each<AttemptOutcome>([{ type: "stopped" }, { type: "interrupted" }])(
    "can be ended by a person while its work is collected: %j",
    (outcome) => {
      const session = working();
      session.settle(answered, { followUps: none });
      session.settle(outcome, { followUps: none });
      expect(session.events.at(-1)).toMatchObject({ type: "done", reason: "cancelled" });
    },
  );

  it("leaves nothing if its prompt never arrived", () => {
    const session = new TestSession({ worker });
    session.send("one");
    session.settle({ type: "failed", fault }, { followUps: none });
    expect(session.events.at(-1)).toMatchObject({ type: "done", reason: "error" });
  });

  it("gets an instruction after a wait, as another attempt of the same turn", () => {
    const session = working();
    session.settle(answered, { followUps: none });
    const followAt = "2026-01-01T00:00:02.000Z";
    session.settle(answered, {
      followUps: { maxAttempts: 2, instruction: "Signal!", followAt },
      collected: { events: [] },
    });
    expect(session.events.at(-1)).toMatchObject({
      ...{ code: "INSTRUCTED", message: "Signal!", facts: { attempt: 2, try: 1, afterMs: 2_000 } },
    });
    expect(session.running()).toMatchObject({ n: 2, notBefore: followAt, prompt: { kind: "instruct" } });
    expect(session.running().ended).toBeUndefined();
  });

  it("remembers what was reported of its branch, and its tries, without a signal", () => {
    const session = working();
    session.settle(answered, { followUps: none });
    session.settle(answered, {
      followUps: { maxAttempts: 2, instruction: "Signal!" },
      collected: { events: [{ type: "commits", head: "abc", count: 1, byDrover: true }] },
    });
    expect(session.state.worker).toEqual({ tries: 2, head: "abc" });
  });

  it("is asked to repeat a prompt of which it is unknown whether it arrived", () => {
    const session = new TestSession({ worker });
    session.send("one");
    session.attempt = { ...session.running(), prompt: { ...session.running().prompt, phase: "writing" } };
    const lost: AttemptOutcome = { type: "recovered", agent: "gone" };
    session.settle(lost, { followUps: none });
    session.settle(lost, { followUps: { maxAttempts: 2, mayRetry: true }, collected: { events: [] } });
    expect(session.events.at(-1)).toMatchObject({
      ...{ code: "RETRY", facts: { try: 1, class: "DELIVERY_UNCERTAIN" } },
    });
    expect(session.running()).toMatchObject({ n: 2, prompt: { kind: "message", phase: "accepted" } });
  });

  test.each(["SIGNAL_ERROR", "SIGNAL_MISSING", "OUTPUT_MISSING"] as const)("has crashed after %s", (code) => {
    const session = working();
    session.settle(answered, { followUps: none });
    const failed = { type: "answered", reason: "error", fault: new Fault(code, "Why") } as const;
    session.settle(failed, { followUps: none, collected: { events: [] } });
    expect(session.state).toMatchObject({ reportedState: "crashed", reason: { code, message: "Why" } });
  });

  const failed = new Fault("MODEL_ERROR", "Why");
  test.each<[what: string, state: string, AttemptOutcome]>([
    ["is done", "idle", answered],
    ["asks", "waiting_for_input", { type: "answered", reason: "waiting_for_input" }],
    ["has failed otherwise", "idle", { type: "answered", reason: "error", fault: failed }],
    ["timed out", "idle", { type: "failed", fault: new Fault("TIMEOUT", "Why") }],
  ])("that %s leaves its session %s", (_, state, outcome) => {
    const session = working();
    session.settle(answered, { followUps: none });
    session.settle(outcome, { followUps: none, collected: { events: [] } });
    expect(session.state.reportedState).toBe(state);
  });

  describe("with questions", () => {
    function asking(): TestSession {
      const session = working();
      session.settle(answered, { followUps: none });
      session.settle(
        { type: "answered", reason: "waiting_for_input" },
        {
          followUps: none,
          collected: { events: [signal("questions")], asks: { toolCallId: signalCallId(1), questions } },
        },
      );
      return session;
    }

    it("asks before its turn ends, without a deadline, and is not released with its process", () => {
      const session = asking();
      expect(session.types().slice(3)).toEqual(["signal", "question_prompt", "done", "session_status"]);
      expect(session.state.interactions).toMatchObject([{ toolCallId: "signal:1", state: "open" }]);
      expect(session.state.interactions[0]).not.toHaveProperty("deadline");
      session.do({ type: "release", cause: "agent_gone" });
      expect(session.state.interactions).toHaveLength(1);
    });

    it("continues with the answers before anything that waits", () => {
      const session = asking();
      session.send("later");
      session.do({ type: "start_next" });
      expect(session.state.turn).toBeUndefined();
      session.do({ type: "answer", toolCallId: "signal:1", by: "cli", answers: { q1: "So" } });
      expect(session.running().prompt.kind).toBe("answers");
      const { seq } = session.running().prompt;
      expect(session.events[seq - 1]).toMatchObject({
        by: "cli",
        content: expect.stringContaining("Answer: So"),
      });
      expect(session.state.queue.map(({ content }) => content)).toEqual(["later"]);
      const again = session.try({ type: "answer", toolCallId: "signal:1", by: "api", answers: { q1: "No" } });
      expect(again).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    });

    it("asks no more once it is stopped", () => {
      const session = asking();
      session.do({ type: "stop" });
      expect(session.state.interactions).toEqual([]);
    });
  });
});
