// A person is asked once, in one place, and the agent gets exactly one answer, whichever client gives it.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Interaction } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofType } from "../kit/events.ts";
import { openSocket } from "../kit/socket.ts";
import { asked, lastResolved, receivedAnswer } from "./asking.ts";
import { readFrames } from "./frames.ts";
import { type Conversation, kitAgent, openRig, openSession, type Rig } from "./support.ts";

const agents = { kit: kitAgent("asks-permission.mjs"), questions: kitAgent("asks-questions.mjs") };
let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ agents, config: { sessions: { idleAfter: "5s" } } });
});
afterAll(() => rig[Symbol.asyncDispose]());

const refusal = (session: Conversation, action: string, body: unknown) =>
  rig.client.ask("POST", session.path(`/${action}`), { body });

const inWork = (file: string) => join(rig.home, "work", file);

test("A1 a tool call runs when it is approved, and not before", async () => {
  await using session = await openSession(rig, "demo");
  const question = await asked(session, "run echo approved > a1");
  expect(question).toMatchObject({
    kind: "approval",
    toolKind: "execute",
    input: { command: "echo approved > a1" },
    state: "open",
  });
  expect(await session.get()).toMatchObject({ state: "waiting_for_input", openInteractions: 1 });
  expect(existsSync(inWork("a1"))).toBe(false);
  const answer = await session.post<Interaction>("approve", { toolCallId: question.toolCallId });
  expect(answer).toMatchObject({ id: question.id, state: "resolved", resolution: "approved", by: "api" });
  expect(await session.done(question.messageId)).toMatchObject({ reason: "end_turn" });
  expect(await readFile(inWork("a1"), "utf8")).toBe("approved\n");
});

test("A1 a denial reaches the agent with its reason, and the tool call does not run", async () => {
  await using session = await openSession(rig, "demo");
  const { id, messageId } = await asked(session, "run echo denied > a1-denied");
  await session.post("deny", { toolCallId: id, reason: "not today" });
  expect(await session.done(messageId)).toMatchObject({ reason: "end_turn" });
  expect(session.follower.text()).toContain("denied: User denied tool execution: not today");
  expect(lastResolved(session)).toMatchObject({
    resolution: "denied",
    reason: "not today",
    reasonDelivered: false,
  });
  expect(session.all("tool_result").at(-1)).toMatchObject({ status: "denied" });
  expect(existsSync(inWork("a1-denied"))).toBe(false);
});

test("A2 N9 an approval or question expires at its deadline with a message of its own, which the agent receives", async () => {
  await using quick = await openRig({ agents, config: { interactions: { timeout: "1s" } } });
  await using session = await openSession(quick);
  expect(await session.turn("go")).toMatchObject({ reason: "end_turn" });
  const reason = "Tool approval timed out after 1 second";
  expect(await receivedAnswer(session)).toMatchObject({
    kind: "reject_once",
    _meta: { "drover/reason": reason },
  });
  expect(lastResolved(session)).toMatchObject({
    resolution: "expired",
    by: "server",
    reason,
    reasonDelivered: false,
  });
  await using other = await openSession(quick, "questions");
  expect(await other.turn("go")).toMatchObject({ reason: "end_turn" });
  const timedOut = "Question timed out after 1 second";
  expect(await receivedAnswer(other)).toMatchObject({
    action: "decline",
    _meta: { "drover/reason": timedOut },
  });
});

test("A3 a second answer is refused with an error that names the first", async () => {
  await using session = await openSession(rig, "demo");
  const { toolCallId, messageId } = await asked(session, "run true");
  const first = await session.post<Interaction>("approve", { toolCallId });
  const { resolution, by, at } = first;
  for (const action of ["approve", "deny"]) {
    const { status, body } = await refusal(session, action, { toolCallId });
    expect({ status, ...body }).toMatchObject({ status: 409, code: "ALREADY_RESOLVED", resolution, by, at });
  }
  await session.done(messageId);
});

test("A4 an answer with an unknown id or of the wrong kind gets a not-found error", async () => {
  await using session = await openSession(rig, "demo");
  const question = await asked(session, "ask Which? | A | B");
  await using other = await openSession(rig, "demo");
  const approval = await asked(other, "run true");
  const wrong = [
    [session, "approve", { toolCallId: "call_404" }],
    [session, "deny", { toolCallId: "call_404" }],
    [session, "submit-answers", { toolCallId: "call_404", answers: {} }],
    [session, "approve", { toolCallId: question.id }],
    [session, "deny", { toolCallId: question.toolCallId }],
    [other, "submit-answers", { toolCallId: approval.id, answers: { q1: "A" } }],
    [session, "approve", { toolCallId: approval.id }],
  ] as const;
  for (const [where, action, body] of wrong)
    expect(await refusal(where, action, body), action).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
  expect(await session.openInteractions()).toHaveLength(1);
  expect(await other.openInteractions()).toHaveLength(1);
});

test("interactions are listed under the current name of their session", async () => {
  await using session = await openSession(rig, "demo", { name: "first-name" });
  const { messageId } = await session.send("run true");
  const { toolCallId } = await session.follower.until(ofType("approval_required"));
  await rig.client.patch(session.path(), { name: "second-name" });
  const named = [{ toolCallId, sessionName: "second-name" }];
  expect(await session.openInteractions()).toMatchObject(named);
  const [snapshot] = await readFrames(rig.server, session.path("/events"), { last: () => true });
  expect(snapshot).toMatchObject({ interactions: named });
  expect(await rig.client.post("/api/sessions/second-name/approve", { toolCallId })).toMatchObject({
    sessionName: "second-name",
    resolution: "approved",
  });
  await session.done(messageId);
});

