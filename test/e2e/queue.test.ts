// One turn at a time: which messages wait, which are refused, and what happens to the queue when a turn fails.
import type { QueuedMessage, Receipt, Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofType } from "../kit/events.ts";
import { isAlive, kill9 } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { readBlocks } from "./frames.ts";
import {
  type Conversation,
  kitAgent,
  openRig,
  openSession,
  processesOfSession,
  type Rig,
} from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    agents: { echo: kitAgent("echo.mjs"), twice: kitAgent("answers-twice.mjs") },
    config: {
      sessions: { stallAfter: "300ms", idleAfter: "5s", queueMax: 120 },
      supervision: { backoff: "20ms" },
    },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

type Queue = { paused: boolean; messages: QueuedMessage[] };
const queueOf = (session: Conversation) => rig.client.get<Queue>(session.path("/queue"));
const endings = (session: Conversation) => session.all("done").map(({ reason }) => reason);
const strict = (session: Conversation, client: string) =>
  rig.client.ask("POST", session.path("/messages"), {
    body: { content: "mine now" },
    headers: { "x-lock": "strict", "x-client-id": client },
  });

/** Expects turns to start and end one after the other. */
function expectOneAtATime(session: Conversation) {
  const marks = session.follower.events.filter(({ type }) => type === "turn_start" || type === "done");
  const alternate = marks.map((_, index) => (index % 2 === 0 ? "turn_start" : "done"));
  expect(marks.map(({ type }) => type)).toEqual(alternate);
}

test("L1 a long turn keeps its lock as long as its agent is alive, even after a long silence", async () => {
  await using session = await openSession(rig, "demo");
  await rig.client.post(session.path("/messages"), { content: "hang" }, { "x-client-id": "owner" });
  await until(async () => (await session.get()).state === "stalled");
  const { turn, lock } = await session.get();
  expect(lock).toEqual({ lockedBy: "owner", lockedAt: turn?.startedAt });
  for (const client of ["thief", "owner"]) {
    const { status, body } = await strict(session, client);
    expect({ status, ...body }).toMatchObject({ status: 409, code: "SESSION_LOCKED", ...lock });
  }
  expect(await session.get()).toMatchObject({ turn, lock, queued: 0 });
  await session.post("interrupt");
  await session.follower.until(ofType("done"));
  expect(await session.get()).not.toHaveProperty("lock");
  expect(await strict(session, "next")).toMatchObject({ status: 202, body: { applied: "started" } });
});

test("L2 when the agent dies, its turn ends and the lock is released within two seconds", async () => {
  await using session = await openSession(rig, "demo");
  const { messageId } = await session.send("say begun\nhang");
  await until(() => session.follower.text() === "begun\n");
  const { connection } = await session.get();
  kill9(connection.pid);
  expect(await session.done(messageId, { deadline: 2_000 })).toMatchObject({
    reason: "crashed",
    error: { code: "AGENT_CRASHED" },
  });
  expect(await session.get()).not.toHaveProperty("lock");
  expect(await session.turn("say again")).toMatchObject({ ok: true });
});

