import { setImmediate as tick } from "node:timers/promises";
import { type EventBody, emptyTimeline, extend, type Item, type SessionEvent } from "@drover/core";
import { describe, expect, test } from "vitest";
import { follow, ofType } from "../../../../test/kit/events.ts";
import { sseBlocks } from "../../../../test/kit/sse.ts";
import { until } from "../../../../test/kit/until.ts";
import { newSession, startApi, type TestApi, token } from "./harness.ts";

const text = (itemId: string, words: string): EventBody => ({ type: "text_delta", itemId, text: words });
const done = (turnId: string): EventBody => ({
  type: "done",
  turnId,
  reason: "end_turn",
  ok: true,
  partial: false,
});
const headers = { authorization: `Bearer ${token}` };

/** The items a client that saw these events draws. */
function drawn(events: readonly SessionEvent[]): Item[] {
  const items = new Map<string, Item>();
  let timeline = emptyTimeline;
  for (const event of events) {
    const step = extend(timeline, event);
    timeline = step.timeline;
    for (const { item } of step.changed) items.set(item.id, item);
  }
  return [...items.values()];
}

interface Wanted {
  readonly path: string;
  readonly count: number;
  readonly lastEventId?: string;
}

async function firstFrames(api: TestApi, { path, count, lastEventId }: Wanted) {
  const cursor = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const response = await fetch(new URL(path, api.url), { headers: { ...headers, ...cursor } });
  const frames: { id: string | undefined; event: string | undefined; data: Record<string, unknown> }[] = [];
  if (!response.body) throw new Error("no body");
  for await (const { id, event, data } of sseBlocks(response.body)) {
    if (data !== undefined) frames.push({ id, event, data: JSON.parse(data) });
    if (frames.length === count) break;
  }
  return frames;
}

describe("a stream of events", () => {
  test("begins with a snapshot when the client has no cursor, and goes on right after it", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b")]);
    await using client = follow(() => api, id);
    await until(() => client.snapshots.length === 1);
    expect(client.snapshots[0]).toMatchObject({
      seq: 2,
      items: [{ id: "i1", text: "ab" }],
      interactions: [],
    });
    expect(client.snapshots[0]).not.toHaveProperty("reset");
    expect(client.snapshots[0]).not.toHaveProperty("from");
    api.service.append(id, [text("i1", "c")]);
    expect(await client.until((event) => event.seq === 3)).toMatchObject({
      from: 3,
      text: "c",
      sessionId: id,
    });
  });

  test("by name is the same as by id", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    const [frame] = await firstFrames(api, {
      path: `/api/sessions/${api.service.must(id).name}/events?after=0`,
      count: 1,
    });
    expect(frame).toMatchObject({ id: "1", event: "text_delta", data: { sessionId: id, from: 1, seq: 1 } });
  });

  test("after a cursor has no snapshot; the header wins over the query; 0 is the beginning", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b"), text("i1", "c")]);
    const path = `/api/sessions/${id}/events`;
    expect((await firstFrames(api, { path: `${path}?after=0`, count: 3 })).map((frame) => frame.id)).toEqual([
      "1",
      "2",
      "3",
    ]);
    const [first] = await firstFrames(api, { path: `${path}?after=0`, count: 1, lastEventId: "2" });
    expect(first?.id).toBe("3");
  });

  test("with a cursor that was never given out starts over with a snapshot that says so", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    for (const after of ["2", "99999999999999999999", "-1", "1.5", "abc", "0x1"]) {
      const [frame] = await firstFrames(api, { path: `/api/sessions/${id}/events?after=${after}`, count: 1 });
      expect(frame, after).toMatchObject({ id: "1", event: "snapshot", data: { seq: 1, reset: true } });
    }
    const empty = await newSession(api);
    const [frame] = await firstFrames(api, { path: `/api/sessions/${empty}/events`, count: 1 });
    expect(frame).toMatchObject({ id: "0", event: "snapshot", data: { seq: 0 } });
  });

  test("with a cursor inside a joined stretch says where the rest begins", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b"), text("i1", "c"), text("i2", "d")]);
    api.service.must(id).compact(1, 3);
    const frames = await firstFrames(api, { path: `/api/sessions/${id}/events?after=2`, count: 2 });
    expect(frames[0]).toMatchObject({
      id: "3",
      event: "item",
      data: { from: 3, seq: 3, item: { text: "abc" } },
    });
    expect(frames[1]).toMatchObject({ id: "4", data: { from: 4 } });
  });

  test("of a session that is not there is an error before the stream begins", async () => {
    await using api = await startApi();
    const response = await fetch(`${api.url}/api/sessions/no-such-one/events`, { headers });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND", what: "session" });
  });

  test("of a deleted session can still be read by id", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    await api.service.sessions.remove(id, { force: false });
    expect(await firstFrames(api, { path: `/api/sessions/${id}/events?after=0`, count: 1 })).toMatchObject([
      { id: "1" },
    ]);
    expect((await fetch(`${api.url}/api/sessions/${id}/events`, { headers })).status).toBe(404);
  });

  test("S9 tells every client that it is alive, and how to come back", async () => {
    await using api = await startApi({ streams: { heartbeat: 20 } });
    const id = await newSession(api);
    const response = await fetch(`${api.url}/api/sessions/${id}/events`, { headers });
    if (!response.body) throw new Error("no body");
    const seen: string[] = [];
    for await (const block of sseBlocks(response.body)) {
      seen.push(block.retry ? `retry ${block.retry}` : (block.comment ?? block.event ?? ""));
      if (seen.length === 5) break;
    }
    expect(seen).toEqual(["retry 1000", "snapshot", "hb", "hb", "hb"]);
  });
});