test("A5 an approval survives kill -9 of the server: when it is answered afterwards, the command runs once", async () => {
  await using own = await openRig();
  await using session = await openSession(own, "demo");
  const { id, toolCallId, messageId } = await asked(session, "say before\nrun echo once >> a5\nsay after");
  await own.server.kill9();
  await own.start();
  expect(await session.openInteractions()).toMatchObject([{ id, toolCallId, state: "open" }]);
  await session.post("approve", { toolCallId: id });
  expect(await session.done(messageId)).toMatchObject({ reason: "end_turn", ok: true });
  expect(await readFile(join(own.home, "work", "a5"), "utf8")).toBe("once\n");
  const actions = await readFile(join(own.home, "work", ".drover", "demo.log"), "utf8");
  expect(actions.trimEnd().split("\n")).toHaveLength(1);
  expect(session.follower.text()).toBe("before\nafter\n");
});

test("A6 an approval for the session covers later uses of the same program, and no other program", async () => {
  await using session = await openSession(rig, "demo");
  const { toolCallId, messageId, scopes } = await asked(session, "run echo one");
  expect(scopes).toEqual(["once", "session"]);
  await session.post("approve", { toolCallId, scope: "session" });
  await session.done(messageId);
  expect(await session.turn('run echo two\nrun echo "and; three"')).toMatchObject({ reason: "end_turn" });
  expect(session.all("approval_required")).toHaveLength(1);
  expect(lastResolved(session)).toMatchObject({ resolution: "approved", by: "rule:session-scope" });
  const other = await asked(session, "run ls");
  await session.post("deny", { toolCallId: other.id });
  await session.done(other.messageId);
  // More than one program: it is unclear what a single approval would cover.
  const chain = await asked(session, "run echo three; ls");
  expect(chain.scopes).toEqual(["once"]);
  await session.post("deny", { toolCallId: chain.id });
  await session.done(chain.messageId);
});

test("A8 plan mode denies changes without asking, and allows reading", async () => {
  await using session = await openSession(rig, "demo", { permissionMode: "plan" });
  expect(await session.turn("read .\nwrite a8 no\nrun touch a8")).toMatchObject({ reason: "end_turn" });
  expect(session.all("approval_required")).toEqual([]);
  const denial = {
    resolution: "denied",
    by: "rule:mode-plan",
    reason: expect.any(String),
    reasonDelivered: false,
  };
  expect(session.all("interaction_resolved")).toMatchObject([denial, denial]);
  expect(session.all("tool_result").map(({ status }) => status)).toEqual(["complete", "denied", "denied"]);
  expect(existsSync(inWork("a8"))).toBe(false);
});

test("acceptEdits allows edits and asks about commands, never asks about nothing, and the mode can be changed", async () => {
  await using session = await openSession(rig, "demo", { permissionMode: "acceptEdits" });
  await session.turn("write edited yes");
  expect(await readFile(inWork("edited"), "utf8")).toContain("yes");
  const { id, messageId } = await asked(session, "run touch commanded");
  await session.post("deny", { toolCallId: id });
  await session.done(messageId);
  await rig.client.patch(session.path(), { permissionMode: "never" });
  await session.turn("run touch commanded");
  expect(existsSync(inWork("commanded"))).toBe(true);
  expect(session.all("approval_required")).toHaveLength(1);
});

test("A9 when two answers arrive at once, one wins and both clients learn which", async () => {
  await using session = await openSession(rig, "demo");
  await using socket = await openSocket(rig.server, { "x-client-id": "racer" });
  for (let round = 0; round < 5; round++) {
    const { toolCallId, messageId } = await asked(session, `run echo ${round} >> a9`);
    const [approved, denied] = await Promise.all([
      refusal(session, "approve", { toolCallId }),
      socket.request("session:deny", { sessionId: session.id, toolCallId, reason: "too late?" }),
    ]);
    // The follower has its own connection: this round's event may arrive after both responses.
    const first = await session.follower.until<EventOf<"interaction_resolved">>(
      (event) => event.type === "interaction_resolved" && event.toolCallId === toolCallId,
    );
    const won = { resolution: first.resolution, by: first.by };
    const lost = { code: "ALREADY_RESOLVED" };
    expect(approved.body).toMatchObject(won.resolution === "approved" ? won : { ...lost, ...won });
    expect(denied).toMatchObject(
      won.resolution === "denied" ? { type: "ok", ...won } : { ...lost, type: "error" },
    );
    await session.done(messageId);
  }
  expect(session.all("interaction_resolved")).toHaveLength(5);
});

test("A12 an ACP agent is answered with its own option of the right kind, never one that it would remember", async () => {
  await using session = await openSession(rig);
  const answer = async (action: string, fields: Record<string, unknown>) => {
    const { id, messageId } = await asked(session, "go");
    await session.post(action, { toolCallId: id, ...fields });
    await session.done(messageId);
    return receivedAnswer(session);
  };
  const outcome = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
  expect(await answer("approve", {})).toEqual({ ...outcome("opt-a"), kind: "allow_once" });
  const withReason = (reason: string) => ({ _meta: { "drover/reason": reason } });
  expect(await answer("deny", { reason: "no" })).toEqual({
    ...outcome("opt-c"),
    kind: "reject_once",
    ...withReason("User denied tool execution: no"),
  });
  expect(await answer("deny", {})).toMatchObject(withReason("User denied tool execution"));
});