test("L3 a client that sends twice at once never has two turns at once", async () => {
  await using session = await openSession(rig, "demo");
  const send = (n: number) =>
    rig.client.post<Receipt>(
      session.path("/messages"),
      { content: `run true\nsay ${n}` },
      { "x-client-id": "one" },
    );
  const receipts = await Promise.all(Array.from({ length: 8 }, (_, n) => send(n)));
  // The first turn waits for an answer until all messages are queued; the others need none.
  const { toolCallId } = await session.follower.until(ofType("approval_required"));
  await rig.client.patch(session.path(), { permissionMode: "never" });
  await session.post("approve", { toolCallId });
  expect(receipts.filter(({ applied }) => applied === "started")).toHaveLength(1);
  expect(receipts.map(({ queuePosition }) => queuePosition).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await until(() => session.all("done").length === 8);
  expectOneAtATime(session);
  const order = receipts.toSorted((a, b) => a.queuePosition - b.queuePosition).map((one) => one.messageId);
  expect(session.all("turn_start").map(({ messageId }) => messageId)).toEqual(order);
});

test("L4 a late response to an earlier turn ends nothing and releases no lock", async () => {
  await using session = await openSession(rig, "twice");
  await session.turn("one");
  const { messageId } = await session.send("two");
  const done = await session.done(messageId);
  expect(done.reason).toBe("end_turn");
  const said = session.follower.events.filter(ofType("text_delta"));
  const own = said.filter(({ turnId }) => turnId === done.turnId).map(({ text }) => text);
  expect(own.join("")).toBe("working finished");
  expect(endings(session)).toEqual(["end_turn", "end_turn"]);
  expectOneAtATime(session);
});

test("L5 a client that disconnects does not end its turn", async () => {
  await using session = await openSession(rig, "demo");
  await readBlocks(rig.server, session.path("/messages"), {
    method: "POST",
    headers: { accept: "text/event-stream" },
    body: { content: "slow 5\nstream 60" },
    last: ({ data }) => data?.includes("word3 ") ?? false,
  });
  const done = await session.follower.until(ofType("done"));
  expect(done).toMatchObject({ ok: true, partial: false });
  expect(session.follower.text()).toContain("word60");
});

test("L6 a hundred first messages at once start one process", async () => {
  await using session = await openSession(rig, "echo");
  const contents = Array.from({ length: 100 }, (_, n) => `message-${n}.`);
  const receipts = await Promise.all(contents.map((content) => session.send(content)));
  expect(new Set(receipts.map(({ messageId }) => messageId)).size).toBe(100);
  await until(() => session.all("done").length === 100);
  expect(processesOfSession(rig, session.id), "the agent and its parent").toHaveLength(2);
  expect((await session.get()).run).toBe(1);
  for (const content of contents) expect(session.follower.text().split(content)).toHaveLength(2);
  expectOneAtATime(session);
});

test("L7 a turn that fails or crashes its agent does not stop the queue", async () => {
  await using session = await openSession(rig, "demo");
  for (const content of ["slow 20\nstream 10", "fail boom", "crash 3", "say still here"])
    await session.send(content);
  await until(() => session.all("done").length === 4);
  expect(endings(session)).toEqual(["end_turn", "error", "crashed", "end_turn"]);
  const [, failed] = session.all("done");
  expect(failed?.error?.message).toContain("boom");
  expect(session.follower.text()).toMatch(/still here\n$/);
});

test("L10 an interrupt stops the turn and pauses the queue, and resume continues it", async () => {
  await using session = await openSession(rig, "demo");
  const { turnId } = await session.send("say begun\nhang");
  await until(() => session.follower.text() === "begun\n");
  await session.send("say waited");
  expect(await session.post("interrupt")).toEqual({ turnId });
  await until(() => session.all("done").length === 1);
  expect(endings(session)).toEqual(["cancelled"]);
  expect(await session.get()).toMatchObject({ state: "idle", queued: 1, queuePaused: true });
  // A new message joins the end of the queue.
  expect(await session.send("say later")).toMatchObject({ applied: "queued", queuePosition: 2 });
  expect(await session.post<Session>("resume")).toMatchObject({ queuePaused: false });
  await until(() => session.all("done").length === 3);
  expect(session.follower.text()).toBe("begun\nwaited\nlater\n");
});

test("L10 without a queue an interrupt pauses nothing, and a message to an empty paused queue runs at once", async () => {
  await using session = await openSession(rig, "demo");
  expect(await session.post("interrupt"), "nothing runs").toEqual({});
  await session.send("say begun\nhang");
  await until(() => session.follower.text() === "begun\n");
  const waiting = await session.send("say dropped");
  await session.post("interrupt");
  await until(() => session.all("done").length === 1);
  await rig.client.delete(session.path(`/queue/${waiting.messageId}`));
  expect(await queueOf(session)).toEqual({ paused: true, messages: [] });
  expect(await session.send("say now")).toMatchObject({ applied: "started", queuePosition: 0 });
  await until(() => session.all("done").length === 2);
  expect(await queueOf(session)).toEqual({ paused: false, messages: [] });
});

test("L10 an agent that ignores an interrupt is ended, and its turn is cancelled", async () => {
  await using own = await openRig({
    agents: { kit: kitAgent("stays-silent.mjs") },
    config: { supervision: { stopGrace: "300ms" } },
  });
  await using session = await openSession(own);
  const { messageId } = await session.send("hello?");
  await until(async () => (await session.get()).state === "running");
  const [agent] = processesOfSession(own, session.id);
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
  await until(() => !isAlive(agent?.pid ?? 0));
  expect(await session.get()).toMatchObject({ state: "idle", queuePaused: false });
});

test("L11 queued messages can be edited, moved and removed, and a running one cannot", async () => {
  await using session = await openSession(rig, "demo");
  const running = await session.send("say begun\nslow 20\nhang");
  await until(() => session.follower.text() === "begun\n");
  const ids: string[] = [];
  for (const word of ["a", "b", "c", "d"]) ids.push((await session.send(`say ${word}`)).messageId);
  const [a, b, c, d] = ids;
  const contents = async () => (await queueOf(session)).messages.map(({ content }) => content.slice(4));
  expect(await contents()).toEqual(["a", "b", "c", "d"]);
  const edit = (id = "", body: unknown) => rig.client.patch(session.path(`/queue/${id}`), body);
  await edit(c, { move: { before: a } });
  await edit(a, { move: { after: c } });
  await edit(b, { content: "say B", move: { after: a } });
  expect(await contents()).toEqual(["c", "a", "B", "d"]);
  await rig.client.delete(session.path(`/queue/${d}`));
  const refused = [
    ["PATCH", running.messageId, { content: "say too late" }],
    ["DELETE", running.messageId, undefined],
    ["DELETE", d, undefined],
    ["PATCH", a, { move: { before: running.messageId } }],
  ] as const;
  for (const [method, id, body] of refused) {
    const answer = await rig.client.ask(method, session.path(`/queue/${id}`), { body });
    expect(answer, `${method} ${id}`).toMatchObject({ status: 409, body: { code: "NOT_QUEUED" } });
  }
  await session.post("interrupt");
  await session.post("resume");
  await until(() => session.all("done").length === 4);
  expect(session.follower.text()).toBe("begun\nc\na\nB\n");
});

test("L8 a full queue refuses the next message and says why", async () => {
  await using small = await openRig({ config: { sessions: { queueMax: 2 } } });
  await using session = await openSession(small, "demo");
  for (const content of ["hang", "say 1", "say 2"]) await session.send(content);
  const full = await small.client.ask("POST", session.path("/messages"), { body: { content: "say 3" } });
  expect(full).toMatchObject({ status: 409, body: { code: "QUEUE_FULL", limit: 2 } });
  expect(full.body["error"]).toContain("2 messages are already waiting");
  expect(await small.client.get(session.path("/queue"))).toMatchObject({ messages: [{}, {}] });
});