describe("coming back", () => {
  test("S1 a client that drops and returns with its cursor gets exactly the events it missed", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    const words = (n: number) => Array.from({ length: n }, (_, i) => text("i1", `w${i} `));
    api.service.append(id, words(10));
    const before = await firstFrames(api, { path: `/api/sessions/${id}/events?after=0`, count: 7 });
    api.service.append(id, words(5));
    const cursor = String(before.at(-1)?.id);
    const missed = await firstFrames(api, {
      path: `/api/sessions/${id}/events`,
      count: 8,
      lastEventId: cursor,
    });
    expect([...before, ...missed].map((frame) => Number(frame.id))).toEqual(
      Array.from({ length: 15 }, (_, i) => i + 1),
    );
    expect(missed.map(({ data }) => data["from"])).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  });

  test("S2 a very old cursor ends in the same state as a full replay", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    const turn = (n: number): EventBody[] => [
      { type: "turn_start", turnId: `t${n}`, messageId: `m${n}`, lockedBy: "api" },
      {
        type: "message",
        turnId: `t${n}`,
        itemId: `u${n}`,
        messageId: `m${n}`,
        content: `ask ${n}`,
        by: "api",
      },
      ...["one ", "two ", "three"].map((word) => text(`a${n}`, word)),
      done(`t${n}`),
    ];
    api.service.append(id, turn(0));
    await using live = follow(() => api, id, { after: 0 });
    await live.until((event) => event.seq === 6);
    const old = [...live.events].slice(0, 4);
    for (let n = 1; n < 50; n++) api.service.append(id, turn(n));
    await live.until((event) => event.seq === 300);
    // Meanwhile closed items stand for their deltas, the one the old cursor is inside of included.
    for (let n = 0; n < 50; n++) api.service.must(id).compact(n * 6 + 3, n * 6 + 5);
    await using late = follow(() => api, id, { after: 4 });
    await using full = follow(() => api, id, { after: 0 });
    await late.until((event) => event.seq === 300);
    await full.until((event) => event.seq === 300);
    const texts = (events: readonly SessionEvent[]) =>
      drawn(events).map(({ id: item, text: words }) => [item, words]);
    expect(texts([...old, ...late.events])).toEqual(texts(full.events));
    expect(texts(live.events)).toEqual(texts(full.events));
  });

  test("S1 S3 clients that come and go while events are stored and joined never see a gap or a repetition", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.beforeRead = () => (Math.random() < 0.5 ? tick() : Promise.resolve());
    let isWriting = true;
    const write = async () => {
      for (let i = 0; i < 3_000; i++) {
        const size = 1 + Math.floor(Math.random() * 4);
        const batch = Array.from({ length: size }, () => text(`i${i}`, "x".repeat(Math.random() * 400)));
        const [first] = api.service.append(id, batch);
        if (size > 1 && first && Math.random() < 0.3)
          api.service.must(id).compact(first.from, first.from + size - 1);
        if (Math.random() < 0.4) await tick();
      }
      isWriting = false;
    };
    const writing = write();
    let checked = 0;
    // The follower itself fails on any `from` that is not the last number plus one.
    const come = async () => {
      for (let after = 0; isWriting || after < api.service.must(id).state.lastSeq; ) {
        const client = follow(() => api, id, { after });
        const seen = Math.ceil(Math.random() * 200);
        const isDone = () =>
          client.events.length >= seen || client.cursor === api.service.must(id).state.lastSeq;
        await until(isDone, { what: "some events" });
        await client.close();
        after = client.cursor ?? after;
        checked += client.events.length;
      }
    };
    await Promise.all([writing, ...Array.from({ length: 4 }, come)]);
    expect(checked).toBeGreaterThan(3_000);
  });

  test("S3 two clients see the same sequence, the other's prompt included", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    await using one = follow(() => api, id, { after: 0 });
    await using two = follow(() => api, id, { after: 0 });
    await until(() => one.connections + two.connections === 2);
    const response = await fetch(`${api.url}/api/sessions/${id}/messages`, {
      method: "POST",
      body: JSON.stringify({ content: "hello from one" }),
      headers: { ...headers, "x-client-id": "one" },
    });
    const { turnId } = (await response.json()) as { turnId: string };
    api.service.append(id, [{ ...text("i1", "hi"), turnId }, done(turnId)]);
    await one.until(ofType("done"));
    await two.until(ofType("done"));
    expect(two.events).toEqual(one.events);
    expect(two.events.find(ofType("message"))).toMatchObject({ content: "hello from one", by: "api" });
    expect(two.events.find(ofType("turn_start"))).toMatchObject({ lockedBy: "one" });
  });
});

