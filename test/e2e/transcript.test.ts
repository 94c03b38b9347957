// The transcript as people read it: in order, in pages, and the same for server and clients.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Item } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Snapshot } from "../kit/events.ts";
import { openSocket } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { fold, readFrames } from "./frames.ts";
import { type Conversation, kitAgent, openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    agents: {
      kit: kitAgent("tool-stays-open.mjs"),
      talker: kitAgent("tool-stays-open.mjs", "--count", "120"),
    },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

/** All pages in order. */
async function allPages(session: Conversation, limit: number): Promise<Item[][]> {
  const pages: Item[][] = [];
  for (let before: number | undefined, isLast = false; !isLast; ) {
    const query = before === undefined ? `limit=${limit}` : `limit=${limit}&before=${before}`;
    const page = await rig.client.get<{ items: Item[]; before?: number }>(session.path(`/messages?${query}`));
    pages.unshift(page.items);
    before = page.before;
    isLast = before === undefined;
  }
  return pages;
}

async function snapshotOf(session: Conversation): Promise<Snapshot> {
  const [first] = await readFrames(rig.server, session.path("/events"), { last: () => true });
  return first as Snapshot;
}

const said = (session: Conversation, what: string) =>
  until(() => fold(session.follower.events).items.some(({ text }) => text === what));

test("the transcript can be read in pages, oldest first, and together they are complete", async () => {
  await using session = await openSession(rig, "demo");
  await session.turn(Array.from({ length: 12 }, (_, n) => `say ${n}\nthink ${n}`).join("\n"));
  const pages = await allPages(session, 7);
  expect(pages.map(({ length }) => length)).toEqual([4, 7, 7, 7]);
  expect(pages.flat()).toEqual(fold(session.follower.events).items);
});

test("a page links to an older one only if there is one, whatever number the first item has", async () => {
  await using session = await openSession(rig, "demo");
  // Events before the first message use up numbers but have no items.
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  await session.turn("say one\nthink two");
  for (const limit of [3, 4])
    expect((await allPages(session, limit)).map(({ length }) => length)).toEqual([3]);
  expect((await allPages(session, 1)).flat()).toHaveLength(3);
  expect(await snapshotOf(session)).not.toHaveProperty("before");
});

test("the transcript can also be read forwards from any number, including an open item", async () => {
  await using session = await openSession(rig);
  await session.send("go");
  await said(session, "thought 4");
  const { items } = fold(session.follower.events);
  const read: Item[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: { items: Item[]; after?: number } = await rig.client.get(
      session.path(`/messages?limit=3&after=${after}`),
    );
    read.push(...page.items);
    after = page.after;
  }
  expect(read.slice(0, items.length).map(({ id }) => id)).toEqual(items.map(({ id }) => id));
});

test("an open tool call is listed where it began, not at the end", async () => {
  // Apart from the other sessions' directory, which a notice would mention.
  const cwd = join(rig.home, "work", "apart");
  await mkdir(cwd);
  await using session = await openSession(rig, "kit", { cwd });
  const { messageId } = await session.send("go");
  await said(session, "thought 4");
  const now = fold(session.follower.events).items;
  expect(now.map(({ kind, status }) => `${kind} ${status}`).slice(0, 3)).toEqual([
    "user complete",
    "tool open",
    "text complete",
  ]);
  expect(await session.items()).toEqual(now);
  expect((await snapshotOf(session)).items).toEqual(now);
  expect((await allPages(session, 4)).flat()).toEqual(now);

  await session.post("interrupt");
  await session.done(messageId);
  const after = fold(session.follower.events).items;
  expect(after[1]).toMatchObject({
    status: "complete",
    tool: { status: "complete", result: { rawOutput: "done" } },
  });
  expect(await session.items()).toEqual(after);
});

test("S2 S14 items that are open when the server dies continue as the same items", async () => {
  await using session = await openSession(rig);
  const { messageId } = await session.send("go");
  await said(session, "thought 4");
  await rig.server.kill9();
  await rig.start();
  await session.post("interrupt");
  await session.done(messageId);
  const live = fold(session.follower.events);
  const replayed = await readFrames(rig.server, session.path("/events?after=0"), {
    last: ({ type }) => type === "done",
  });
  expect(fold(replayed.filter((frame) => frame.type !== "snapshot"))).toEqual(live);
  expect(await session.items()).toEqual(live.items);
  expect(live.items.filter(({ kind }) => kind === "tool")).toMatchObject([{ status: "complete" }]);
});

test("S14 a socket that reconnects with its cursor receives every item it may have missed, in full", async () => {
  await using session = await openSession(rig, "demo");
  await session.turn("say before");
  await using first = await openSocket(rig.server);
  const history = await first.request("session:open", { sessionId: session.id, view: "items" });
  const { cursor, entries } = history as unknown as { cursor: number; entries: Item[] };
  expect(entries).toEqual(await session.items());
  const { messageId } = await session.send("slow 3\nstream 60\nthink hm\nread .\nstream 30");
  await first.until(
    ({ type, item }) => type === "session:upsert" && Boolean((item as Item).text?.includes("word30 ")),
  );
  await first.close();

  for (const moment of ["in the turn", "after it"]) {
    if (moment === "after it") await session.done(messageId);
    await using second = await openSocket(rig.server);
    const again = await second.request("session:open", {
      sessionId: session.id,
      view: "items",
      after: cursor,
    });
    expect(again, moment).toMatchObject({ entries: [], cursor });
    await session.done(messageId);
    const items = await session.items();
    const known = () => {
      const sent = second.frames
        .filter(({ type }) => type === "session:upsert")
        .map(({ item }) => item as Item);
      return [...new Map([...entries, ...sent].map((item) => [item.id, item])).values()];
    };
    await until(() => known().length === items.length && known().every(({ status }) => status !== "open"));
    expect(
      known().sort((a, b) => a.seq - b.seq),
      moment,
    ).toEqual(items);
  }
});

test("a snapshot shows the last 200 items and where the older ones are", async () => {
  await using session = await openSession(rig, "talker");
  const { messageId } = await session.send("go");
  await said(session, "thought 119");
  await session.post("interrupt");
  await session.done(messageId);
  const { items } = fold(session.follower.events);
  expect(items.length).toBeGreaterThan(240);
  const snapshot = await snapshotOf(session);
  expect(snapshot.items).toEqual(items.slice(-200));
  const older = await rig.client.get<{ items: Item[] }>(
    session.path(`/messages?before=${snapshot.before}&limit=50`),
  );
  expect(older.items).toEqual(items.slice(0, -200));
});
