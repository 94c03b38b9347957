import type { AgentRequest, PermissionMode, Question } from "@drover/core";
import { describe, expect, it } from "vitest";
import { TestSession } from "./test-session.ts";

const choice: Question = {
  id: "choice",
  question: "Deploy",
  options: [{ label: "Here" }, { label: "There" }, { label: "Not now", refuses: true }],
  multiSelect: false,
  closed: true,
};

type Approval = Extract<AgentRequest, { type: "approval_request" }>;

const request = (more: Partial<Approval> = {}): Approval => ({
  type: "approval_request",
  requestKey: "1",
  toolCallId: "call_1",
  toolName: "run",
  toolKind: "execute",
  title: "Deploy",
  input: { command: "make all" },
  choice,
  ...more,
});

function asking(permissionMode: PermissionMode = "ask", approval = request()): TestSession {
  const session = new TestSession({ permissionMode, grants: [{ toolName: "run", program: "make all" }] });
  session.send("x");
  session.do({ type: "ask", request: approval, toolCallId: "call_1" });
  return session;
}

const answer = (label: string) =>
  ({ type: "answer", toolCallId: "call_1", by: "cli", answers: { choice: label } }) as const;

describe("a choice", () => {
  it.each(["ask", "acceptEdits", "never"] as const)(
    "N5 asks a person in mode %s, even if a grant covers the call",
    (mode) => {
      expect(asking(mode).state.interactions).toMatchObject([{ kind: "question", questions: [choice] }]);
    },
  );

  it("N5 between ways to make a change is denied in plan mode", () => {
    expect(asking("plan").events.at(-1)).toMatchObject({
      type: "interaction_resolved",
      resolution: "denied",
      by: "rule:mode-plan",
    });
  });

  it("N5 about a file below .git is left to a person in every mode", () => {
    const edit = request({ toolName: "edit", toolKind: "edit", input: { path: ".git/hooks/pre-commit" } });
    for (const mode of ["ask", "acceptEdits", "never"] as const) {
      expect(asking(mode, edit).state.interactions).toMatchObject([{ kind: "question", toolKind: "edit" }]);
    }
  });

  it("N5 cannot be approved or denied without picking an option", () => {
    const session = asking();
    const notFound = { ok: false };
    expect(session.try({ type: "approve", toolCallId: "call_1", by: "cli", scope: "once" })).toMatchObject(
      notFound,
    );
    expect(session.try({ type: "deny", toolCallId: "call_1", by: "cli" })).toMatchObject(notFound);
  });

  it("N5 accepts only one of its options as an answer", () => {
    const session = asking();
    expect(session.try(answer("there"))).toMatchObject({ error: { code: "BAD_REQUEST" } });
    session.do(answer("There"));
    expect(session.events.at(-1)).toMatchObject({ resolution: "answered", answers: { choice: "There" } });
  });

  it("N5 answered with an option that refuses counts as denied", () => {
    const session = asking();
    session.do(answer("Not now"));
    expect(session.events.at(-1)).toMatchObject({ resolution: "denied", answers: { choice: "Not now" } });
  });

  it("N5 of how to carry out a plan ends plan mode, unless the plan is refused", () => {
    const plan = request({ toolKind: "plan" });
    expect(asking("plan", plan).do(answer("Here"))).toMatchObject({ permissionMode: "ask" });
    expect(asking("plan", plan).do(answer("Not now"))).not.toHaveProperty("permissionMode");
  });
});

describe("an approval that the agent would remember", () => {
  it("N5 is left to a person, who can approve it only once", () => {
    const { choice: _, ...plain } = request({ offers: { approve: { remembered: true } } });
    for (const mode of ["ask", "acceptEdits", "never"] as const) {
      expect(asking(mode, plain).state.interactions).toMatchObject([
        { kind: "approval", scopes: ["once"], offers: { approve: { remembered: true } } },
      ]);
    }
  });
});
