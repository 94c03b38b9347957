import { Fault } from "@drover/core";
import { describe, expect, it } from "vitest";
import { TestSession } from "./test-session.ts";

const followUps = { maxAttempts: 2, mayRetry: true, instruction: "Run the tests" };
const fault = new Fault("OVERLOADED", "Too much to do", { retry: "same" });
const usage = { inputTokens: 10, outputTokens: 1 };

describe("a turn", () => {
  it("has an attempt that refers to its message by number, and none once it has ended", () => {
    const session = new TestSession();
    session.send("one");
    session.send("two");
    const turnId = session.state.turn?.id;
    expect(session.attempt).toEqual({
      ...{ turnId, n: 1 },
      prompt: { kind: "message", seq: 2, phase: "accepted" },
    });
    session.finish();
    expect(session.attempt).toBeNull();
    session.do({ type: "start_next" });
    const { seq } = session.running().prompt;
    expect(session.events[seq - 1]).toMatchObject({ type: "message", content: "two" });
  });

  it("continues with an instruction, which the next attempt refers to by number", () => {
    const session = new TestSession();
    session.send("one");
    session.deliver();
    session.settle({ type: "answered", reason: "end_turn" }, { followUps, usage });
    expect(session.types().slice(2)).toEqual(["session_status", "notice"]);
    expect(session.state.turn?.id).toBe(session.running().turnId);
    expect(session.running()).toMatchObject({ n: 2, prompt: { kind: "instruct", phase: "accepted" } });
    expect(session.events[session.running().prompt.seq - 1]).toMatchObject({
      ...{ type: "notice", code: "INSTRUCTED", message: "Run the tests", facts: { attempt: 2 } },
    });
    session.settle({ type: "answered", reason: "end_turn" }, { followUps, usage });
    expect(session.events.at(-1)).toMatchObject({ type: "done", ok: true });
    expect(session.state.usage).toMatchObject({ inputTokens: 20 });
  });

  it("continues with the same prompt after a fault, and logs the fault", () => {
    const session = new TestSession();
    session.send("one");
    session.settle({ type: "failed", fault }, { followUps });
    expect(session.types().slice(2)).toEqual(["error", "notice"]);
    expect(session.events.at(-1)).toMatchObject({ code: "RETRY", turnId: session.running().turnId });
    expect(session.running()).toMatchObject({ n: 2, prompt: { kind: "message", seq: 2 } });
    session.settle({ type: "failed", fault }, { followUps });
    expect(session.types().slice(4)).toEqual(["error", "done"]);
  });

  it("gets no further attempt while its session is stopping", () => {
    const session = new TestSession({ isStopping: true });
    session.send("one");
    session.settle({ type: "failed", fault }, { followUps });
    expect(session.attempt).toBeNull();
  });
});

describe("an interrupt", () => {
  it("ends the turn at once if none of the prompt has reached the agent", () => {
    const session = new TestSession();
    session.send("one");
    session.send("two");
    session.interrupt();
    expect(session.types().slice(-2)).toEqual(["queue_update", "done"]);
    expect(session.events.at(-1)).toMatchObject({ reason: "cancelled", ok: false });
    expect(session.attempt).toBeNull();
  });

  it("is remembered until the agent ends its turn, and the turn counts as cancelled", () => {
    const session = new TestSession();
    session.send("one");
    session.deliver();
    expect(session.interrupt().events).toEqual([]);
    expect(session.running().prompt.interrupted).toBe(true);
    session.settle({ type: "answered", reason: "end_turn" }, { followUps });
    expect(session.events.at(-1)).toMatchObject({ type: "done", reason: "cancelled" });
  });
});
