import { setImmediate as tick } from "node:timers/promises";
import { type EventBody, emptyTimeline, extend, type Item, type SessionEvent } from "@drover/core";
import { describe, expect, test } from "vitest";
import { follow, ofType } from "../../../../test/kit/events.ts";
import { until } from "../../../../test/kit/until.ts";
import { firstFrames, text } from "./event-frames.ts";
import { bearer, newSession, startApi } from "./harness.ts";

const done = (turnId: string): EventBody => ({
  type: "done",
  turnId,
  reason: "end_turn",
  ok: true,
  partial: false,
});

/** The items that a client renders from these events. */
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

describe("reconnecting", () => {
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

  test("S2 a very old cursor leads to the same state as a full replay", async () => {
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
    // Meanwhile closed items replace their deltas, including the one that contains the old cursor.
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

  test("S1 S3 clients that come and go while events are stored and joined never see a gap or a duplicate", async () => {
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

  test("S3 two clients see the same sequence, including each other's prompts", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    await using one = follow(() => api, id, { after: 0 });
    await using two = follow(() => api, id, { after: 0 });
    await until(() => one.connections + two.connections === 2);
    const response = await fetch(`${api.url}/api/sessions/${id}/messages`, {
      method: "POST",
      body: JSON.stringify({ content: "hello from one" }),
      headers: { ...bearer, "x-client-id": "one" },
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
