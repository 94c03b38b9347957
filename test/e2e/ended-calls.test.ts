// The ways a tool call can end: done, failed, denied, interrupted, or never closed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asked } from "./asking.ts";
import { type Conversation, kitAgent, openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ agents: { kit: kitAgent("follows-script.mjs") } });
});
afterAll(() => rig[Symbol.asyncDispose]());

const call = { toolCallId: "c1", title: "bash", kind: "execute" };
const options = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "n", name: "No", kind: "reject_once" },
];
const begin = { update: { sessionUpdate: "tool_call", status: "pending", ...call } };
const ask = { ask: { toolCall: { ...call, rawInput: { command: "make" } }, options } };
const fail = { update: { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" } };

const toolOf = async (session: Conversation) =>
  (await session.items()).findLast(({ kind }) => kind === "tool");

/** The agent repeats the answer it received. */
const speaks = (session: Conversation) =>
  session.follower.until((event) => event.type === "text_delta", { what: "the agent speaks" });

test.each([
  ["that the agent closes as failed", [fail]],
  ["that the agent leaves open", []],
])("N9 an interrupt marks an approved call as interrupted, even one %s", async (_, end) => {
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, JSON.stringify([begin, ask, "cancelled", ...end]));
  await session.post("approve", { toolCallId: id });
  await speaks(session);
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
  expect(await toolOf(session)).toMatchObject({ tool: { status: "interrupted" } });
  expect(session.all("tool_result").map(({ status }) => status)).toEqual(end.map(() => "interrupted"));
});

test("N9 a denied call that the agent never closes is closed as denied when its turn ends", async () => {
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, JSON.stringify([begin, ask]));
  await session.post("deny", { toolCallId: id });
  expect(await session.done(messageId)).toMatchObject({ reason: "end_turn" });
  expect(session.all("tool_result")).toMatchObject([{ toolCallId: "c1", status: "denied" }]);
  expect(await toolOf(session)).toMatchObject({ status: "complete", tool: { status: "denied" } });
});

test.each([
  ["closes it as failed", [fail]],
  ["never closes it", []],
])("N9 after kill -9 a denied call is still denied if the agent %s", async (_, end) => {
  const file = join(rig.home, `denied-${end.length}`);
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, JSON.stringify([begin, ask, { until: file }, ...end]));
  await session.post("deny", { toolCallId: id });
  await speaks(session);
  await rig.server.kill9();
  await rig.start();
  await writeFile(file, "");
  await session.done(messageId);
  expect(session.all("tool_result")).toMatchObject([{ toolCallId: "c1", status: "denied" }]);
});

test("N9 a call that is neither denied nor closed stays unfinished", async () => {
  await using session = await openSession(rig);
  const { id, messageId } = await asked(session, JSON.stringify([begin, ask]));
  await session.post("approve", { toolCallId: id });
  await session.done(messageId);
  expect(session.all("tool_result")).toEqual([]);
  expect(await toolOf(session)).toMatchObject({ status: "partial", tool: { status: "running" } });
});

test("N9 the title, kind and input of a call survive kill -9", async () => {
  const file = join(rig.home, "titled");
  const update = { sessionUpdate: "tool_call_update", toolCallId: "c1" };
  const steps = [
    begin,
    { update: { ...update, title: "Build everything" } },
    { update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Soon." } } },
    { until: file },
    { ask: { toolCall: { toolCallId: "c1" }, options } },
  ];
  await using session = await openSession(rig);
  const { messageId } = await session.send(JSON.stringify(steps));
  await speaks(session);
  await rig.server.kill9();
  await rig.start();
  await writeFile(file, "");
  const isAsked = ({ type }: { type: string }) => type === "approval_required";
  const question = await session.follower.until(isAsked, { what: "the agent asks for approval" });
  expect(question).toMatchObject({ title: "Build everything", toolKind: "execute" });
  await session.post("approve", { toolCallId: "c1" });
  await session.done(messageId);
  expect(await toolOf(session)).toMatchObject({ tool: { title: "Build everything" } });
  expect(session.all("tool_call_start")).toHaveLength(1);
});