describe("the feed over all sessions", () => {
  test("begins with where it stands, goes on live, and can be resumed", async () => {
    await using api = await startApi();
    api.service.publish("agent:status", { sessionId: "a" });
    const response = await fetch(`${api.url}/api/events`, { headers });
    if (!response.body) throw new Error("no body");
    const blocks = sseBlocks(response.body);
    await blocks.next();
    const snapshot = (await blocks.next()).value;
    expect(snapshot).toMatchObject({ id: "1001", event: "snapshot" });
    expect(JSON.parse(snapshot?.data ?? "")).toEqual({ type: "snapshot", seq: 1001 });
    api.service.publish("session_upserted", { session: {} });
    expect((await blocks.next()).value).toMatchObject({ id: "1002", event: "session_upserted" });
    await blocks.return(undefined);
    const [missed] = await firstFrames(api, { path: "/api/events?after=1000", count: 1 });
    expect(missed).toMatchObject({ id: "1001", event: "agent:status", data: { sessionId: "a" } });
    for (const after of ["999", "1003", "x"]) {
      const [reset] = await firstFrames(api, { path: `/api/events?after=${after}`, count: 1 });
      expect(reset, after).toMatchObject({ event: "snapshot", data: { seq: 1002, reset: true } });
    }
  });
});
