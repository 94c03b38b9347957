import { stateName } from "@drover/core";
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

describe("interactions", () => {
  function asking(session = new TestSession()) {
    session.send("x");
    session.do({ type: "ask", request, toolCallId: "call_1" });
    return session;
  }

  it("stay open until they are settled, and are settled only once", () => {
    const session = asking();
    expect(stateName(session.state)).toBe("waiting_for_input");
    expect(session.state.interactions[0]).toMatchObject({
      scopes: ["once", "session"],
      remainingMs: 600_000,
    });
    const { grant } = session.do({ type: "approve", toolCallId: "call_1", by: "cli", scope: "session" });
    expect(grant).toEqual({ toolName: "run", program: "make all" });
    expect(session.try({ type: "approve", toolCallId: "call_1", by: "api", scope: "once" })).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
    expect(stateName(session.state)).toBe("running");
  });

  it("have no deadline if no timeout is set", () => {
    const { state } = asking(new TestSession({}, { interactionTimeoutMs: 0 }));
    expect(state.interactions).toHaveLength(1);
    expect(state.interactions[0]).not.toHaveProperty("deadline");
    expect(state.interactions[0]).not.toHaveProperty("remainingMs");
  });

  it("apply only to the input the person saw", () => {
    const session = asking();
    const approval = { type: "approve", toolCallId: "call_1", by: "cli", scope: "once" } as const;
    expect(session.try({ ...approval, inputHash: "other" })).toMatchObject({
      error: { code: "INPUT_CHANGED" },
    });
    expect(session.try({ ...approval, input: {} })).toMatchObject({ error: { code: "UNSUPPORTED" } });
    expect(session.try({ ...approval, inputHash: JSON.stringify(request.input) }).ok).toBe(true);
  });

  it("may replace the input, and the session then remembers the replacement", () => {
    const session = asking(new TestSession({ canAmend: true }));
    const approval = { type: "approve", toolCallId: "call_1", by: "cli", scope: "session" } as const;
    for (const input of ["make clean", ["make"], null]) {
      expect(session.try({ ...approval, input })).toMatchObject({
        error: { code: "BAD_REQUEST", facts: { issues: [{ path: "input" }] } },
      });
    }
    expect(session.try({ ...approval, input: { command: "make && make clean" } })).toMatchObject({
      error: { code: "UNSUPPORTED", facts: { what: "scope session" } },
    });
    const { grant, amendedInput } = session.do({ ...approval, input: { command: "touch clean" } });
    expect(amendedInput).toEqual({ command: "touch clean" });
    expect(grant).toEqual({ toolName: "run", program: "touch" });
  });

  it("of a plan may set the session's next mode; other approvals may not", () => {
    const approval = { type: "approve", toolCallId: "call_1", by: "cli", scope: "once" } as const;
    const command = asking();
    expect(command.try({ ...approval, permissionMode: "acceptEdits" })).toMatchObject({
      error: { code: "UNSUPPORTED" },
    });
    const plan = new TestSession();
    plan.send("x");
    plan.do({ type: "ask", request: { ...request, toolKind: "plan" }, toolCallId: "call_1" });
    expect(plan.try({ ...approval, scope: "session" })).toMatchObject({
      error: { code: "UNSUPPORTED", facts: { what: "scope session" } },
    });
    expect(plan.do({ ...approval, permissionMode: "acceptEdits" })).toMatchObject({
      permissionMode: "acceptEdits",
    });
    const planning = new TestSession({ permissionMode: "plan" });
    planning.send("x");
    planning.do({ type: "ask", request: { ...request, toolKind: "plan" }, toolCallId: "call_1" });
    expect(planning.do(approval)).toMatchObject({ permissionMode: "ask" });
  });

  it("are not found if they are unknown or of another kind", () => {
    const session = asking();
    expect(session.try({ type: "answer", toolCallId: "call_1", by: "api", answers: {} })).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
    expect(session.try({ type: "deny", toolCallId: "call_9", by: "api" })).toMatchObject({
      error: { code: "NOT_FOUND" },
    });
  });

  it("end with their turn: cancelled if a person interrupted it, expired if the agent is gone", () => {
    const cancelled = asking();
    cancelled.deliver();
    cancelled.interrupt();
    expect(cancelled.events.at(-1)).toMatchObject({ resolution: "cancelled", cause: "turn_cancelled" });
    const gone = asking();
    gone.settle({ type: "exited", ending: "lost", exit: { code: 1, signal: null, stderrTail: "" } });
    expect(gone.events.find((e) => e.type === "interaction_resolved")).toMatchObject({
      resolution: "expired",
      cause: "agent_gone",
    });
  });

  it("outlive a turn that leaves background work, and end with the process that asked", () => {
    const session = asking();
    session.settle({ type: "answered", reason: "end_turn" }, { lingers: true });
    expect(stateName(session.state)).toBe("waiting_for_input");
    session.do({ type: "release", cause: "agent_gone" });
    expect(session.events.at(-1)).toMatchObject({ resolution: "expired", cause: "agent_gone" });
    expect(stateName(session.state)).toBe("idle");
    const interrupted = asking();
    interrupted.settle({ type: "answered", reason: "cancelled" }, { lingers: true });
    expect(interrupted.events.find((e) => e.type === "interaction_resolved")).toMatchObject({
      resolution: "cancelled",
    });
  });

  it("are settled by the mode without asking, and the log names the rule", () => {
    const plan = asking(new TestSession({ permissionMode: "plan" }));
    expect(plan.types()).not.toContain("approval_required");
    expect(plan.events.at(-1)).toMatchObject({ resolution: "denied", by: "rule:mode-plan" });
    const never = asking(new TestSession({ permissionMode: "never" }));
    expect(never.events.at(-1)).toMatchObject({ resolution: "approved", by: "rule:mode-never" });
    const granted = asking(new TestSession({ grants: [{ toolName: "run", program: "make all" }] }));
    expect(granted.events.at(-1)).toMatchObject({ resolution: "approved", by: "rule:session-scope" });
  });

  it("with questions accept answers by id, header or text, and require all of them", () => {
    const session = new TestSession();
    session.send("x");
    const option = (label: string) => ({ label });
    session.do({
      type: "ask",
      toolCallId: undefined,
      request: {
        type: "question_request",
        requestKey: "2",
        title: "Two things",
        questions: [
          {
            id: "q1",
            header: "Colour",
            question: "Which colour?",
            options: [option("red")],
            multiSelect: false,
          },
          { id: "q2", question: "Which sizes?", options: [option("S"), option("M")], multiSelect: true },
        ],
      },
    });
    const id = session.state.interactions[0]?.id ?? "";
    const answer = (answers: Record<string, string | string[]>) =>
      session.try({ type: "answer", toolCallId: id, by: "web:t", answers });
    expect(answer({ Colour: "red" })).toMatchObject({ error: { code: "BAD_REQUEST" } });
    expect(answer({ Colour: ["red"], q2: "S" })).toMatchObject({ error: { code: "BAD_REQUEST" } });
    expect(answer({ Colour: "red", "Which sizes?": ["S", "M"] }).ok).toBe(true);
    expect(session.events.at(-1)).toMatchObject({ answers: { q1: "red", q2: ["S", "M"] } });
  });
});
