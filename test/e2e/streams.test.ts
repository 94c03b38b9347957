// A client may disconnect, reconnect late or connect for the first time: it ends up with the same state.
import type { EventOf, Item, Receipt, SessionEvent } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { follow, ofType } from "../kit/events.ts";
import { until } from "../kit/until.ts";
import { type Frame, fold, frameOf, readBlocks, readFrames, textOf } from "./frames.ts";
import { kitAgent, openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    agents: { kit: kitAgent("answers-after-cancel.mjs") },
    config: { streams: { heartbeat: "100ms" }, sessions: { idleAfter: "2s" } },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const isDone = (frame: Frame) => frame.type === "done";
const live = (frames: Frame[]) => frames.filter((frame) => frame.type !== "snapshot");

/** A little of everything: items of every kind, long enough that deltas are joined once they are closed. */
const mixed = "think first\nstream 40\nread .\nsay between\ntodo a, b\nslow 1\nstream 30\nsay # last";

test("S1 a client that drops mid-turn and returns with its cursor gets exactly what it missed", async () => {
  await using session = await openSession(rig, "demo");
  await session.send("slow 20\nstream 60\nread .\nstream 40");
  const before = await readFrames(rig.server, session.path("/events?after=0"), {
    last: (frame) => frame.type === "text_delta" && frame.text.includes("word20 "),
  });
  const cursor = before.at(-1)?.seq ?? 0;
  await session.follower.until(ofType("done"));
  // The header wins over the query.
  const missed = await readFrames(rig.server, session.path("/events?after=1"), {
    headers: { "last-event-id": String(cursor) },
    last: isDone,
  });

  expect(missed[0]).toMatchObject({ from: cursor + 1 });
  const seen = live([...before, ...missed]);
  expect(seen.map(({ from }) => from)).toEqual([1, ...seen.slice(0, -1).map(({ seq }) => seq + 1)]);
  const isLogged = ({ type }: SessionEvent) => type !== "text_delta" && type !== "item";
  const whatFollowerSaw = session.follower.events.filter((event) => event.seq > cursor).filter(isLogged);
  expect(live(missed).filter(isLogged)).toEqual(whatFollowerSaw);
  expect(textOf(fold(seen).items)).toBe(session.follower.text());
});

test("S2 a client with a very old cursor ends with the same state as one that received everything live", async () => {
  await using session = await openSession(rig, "demo");
  const { events } = session.follower;
  for (let turn = 0; turn < 3; turn++) await session.turn(mixed);
  const seenLive = fold(events);
  const types = (frames: readonly { type: string }[]) => new Set(frames.map(({ type }) => type));
  expect(types(events)).toContain("text_delta");

  const { lastSeq } = seenLive.state;
  for (const cursor of [0, 1, 7, Math.floor(lastSeq / 2), lastSeq - 1]) {
    const replayed = await readFrames(rig.server, session.path(`/events?after=${cursor}`), {
      last: (frame) => frame.seq === lastSeq,
    });
    if (cursor === 0) expect(types(replayed), "closed texts arrive as one frame").toContain("item");
    const kept = events.filter(({ seq }) => seq <= cursor);
    expect(fold([...kept, ...live(replayed)]), `after ${cursor}`).toEqual(seenLive);
  }
  const [snapshot] = await readFrames(rig.server, session.path("/events"), { last: () => true });
  expect(snapshot).toMatchObject({ type: "snapshot", seq: lastSeq, items: seenLive.items });
  expect(snapshot).not.toHaveProperty("from");
});

test("S2 a cursor inside a joined range gets a frame that starts at the next number and has the whole item", async () => {
  await using session = await openSession(rig, "demo");
  await session.turn("slow 20\nstream 50\nthink so");
  const all = await readFrames(rig.server, session.path("/events?after=0"), { last: isDone });
  const joined = live(all).find(
    (frame): frame is EventOf<"item"> => frame.type === "item" && frame.item.kind === "text",
  );
  expect(joined?.item.text).toContain("word50");
  const { from = 0, seq = 0 } = joined ?? {};
  expect(seq - from).toBeGreaterThan(2);
  for (const cursor of [from, from + 1, seq - 1]) {
    const [first] = await readFrames(rig.server, session.path(`/events?after=${cursor}`), {
      last: () => true,
    });
    expect(first).toEqual({ ...joined, from: cursor + 1 });
  }
});

test.for(["above the last number", "not a number", "negative"])(
  "S2 a cursor that is %s gets a snapshot that is marked as a reset",
  async (kind) => {
    await using session = await openSession(rig, "demo");
    const { lastSeq } = await session.turn("say hello").then(() => session.get());
    const cursor = { "above the last number": lastSeq + 1, "not a number": "x1", negative: -1 }[kind];
    const [first] = await readFrames(rig.server, session.path(`/events?after=${cursor}`), {
      last: () => true,
    });
    expect(first).toMatchObject({ type: "snapshot", reset: true, seq: lastSeq });
    expect(textOf((first as { items: Item[] }).items)).toBe("hello\n");
  },
);

test("S3 two clients see the same sequence, each other's prompts included", async () => {
  await using session = await openSession(rig, "demo");
  await using other = follow(() => rig.server, session.id, { after: 0 });
  // A client that connects later receives each closed text as a single event.
  await until(() => session.follower.connections === 1 && other.connections === 1);
  const say = (content: string, client: string) =>
    rig.client.post<Receipt>(session.path("/messages"), { content }, { "x-client-id": client });
  await Promise.all([say("stream 20", "one"), say("say second", "two")]);
  const ended = ({ events }: typeof other) => events.filter(ofType("done")).length === 2;
  await until(() => ended(session.follower) && ended(other), { what: "both turns end for both" });

  expect(other.events).toEqual(session.follower.events);
  expect(session.all("message").map(({ content }) => content)).toEqual(
    expect.arrayContaining(["stream 20", "say second"]),
  );
  expect(
    session
      .all("turn_start")
      .map(({ lockedBy }) => lockedBy)
      .sort(),
  ).toEqual(["one", "two"]);
});

test("S9 a silent stream has a heartbeat and a retry time", async () => {
  await using session = await openSession(rig, "demo");
  let beats = 0;
  const blocks = await readBlocks(rig.server, session.path("/events"), {
    last: ({ comment }) => comment === "hb" && ++beats === 3,
  });
  expect(blocks[0]).toEqual({ retry: "1000" });
  expect(blocks.flatMap((block) => frameOf(block)?.type ?? [])).toEqual(["snapshot"]);
});

test("S11 every turn has exactly one done event, and none of its events follow it, however it ended", async () => {
  await using session = await openSession(rig, "demo");
  for (const script of ["tour nothing", "fail on purpose", "say last words\ncrash 3", "say fine"])
    await session.turn(script);
  await using talker = await openSession(rig, "kit");
  for (let turn = 0; turn < 2; turn++) {
    const { messageId } = await talker.send("go");
    await until(() => talker.follower.text().includes("before"));
    await talker.post("interrupt");
    await talker.done(messageId);
  }
  expect(session.all("done").map(({ reason }) => reason)).toEqual([
    "end_turn",
    "error",
    "crashed",
    "end_turn",
  ]);
  expect(talker.all("done").map(({ reason }) => reason)).toEqual(["cancelled", "cancelled"]);
  for (const { follower } of [session, talker]) {
    for (const { turnId } of follower.events.filter(ofType("turn_start"))) {
      const types = follower.events.filter((event) => event.turnId === turnId).map(({ type }) => type);
      expect(types.filter((type) => type === "done")).toEqual(["done"]);
      expect(types.at(-1)).toBe("done");
    }
  }
});

test("S15 all text comes before the turn's last event, and after a crash it is marked partial", async () => {
  await using session = await openSession(rig, "demo");
  await session.turn("stream 200");
  const done = await session.turn("say last words\ncrash 3");
  expect(done).toMatchObject({ ok: false, partial: true, reason: "crashed" });
  expect(session.follower.text()).toMatch(/word200\nlast words\n$/);
  const texts = session.follower.events.filter(
    ({ type, turnId, seq }) => type === "text_delta" && turnId === done.turnId && seq > done.seq,
  );
  expect(texts).toEqual([]);
  const items = await session.items();
  expect(items.filter(({ kind }) => kind === "text").map(({ status }) => status)).toEqual([
    "complete",
    "partial",
  ]);
  const [replay] = await readFrames(rig.server, session.path("/events"), { last: () => true });
  expect(replay).toMatchObject({ items });
});

test("a message posted with a stream is answered with its receipt and its own turn, then the stream ends", async () => {
  await using session = await openSession(rig, "demo");
  // The agent announces its commands when it starts, between any events: a stream of one turn leaves that out.
  await session.done((await session.send("say ready")).messageId);
  const post = (content: string) =>
    readBlocks(rig.server, session.path("/messages"), {
      method: "POST",
      headers: { accept: "text/event-stream" },
      body: { content },
    });
  // The second is queued behind the first, which waits for an answer until then.
  const running = post("run true\nsay first");
  const { toolCallId } = await session.follower.until(ofType("approval_required"));
  const waiting = post("say second");
  await session.follower.until(ofType("queue_update"));
  await session.post("approve", { toolCallId });
  const [first, second] = await Promise.all([running, waiting]);
  await until(() => session.all("done").length === 3);
  for (const [blocks, text] of [
    [first, "first"],
    [second, "second"],
  ] as const) {
    const frames = blocks.flatMap((block) => frameOf(block) ?? []) as (SessionEvent | Receipt)[];
    const [receipt, ...events] = frames as [Receipt, ...SessionEvent[]];
    expect(blocks.find(({ data }) => data !== undefined)?.event).toBe("receipt");
    expect(receipt).toMatchObject({ sessionId: session.id, requested: "queue" });
    const own = session.follower.events.filter(({ turnId }) => turnId && turnId === events[0]?.turnId);
    expect(own[0]).toMatchObject({ type: "turn_start", messageId: receipt.messageId });
    expect(fold(events).items).toEqual(fold(own).items);
    expect(new Set(events.map(({ turnId }) => turnId)).size, "only that turn's frames").toBe(1);
    expect(events.at(-1)?.type).toBe("done");
    expect(textOf(fold(events).items)).toContain(text);
  }
  const receipts = [first, second].map((blocks) => frameOf(blocks[1] ?? {}) as unknown as Receipt);
  expect(receipts.map(({ applied }) => applied)).toEqual(["started", "queued"]);
});
