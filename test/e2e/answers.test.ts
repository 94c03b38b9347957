// Questions, refused answers, and callers that may not answer at all.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Interaction } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSocket } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { asked, lastResolved, receivedAnswer } from "./asking.ts";
import { type Conversation, kitAgent, openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    agents: {
      kit: kitAgent("asks-permission.mjs"),
      questions: kitAgent("asks-questions.mjs"),
      cheat: kitAgent("answers-itself.mjs"),
      dies: kitAgent("asks-and-dies.mjs"),
    },
    config: { sessions: { idleAfter: "5s" }, supervision: { attempts: 1, backoff: "10ms" } },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const refusal = (session: Conversation, action: string, body: unknown) =>
  rig.client.ask("POST", session.path(`/${action}`), { body });

test("A13 a question shows its options, and the agent receives the chosen one", async () => {
  await using session = await openSession(rig, "demo");
  const question = await asked(session, "ask Which colour? | Red | Blue");
  expect(question).toMatchObject({
    type: "question_prompt",
    kind: "question",
    questions: [
      { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }], multiSelect: false },
    ],
  });
  const answer = await session.post<Interaction>("submit-answers", {
    toolCallId: question.toolCallId,
    answers: { "Which colour?": "Blue" },
  });
  expect(answer).toMatchObject({ resolution: "answered", state: "resolved" });
  await session.done(question.messageId);
  expect(session.follower.text()).toContain("You chose: Blue");
});

test("A13 several questions can be answered at once, by id, header or text, with several answers to one of them", async () => {
  await using session = await openSession(rig, "questions");
  const { id, messageId, questions } = await asked(session, "go");
  expect(questions?.map(({ id, header, multiSelect }) => ({ id, header, multiSelect }))).toEqual([
    { id: "colour", header: "Colour", multiSelect: false },
    { id: "sizes", header: "Sizes", multiSelect: true },
    { id: "urgent", header: undefined, multiSelect: false },
  ]);
  expect(questions?.[0]?.options).toEqual([{ label: "Red", description: "Like a barn" }, { label: "Blue" }]);
  const whole = { colour: "Red", Sizes: ["S", "L"], "Is it urgent?": "No" };
  const refused: [Record<string, unknown>, string][] = [
    [{ colour: "Red" }, "answers.sizes"],
    [{ ...whole, shape: "round" }, "answers.shape"],
    [{ ...whole, colour: ["Red", "Blue"] }, "answers.colour"],
  ];
  for (const [answers, path] of refused) {
    expect(await refusal(session, "submit-answers", { toolCallId: id, answers })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", issues: [{ path }] },
    });
  }
  await session.post("submit-answers", { toolCallId: id, answers: whole });
  await session.done(messageId);
  expect(await receivedAnswer(session)).toEqual({
    action: "accept",
    content: { colour: "#f00", sizes: ["S", "L"], urgent: false },
  });
  expect(lastResolved(session)).toMatchObject({
    resolution: "answered",
    answers: { colour: "Red", sizes: ["S", "L"], urgent: "No" },
  });
});

test("A14 cancelling a turn cancels its open interactions, and the agent is notified", async () => {
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, "go");
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled", ok: false });
  expect(await receivedAnswer(session)).toMatchObject({ outcome: { outcome: "cancelled" } });
  expect(lastResolved(session)).toMatchObject({
    resolution: "cancelled",
    cause: "turn_cancelled",
    by: "server",
  });
  expect(await session.openInteractions()).toEqual([]);
  expect(await refusal(session, "approve", { toolCallId: id })).toMatchObject({
    status: 409,
    body: { code: "ALREADY_RESOLVED", resolution: "cancelled", by: "server" },
  });
});

test("A14 the open interactions of an agent expire when it exits", async () => {
  await using session = await openSession(rig, "dies");
  const { id, messageId } = await asked(session, "go");
  expect(await session.done(messageId)).toMatchObject({ reason: "crashed" });
  expect(lastResolved(session)).toMatchObject({ resolution: "expired", cause: "agent_gone" });
  expect(await refusal(session, "approve", { toolCallId: id })).toMatchObject({
    status: 409,
    body: { code: "ALREADY_RESOLVED", resolution: "expired" },
  });
});

