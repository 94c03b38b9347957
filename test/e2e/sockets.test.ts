// One socket per page: every request is answered under its id, and missed events can be replayed.
import type { Item, Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { follow, ofType } from "../kit/events.ts";
import { openSocket, type Socket, type SocketFrame } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { frameOf, readBlocks, textOf } from "./frames.ts";
import { lazyReader, lazySocket } from "./lazy-clients.ts";
import { kitAgent, openRig, openSession, type Rig, seeded } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    agents: { kit: kitAgent("floods.mjs", "--count", "800", "--bytes", "4000") },
    config: { sessions: { idleAfter: "2s" } },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const workDirectory = () => `${rig.home}/work`;
const framesOf = ({ frames }: Socket, type: string) => frames.filter((frame) => frame.type === type);

test("S13 every response and every error carries the requestId of its request", async () => {
  await using socket = await openSocket(rig.server);
  const created = await socket.request("session:create", { agent: "demo", cwd: workDirectory() });
  expect(created).toMatchObject({ type: "session:created", session: { agent: "demo" } });
  const { id: sessionId } = created["session"] as Session;
  const { project } = (await socket.request("project:add", { path: workDirectory() })) as unknown as {
    project: { id: string };
  };
  const answers: Record<string, [Record<string, unknown>, string]> = {
    "session:list": [{}, "session:list"],
    "project:list": [{}, "project:list"],
    "session:open": [{ sessionId }, "session:history"],
    "session:send": [{ sessionId, content: "say hi" }, "session:accepted"],
    "session:cancel": [{ sessionId }, "ok"],
    "session:close": [{ sessionId }, "ok"],
    "session:archive": [{ sessionId }, "ok"],
    "project:remove": [{ projectId: project.id }, "project:removed"],
  };
  for (const [type, [fields, answer]] of Object.entries(answers))
    expect(await socket.request(type, fields), type).toMatchObject({ type: answer });

  const errors: Record<string, [Record<string, unknown>, string]> = {
    "session:create": [{ agent: "nobody", cwd: workDirectory() }, "UNSUPPORTED_CLI"],
    "session:open": [{ sessionId: "no-such-session" }, "NOT_FOUND"],
    "session:send": [{ sessionId }, "BAD_REQUEST"],
    "session:cancel": [{}, "BAD_REQUEST"],
    "session:archive": [{ sessionId: "no-such-session" }, "NOT_FOUND"],
    "session:approve": [{ sessionId, toolCallId: "none" }, "NOT_FOUND"],
    "session:deny": [{ sessionId, toolCallId: "none" }, "NOT_FOUND"],
    "session:answer": [{ sessionId, toolCallId: "none", answers: {} }, "NOT_FOUND"],
    "session:reconnect": [{ sessionId: "no-such-session" }, "NOT_FOUND"],
    "project:add": [{ path: "/" }, "OUTSIDE_BOUNDARY"],
    "project:remove": [{ projectId: "none" }, "NOT_FOUND"],
    "session:unheard-of": [{}, "BAD_REQUEST"],
  };
  for (const [type, [fields, code]] of Object.entries(errors))
    expect(await socket.request(type, fields), type).toMatchObject({ type: "error", code });

  socket.sendText('{"type":"session:list","requestId":"torn","cwd":');
  expect(await socket.until(({ requestId }) => requestId === "torn")).toMatchObject({ code: "BAD_REQUEST" });
  socket.sendText("]no json at all");
  expect(
    await socket.until(({ type, requestId }) => type === "error" && requestId === undefined),
  ).toMatchObject({ code: "BAD_REQUEST" });
  expect(await socket.request("session:list"), "the socket stays open").toMatchObject({
    type: "session:list",
  });
});

test("S3 a socket that opened a session receives its events, and other sockets only when its turns start and end", async () => {
  await using session = await openSession(rig, "demo");
  await using opener = await openSocket(rig.server);
  await using other = await openSocket(rig.server);
  const history = await opener.request("session:open", { sessionId: session.id });
  expect(history).toMatchObject({ type: "session:history", entries: [], cursor: 0 });
  // A client that connects later receives each closed text as a single event.
  await until(() => session.follower.connections === 1);
  await session.turn("stream 20\nread .");
  const ended = ({ type, phase }: SocketFrame) => type === "session:turn" && phase === "ended";
  await Promise.all([opener.until(ended), other.until(ended)]);
  await opener.until(({ event }) => (event as { type?: string } | undefined)?.type === "done");

  const sent = framesOf(opener, "session:event");
  expect(sent.map(({ event }) => event)).toEqual(session.follower.events);
  expect(sent.map(({ seq, from }) => [seq, from])).toEqual(
    session.follower.events.map(({ seq, from }) => [seq, from]),
  );
  expect(framesOf(other, "session:event")).toEqual([]);
  const { turnId } = session.follower.events.find(ofType("done")) ?? {};
  expect(framesOf(other, "session:turn")).toEqual([
    { type: "session:turn", sessionId: session.id, turnId, phase: "started" },
    { type: "session:turn", sessionId: session.id, turnId, phase: "ended", reason: "end_turn" },
  ]);

  await using late = await openSocket(rig.server);
  const cursor = session.follower.events[3]?.seq ?? 0;
  expect(await late.request("session:open", { sessionId: session.id, after: cursor })).toMatchObject({
    entries: [],
    cursor,
  });
  await late.until(({ event }) => (event as { type?: string } | undefined)?.type === "done");
  expect(framesOf(late, "session:event")[0]).toMatchObject({ from: cursor + 1 });
  await late.request("session:close", { sessionId: session.id });
  await session.turn("say more");
  await late.until((frame) => ended(frame) && frame["turnId"] !== turnId);
  expect(framesOf(late, "session:event").at(-1)).toMatchObject({ event: { type: "done", turnId } });
});

test("a socket can still close a session that was deleted while it was open", async () => {
  await using socket = await openSocket(rig.server);
  const { id: sessionId } = await rig.client.post<Session>("/api/sessions", {
    agent: "demo",
    cwd: workDirectory(),
  });
  await socket.request("session:open", { sessionId });
  await rig.client.delete(`/api/sessions/${sessionId}`);
  expect(await socket.request("session:close", { sessionId })).toMatchObject({ type: "ok", sessionId });
  expect(await socket.request("session:close", { sessionId })).toMatchObject({ code: "NOT_FOUND" });
});

test("S14 the last update of an item has its whole text, whichever earlier updates are lost", async () => {
  await using session = await openSession(rig, "demo");
  await using socket = await openSocket(rig.server);
  await socket.request("session:open", { sessionId: session.id, view: "items" });
  const begun = performance.now();
  await session.turn("slow 4\nstream 150\nthink hm\nread .\nstream 100\ntodo a, b");
  const seconds = (performance.now() - begun) / 1000;
  const expected = await session.items();
  const upserts = () => framesOf(socket, "session:upsert").map(({ item }) => item as Item);
  await until(() => expected.every(({ id }) => upserts().some((i) => i.id === id && i.status !== "open")));

  const all = upserts();
  const render = (updates: Item[]) =>
    [...new Map(updates.map((item) => [item.id, item])).values()].sort((a, b) => a.seq - b.seq);
  expect(render(all)).toEqual(expected);
  const isLast = (item: Item) => all.findLast(({ id }) => id === item.id) === item;
  const random = seeded(14);
  for (let round = 0; round < 50; round++) {
    const kept = random();
    const received = all.filter((item) => isLast(item) || random() < kept);
    expect(textOf(render(received))).toBe(session.follower.text());
  }
  for (const { id } of expected) {
    const updates = all.filter((item) => item.id === id);
    expect(updates.length, "at most 20 a second, plus the last").toBeLessThanOrEqual(20 * seconds + 2);
    expect(updates.filter(({ status }) => status !== "open").length, "one update when it closes").toBe(1);
  }
});

test("S8 a client that stops reading is disconnected and can resume from its cursor, and other clients are unaffected", async () => {
  await using session = await openSession(rig, "kit");
  using reader = await lazyReader(rig.server, session.path("/events?after=0"));
  using socket = await lazySocket(rig.server, session.id);
  // Each turn is below the limit of unread data per client; together they also exceed the kernel's buffers.
  for (let turn = 0; turn < 10; turn++) expect(await session.turn("flood")).toMatchObject({ ok: true });
  expect(session.follower.text().length).toBeGreaterThan(25_000_000);
  expect(session.follower.connections).toBe(1);

  socket.resume();
  expect(await socket.closed).toBe(4008);
  const sent = await reader.read();
  const cursors = [...sent.slice(0, sent.lastIndexOf("\n\n")).matchAll(/^id: (\d+)$/gm)];
  const cursor = Number(cursors.at(-1)?.[1]);
  const { lastSeq } = await session.get();
  expect(cursor).toBeGreaterThan(1);
  expect(cursor).toBeLessThan(lastSeq);
  await using back = follow(() => rig.server, session.id, { after: cursor });
  await until(() => back.cursor === lastSeq);
});

test("a frame over 16 MB closes its socket, and a shutdown closes every socket and ends every stream", async () => {
  await using own = await openRig();
  await using session = await openSession(own, "demo");
  await using greedy = await openSocket(own.server);
  greedy.sendText(JSON.stringify({ type: "session:list", cwd: "x".repeat(16 * 1024 * 1024) }));
  expect(await greedy.closed).toMatchObject({ code: 1009 });
  await using socket = await openSocket(own.server);
  let isOpen = false;
  const stream = readBlocks(own.server, session.path("/events"), {
    onBlock: ({ event }) => {
      isOpen ||= event === "snapshot";
    },
  });
  await until(() => isOpen && session.follower.connections === 1);
  expect(await own.server.term()).toEqual({ code: 0, signal: null });
  expect(await socket.closed).toMatchObject({ code: 1001 });
  expect((await stream).map(({ event }) => event)).toEqual([undefined, "snapshot"]);
  await session.follower.close();
});

test("the feed of all sessions reports new and removed sessions, connections and interactions", async () => {
  const types: string[] = [];
  const reading = readBlocks(rig.server, "/api/events", {
    last: (block) => {
      const { type } = (frameOf(block) ?? {}) as { type?: string };
      if (type) types.push(type);
      return type === "session_removed";
    },
  });
  await until(() => types.includes("snapshot"));
  await using session = await openSession(rig, "demo");
  const { messageId } = await session.send("run true");
  const asked = await session.follower.until(ofType("approval_required"));
  await session.post("approve", { toolCallId: asked.toolCallId });
  await session.done(messageId);
  await rig.client.delete(session.path());
  const blocks = await reading;
  expect(types).toEqual(
    expect.arrayContaining([
      "session_upserted",
      "agent:status",
      "interaction_opened",
      "interaction_resolved",
      "session_removed",
    ]),
  );
  const ids = blocks.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(new Set(ids).size).toBe(ids.length);
  // A client that reconnects with an id receives what it missed.
  const again = await readBlocks(rig.server, "/api/events", {
    headers: { "last-event-id": String(ids[1]) },
    last: ({ event }) => event === "session_removed",
  });
  expect(again.filter(({ id }) => id !== undefined)).toEqual(
    blocks.filter(({ id }) => Number(id) > (ids[1] ?? 0)),
  );
});
