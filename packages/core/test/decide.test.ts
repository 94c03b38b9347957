import { Fault, stateName } from "@drover/core";
import { describe, expect, it } from "vitest";
import { TestSession } from "./test-session.ts";

const request = {
  type: "approval_request",
  requestKey: "1",
  toolCallId: "call_1",
  toolName: "run",
  toolKind: "execute",
  title: "run: make",
  input: { command: "make all" },
} as const;

describe("messages", () => {
  it("to an idle session start a turn at once, and the receipt's cursor points just before it", () => {
    const session = new TestSession();
    const receipt = session.send("hello");
    expect(receipt).toMatchObject({ queuePosition: 0, applied: "started", requested: "queue", cursor: 0 });
    expect(session.types()).toEqual(["turn_start", "message"]);
    expect(session.state.turn?.id).toBe(receipt?.turnId);
    expect(stateName(session.state)).toBe("running");
  });

  it("give an untitled session their first line as its title, whether they start a turn or queue", () => {
    const send = { type: "send", by: "api", requested: "queue", strict: false } as const;
    const session = new TestSession();
    expect(session.do({ ...send, content: "\n Fix the build\nand then" }).title).toBe("Fix the build");
    expect(session.do({ ...send, content: "x".repeat(81) }).title).toBe(`${"x".repeat(79)}…`);
    const named = new TestSession({ title: "Mine" });
    expect(named.do({ ...send, content: "Fix the build" }).title).toBeUndefined();
  });

  it("to a busy session are queued in order, and a full queue reports its limit", () => {
    const session = new TestSession();
    session.send("one");
    expect(session.send("two")).toMatchObject({ queuePosition: 1, applied: "queued" });
    expect(session.send("three")).toMatchObject({ queuePosition: 2 });
    const refused = session.try({
      type: "send",
      content: "four",
      by: "api",
      requested: "queue",
      strict: false,
    });
    expect(refused).toMatchObject({ ok: false, error: { code: "QUEUE_FULL", facts: { limit: 2 } } });
  });

  it("with a strict lock are rejected while a turn is running, naming the holder", () => {
    const session = new TestSession();
    session.send("one", { clientId: "tab-1" });
    const refused = session.try({
      type: "send",
      content: "two",
      by: "api",
      requested: "queue",
      strict: true,
    });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: "SESSION_LOCKED", facts: { lockedBy: "tab-1" } },
    });
  });

  it("meant to steer say why they were only queued", () => {
    const session = new TestSession();
    expect(session.send("one", { requested: "steer" })).toMatchObject({
      applied: "started",
      degradedBecause: "idle",
    });
    expect(session.send("two", { requested: "steer" })).toMatchObject({
      applied: "queued",
      degradedBecause: "unsupported",
    });
  });

  it("meant to steer go ahead of the queue and into the running turn", () => {
    const session = new TestSession({ canSteer: true });
    const { turnId } = session.send("one") ?? {};
    session.send("later");
    const steer = session.send("now", { requested: "steer" });
    expect(steer).toMatchObject({ turnId, applied: "steered", queuePosition: 0 });
    expect(steer).not.toHaveProperty("degradedBecause");
    expect(session.state.queue.map(({ content }) => content)).toEqual(["now", "later"]);
    const { events } = session.do({ type: "steer", messageId: steer?.messageId ?? "" });
    expect(events.at(-1)).toMatchObject({ type: "message", turnId, content: "now" });
    expect(session.state.queue.map(({ content }) => content)).toEqual(["later"]);
    expect(session.do({ type: "steer", messageId: steer?.messageId ?? "" }).events).toEqual([]);
  });

  it("meant to steer start the next turn if the running one ends first", () => {
    const session = new TestSession({ canSteer: true });
    session.send("one");
    const steer = session.send("now", { requested: "steer" });
    session.finish();
    session.do({ type: "start_next" });
    expect(session.state.turn?.messageId).toBe(steer?.messageId);
  });

  it("meant to steer wait while the agent waits for an answer", () => {
    const session = new TestSession({ canSteer: true });
    session.send("one");
    const request = {
      ...{ type: "question_request" as const, requestKey: "1" },
      ...{ title: "Which?", questions: [] },
    };
    session.do({ type: "ask", request, toolCallId: undefined });
    expect(session.send("now", { requested: "steer" })).toMatchObject({
      applied: "queued",
      degradedBecause: "open-interaction",
    });
  });

  it("wait in the queue while the agent reconnects, even though no turn is running", () => {
    const session = new TestSession({ mustWait: true });
    expect(session.send("one")).toMatchObject({ applied: "queued", queuePosition: 1 });
    session.do({ type: "start_next" });
    expect(session.state.turn).toBeUndefined();
  });
});