test("an approval is valid only for exactly the input that was shown", async () => {
  await using session = await openSession(rig, "demo");
  const { id, inputHash, messageId } = await asked(session, "run echo shown");
  const refused: [Record<string, unknown>, number, Record<string, unknown>][] = [
    [{ inputHash: "0".repeat(64) }, 409, { code: "INPUT_CHANGED" }],
    [{ input: { command: "echo amended" } }, 400, { code: "UNSUPPORTED", what: "amended input" }],
    [{ scope: "project" }, 400, { code: "UNSUPPORTED", what: "scope project" }],
    [{ permissionMode: "never" }, 400, { code: "UNSUPPORTED", what: "permissionMode" }],
    [{ surprise: true }, 400, { code: "BAD_REQUEST" }],
  ];
  for (const [fields, status, body] of refused)
    expect(await refusal(session, "approve", { toolCallId: id, ...fields })).toMatchObject({ status, body });
  expect(await session.openInteractions()).toHaveLength(1);
  await session.post("approve", { toolCallId: id, inputHash });
  await session.done(messageId);
});

test("a tool call id that an agent reuses after a restart gets a new name", async () => {
  await using session = await openSession(rig, "demo");
  const names: string[] = [];
  for (let start = 0; start < 3; start++) {
    const { toolCallId, messageId } = await asked(session, "run true\ncrash");
    names.push(toolCallId);
    await session.post("approve", { toolCallId });
    expect(await session.done(messageId)).toMatchObject({ reason: "crashed" });
    await session.post("reconnect");
  }
  expect(names).toEqual(["call_1", "call_1~2", "call_1~3"]);
  const tools = (await session.items()).filter(({ kind }) => kind === "tool");
  expect(tools.map(({ tool }) => [tool?.toolCallId, tool?.status])).toEqual(
    names.map((name) => [name, "complete"]),
  );
});

test("open interactions of all sessions are listed oldest first, and settled ones on request", async () => {
  await using first = await openSession(rig, "demo");
  await using second = await openSession(rig, "questions");
  const one = await asked(first, "run true");
  const two = await asked(second, "go");
  const list = async (query: string) => {
    const { interactions } = await rig.client.get<{ interactions: Interaction[] }>(
      `/api/interactions${query}`,
    );
    return interactions
      .filter(({ sessionId }) => [first.id, second.id].includes(sessionId))
      .map(({ id }) => id);
  };
  expect(await list("")).toEqual([one.id, two.id]);
  expect(await list(`?sessionId=${second.id}`)).toEqual([two.id]);
  await first.post("approve", { toolCallId: one.id });
  expect(await list("?state=open")).toEqual([two.id]);
  expect(await list("?state=resolved")).toEqual([one.id]);
  expect(await list("?state=all")).toEqual([one.id, two.id]);
  await second.post("interrupt");
});

test("a socket can answer interactions like any other client", async () => {
  await using session = await openSession(rig, "demo");
  await using socket = await openSocket(rig.server);
  const approval = await asked(session, "run true");
  const answer = await socket.request("session:approve", { sessionId: session.id, toolCallId: approval.id });
  expect(answer).toMatchObject({ type: "ok", id: approval.id, resolution: "approved", by: "api" });
  const question = await asked(session, "ask Go on? | Yes");
  const answers = { "Go on?": "in my own words" };
  expect(
    await socket.request("session:answer", { sessionId: session.id, toolCallId: question.id, answers }),
  ).toMatchObject({ type: "ok", resolution: "answered" });
  await session.done(question.messageId);
  expect(session.follower.text()).toContain("You chose: in my own words");
});

test("an agent that finds the token cannot answer its own requests or loosen its own mode", async () => {
  await using session = await openSession(rig, "cheat");
  const { id, messageId } = await asked(session, "go");
  const said = await until(() => session.follower.text().startsWith("{") && session.follower.text());
  const no = "AGENT_CANNOT_ANSWER";
  expect(JSON.parse(said)).toEqual({ approve: no, deny: no, answer: no, mode: no, socket: no });
  expect(await session.get()).toMatchObject({ permissionMode: "ask", openInteractions: 1 });
  await session.post("deny", { toolCallId: id });
  await session.done(messageId);
  expect(session.follower.text()).toMatch(/\nno$/);
});

test("a command that one agent runs cannot approve another agent's request", async () => {
  await using victim = await openSession(rig, "demo");
  const { id } = await asked(victim, "run true");
  const { url, token } = rig.server;
  const script = `
    const answer = await fetch("${url}/api/sessions/${victim.id}/approve", {
      method: "POST", headers: { authorization: "Bearer ${token}" }, body: JSON.stringify({ toolCallId: "${id}" }),
    });
    console.log(answer.status, await answer.text());`;
  await writeFile(join(rig.home, "work", "cheat.mjs"), script);
  await using session = await openSession(rig, "demo", { permissionMode: "never" });
  await session.turn(`run "${process.execPath}" cheat.mjs > cheat.out`);
  const answer = await readFile(join(rig.home, "work", "cheat.out"), "utf8");
  expect(answer).toMatch(/^403 .*AGENT_CANNOT_ANSWER/);
  expect(await victim.openInteractions()).toHaveLength(1);
  await victim.post("approve", { toolCallId: id });
});
