// Agents offer their own ways to say yes; if there are several, a person chooses.
import type { Interaction } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asked, lastResolved, receivedAnswer } from "./asking.ts";
import { type Conversation, drover, kitAgent, openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ agents: { kit: kitAgent("follows-script.mjs") } });
});
afterAll(() => rig[Symbol.asyncDispose]());

const staging = { optionId: "a", name: "To staging", kind: "allow_once" };
const production = { optionId: "b", name: "To production", kind: "allow_once" };
const no = { optionId: "n", name: "Not now", kind: "reject_once" };
const call = { toolCallId: "c1", title: "Deploy", kind: "execute", rawInput: { command: "deploy" } };

/** A turn that asks about a call with these options. */
const choosing = (options: object[], more: object = {}) =>
  JSON.stringify([
    { update: { sessionUpdate: "tool_call", status: "pending", ...call, ...more } },
    { ask: { toolCall: { ...call, ...more }, options } },
    { update: { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" } },
  ]);

const selected = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

const answer = (session: Conversation, id: string, choice: string) =>
  session.post<Interaction>("submit-answers", { toolCallId: id, answers: { choice } });

test.each(["ask", "acceptEdits", "never"])(
  "N5 several options to allow once become a question in mode %s, and none is picked silently",
  async (permissionMode) => {
    await using session = await openSession(rig, "kit", { permissionMode });
    const question = await asked(session, choosing([staging, production, no]));
    expect(question).toMatchObject({
      type: "question_prompt",
      kind: "question",
      toolKind: "execute",
      input: { command: "deploy" },
      scopes: [],
      questions: [
        {
          question: "Deploy",
          options: [{ label: "To staging" }, { label: "To production" }, { label: "Not now", refuses: true }],
          closed: true,
        },
      ],
    });
    expect(await answer(session, question.id, "To production")).toMatchObject({ resolution: "answered" });
    await session.done(question.messageId);
    expect(await receivedAnswer(session)).toEqual(selected("b"));
  },
);

test("N5 a choice accepts only its own options, and an option that refuses denies the call", async () => {
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, choosing([staging, production, no]));
  const invented = { toolCallId: id, answers: { choice: "Somewhere else" } };
  const refused = await rig.client.ask("POST", session.path("/submit-answers"), { body: invented });
  expect(refused).toMatchObject({ status: 400, body: { code: "BAD_REQUEST" } });
  expect(await answer(session, id, "Not now")).toMatchObject({
    resolution: "denied",
    answers: { choice: "Not now" },
  });
  await session.done(messageId);
  expect(await receivedAnswer(session)).toEqual(selected("n"));
  expect(session.all("tool_result")).toMatchObject([{ toolCallId: "c1", status: "denied" }]);
});

test("N5 in plan mode a choice about a change is denied without asking, and one about reading still asks", async () => {
  await using session = await openSession(rig, "kit", { permissionMode: "plan" });
  await session.turn(choosing([staging, production, no]));
  expect(await receivedAnswer(session)).toMatchObject(selected("n"));
  expect(lastResolved(session)).toMatchObject({ resolution: "denied", by: "rule:mode-plan" });
  const read = { toolCallId: "c2", kind: "read", rawInput: { path: "a" } };
  const { id, messageId } = await asked(session, choosing([staging, production, no], read));
  await answer(session, id, "To staging");
  await session.done(messageId);
  expect(await receivedAnswer(session)).toEqual(selected("a"));
});

test("N5 only a person can give an answer that the agent would remember, in every mode, and the approval says so", async () => {
  const always = { optionId: "y", name: "Always allow", kind: "allow_always" };
  const never = { optionId: "z", name: "Reject", kind: "reject_always" };
  await using session = await openSession(rig, "kit", { permissionMode: "never" });
  const approval = await asked(session, choosing([always, never]));
  expect(approval).toMatchObject({
    type: "approval_required",
    scopes: ["once"],
    offers: { approve: { label: "Always allow", remembered: true }, deny: { remembered: true } },
  });
  const { stdout } = await drover(rig.home, "permit");
  expect(stdout).toContain("Always allow — the agent will remember this answer");
  await session.post("approve", { toolCallId: approval.id });
  await session.done(approval.messageId);
  expect(await receivedAnswer(session)).toEqual(selected("y"));
});

test("N5 the command line shows the tool call and the labels of a choice, and can answer it", async () => {
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, choosing([staging, production, no]));
  const { stdout } = await drover(rig.home, "permit");
  for (const label of ["deploy", "To staging", "To production", "Not now"]) expect(stdout).toContain(label);
  expect(await drover(rig.home, "answer", id, "choice=To staging")).toMatchObject({ code: 0 });
  await session.done(messageId);
  expect(await receivedAnswer(session)).toEqual(selected("a"));
});

test("N5 a request with one way to say yes remains an approval, which a mode may grant", async () => {
  await using session = await openSession(rig, "kit", { permissionMode: "never" });
  await session.turn(choosing([staging, no]));
  expect(await receivedAnswer(session)).toEqual(selected("a"));
  expect(lastResolved(session)).toMatchObject({ kind: "approval", by: "rule:mode-never" });
});