describe("a turn's end", () => {
  it("is recorded once: the error, then done as the last event; a second end changes nothing", () => {
    const session = new TestSession();
    session.send("x");
    const fault = new Fault("AGENT_CRASHED", "gone", { retry: "same", facts: { stderrTail: "ouch" } });
    const attempt = session.running();
    session.settle({ type: "failed", fault });
    session.settle({ type: "answered", reason: "end_turn" }, { attempt });
    expect(session.types().slice(2)).toEqual(["error", "done"]);
    expect(session.events.at(-1)).toMatchObject({
      ok: false,
      partial: true,
      error: { code: "AGENT_CRASHED", stderrTail: "ouch" },
    });
    expect(stateName(session.state)).toBe("idle");
  });
});

describe("a session", () => {
  it("that stops cancels its interactions, pauses its queue, and can report stopping again without a reason", () => {
    const session = new TestSession();
    session.send("one");
    session.send("two");
    session.do({ type: "ask", request, toolCallId: "call_1" });
    const { events } = session.do({ type: "stop" });
    expect(events.map(({ type }) => type)).toEqual([
      "interaction_resolved",
      "queue_update",
      "session_status",
    ]);
    expect(session.state).toMatchObject({ reportedState: "stopping", queuePaused: true, interactions: [] });
    const reason = { code: "TIMEOUT", message: "4711 still runs" };
    session.do({ type: "report_state", state: "stopping", reason });
    expect(session.state.reason).toEqual(reason);
    session.do({ type: "stop" });
    expect(session.state).toMatchObject({ reportedState: "stopping" });
    expect(session.state.reason).toBeUndefined();
  });

  it("reports a state once, within its turn, and only after the state it must follow", () => {
    const session = new TestSession();
    const turnId = session.send("one")?.turnId ?? "";
    expect(session.do({ type: "report_state", state: "running", from: "stalled" }).events).toEqual([]);
    session.do({ type: "stall" });
    expect(session.do({ type: "report_state", state: "stalled" }).events).toEqual([]);
    expect(session.do({ type: "report_state", state: "running", from: "stalled" }).events).toEqual([
      { type: "session_status", turnId, state: "running" },
    ]);
  });

  it("is stalled only while nothing but the agent is awaited", () => {
    const session = new TestSession();
    expect(session.do({ type: "stall" }).events).toEqual([]);
    session.send("one");
    session.do({ type: "report_state", state: "starting" });
    expect(session.do({ type: "stall" }).events).toEqual([]);
    session.do({ type: "report_state", state: "running" });
    session.do({ type: "ask", request, toolCallId: "call_1" });
    expect(session.do({ type: "stall" }).events).toEqual([]);
    session.do({ type: "deny", toolCallId: "call_1", by: "api" });
    session.do({ type: "stall" });
    expect(stateName(session.state)).toBe("stalled");
    expect(session.do({ type: "stall" }).events).toEqual([]);
  });

  it("reports a new model without changing anything else, and only when it differs", () => {
    const session = new TestSession();
    const reason = { code: "AGENT_CRASHED", message: "it ended" };
    session.do({ type: "report_state", state: "crashed", reason });
    session.do({ type: "set_model", model: "big" });
    expect(session.state).toMatchObject({ reportedState: "crashed", reason, model: "big" });
    expect(session.do({ type: "set_model", model: "big" }).events).toEqual([]);
  });

  it("reports the usage of all turns before a turn's last event", () => {
    const session = new TestSession();
    const usages = [
      { inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
      { inputTokens: 20, outputTokens: 2 },
    ];
    for (const usage of usages) {
      const turnId = session.send("x")?.turnId ?? "";
      session.settle({ type: "answered", reason: "end_turn" }, { usage });
      expect(session.events.at(-1)).toMatchObject({ type: "done", usage });
      expect(session.events.at(-2)).toMatchObject({ type: "session_status", turnId, state: "running" });
    }
    expect(session.state.usage).toEqual({ inputTokens: 30, outputTokens: 3, costUsd: 0.5 });
  });
});

describe("the last turn", () => {
  it("is reported until another begins: when it ran, how it ended, what went wrong", () => {
    const session = new TestSession();
    const turnId = session.send("one")?.turnId ?? "";
    expect(session.state.lastTurn).toBeUndefined();
    const fault = new Fault("MODEL_ERROR", "The model is on fire", { retry: "never" });
    session.settle({ type: "answered", reason: "error", fault });
    const [start, done] = [session.events[0]?.at, session.events.at(-1)?.at];
    expect(session.state.lastTurn).toEqual({
      ...{ id: turnId, startedAt: start, endedAt: done },
      ...{ reason: "error", ok: false, message: "The model is on fire" },
    });
    session.send("two");
    expect(session.state.lastTurn).toBeUndefined();
  });
});
