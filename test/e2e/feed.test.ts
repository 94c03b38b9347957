// What every client learns about agent processes: which started, which ended and why, and which failed to start.
import { join } from "node:path";
import { type Session, stopReasons } from "@drover/core";
import { expect, test } from "vitest";
import { kill9 } from "../kit/processes.ts";
import { openSocket } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openSession } from "./support.ts";
import { type Fields, ofEvent, statusesIn, watchFeed } from "./watch-feed.ts";

const hasty = { backoff: "10ms", maxBackoff: "40ms", stopGrace: "300ms" };

/** The reason for an end, when it occurs, and the agent it happens to. */
const endings: [string, string, Record<string, unknown>][] = [
  ["turn_over", "has done its turn", { ...kitAgent("jsonl-slow.mjs", "--count", "9"), driver: "jsonl" }],
  [
    "crashed",
    "crashes in its turn",
    { ...kitAgent("jsonl-slow.mjs", "--count", "9", "--after", "3"), driver: "jsonl" },
  ],
  ["idle", "is not needed", kitAgent("echo.mjs")],
  ["error", "never answers", kitAgent("never-initialises.mjs")],
];
const agentThatEnds = (reason: string) => `ends-${reason.replace("_", "-")}`;

// Each of these leaves its session at rest when its test ends, so that it adds nothing to the next test's feed.
const ending = sharedRig({
  agents: Object.fromEntries(endings.map(([reason, , agent]) => [agentThatEnds(reason), agent])),
  config: { supervision: { ...hasty, startTimeout: "1s" }, sessions: { idleAfter: "50ms" } },
});
const rig = sharedRig((home) => ({
  agents: {
    kit: kitAgent("echo.mjs"),
    missing: { name: "Kit", driver: "acp", command: join(home, "bin", "kit") },
    dying: kitAgent("connects-and-dies.mjs"),
  },
  config: { supervision: hasty },
}));

/** Starts and ends, in the order in which they were announced. */
const livesIn = (entries: Fields[]) =>
  entries.flatMap(({ event, run, reason }) => {
    if (event === "agent:spawned") return [`run ${run}`];
    return event === "agent:stopped" ? [reason] : [];
  });

test("N7 a process that is found again is not announced as new, and its end is announced", async () => {
  await using session = await openSession(rig);
  await using before = await watchFeed(rig);
  await session.turn("one");
  const { name, connection } = await session.get();
  const { pid } = connection;
  const spawned = ofEvent(before.entries, "agent:spawned");
  expect(spawned).toMatchObject([{ sessionId: session.id, name, run: 1, pid }]);

  await rig.server.kill9();
  await rig.start();
  await using after = await watchFeed(rig);
  await session.turn("two");
  expect((await session.get()).connection.pid).toBe(pid);
  expect(livesIn(after.entries)).toEqual([]);
  kill9(pid);
  await until(() => livesIn(after.entries).length === 2);
  await until(async () => (await session.get()).connection.status === "connected");
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  await until(() => livesIn(after.entries).length === 3);
  expect(livesIn(after.entries)).toEqual(["crashed", "run 2", "user_requested"]);
});

test.for(endings)("the end of a process is announced as %s when it %s", async ([reason]) => {
  await using feed = await watchFeed(ending);
  await using session = await openSession(ending, agentThatEnds(reason));
  await session.turn("hello");
  await until(() => livesIn(feed.entries).length === 2);
  expect(livesIn(feed.entries)).toEqual(["run 1", reason]);
  expect(stopReasons).toContain(reason);
});

test("N6 a failed start is announced to every socket, without the start or end of a process", async () => {
  await using feed = await watchFeed(rig);
  await using one = await openSocket(rig.server);
  await using other = await openSocket(rig.server);
  await using session = await openSession(rig, "missing");
  await session.turn("hello");
  const message = "Could not start Kit. Check that it's installed.";
  const error = { type: "error", code: "AGENT_MISSING", message, sessionId: session.id, cliType: "missing" };
  for (const socket of [one, other]) {
    await socket.until(({ type }) => type === "error");
    expect(socket.frames.filter(({ type }) => type === "error")).toEqual([error]);
  }
  await until(() => statusesIn(feed.entries).includes("disconnected"));
  expect(livesIn(feed.entries)).toEqual([]);
});

test("N6 giving up on an agent is announced to every socket once", async () => {
  await using socket = await openSocket(rig.server);
  await using session = await openSession(rig, "dying");
  await session.turn("hello");
  await until(async () => (await session.get()).state === "crashed");
  await socket.until(({ type }) => type === "error");
  expect(socket.frames.filter(({ type }) => type === "error")).toMatchObject([
    { code: "AGENT_CRASHED", sessionId: session.id, cliType: "dying" },
  ]);
});

test("X2 a reconnect tries a missing program once, and a message sent meanwhile gets its own attempt", async () => {
  await using session = await openSession(rig, "missing");
  await session.turn("hello");
  await using feed = await watchFeed(rig);
  await using socket = await openSocket(rig.server);
  await session.post("reconnect");
  await socket.until(({ type }) => type === "error");
  expect(await session.get()).toMatchObject({
    run: 2,
    connection: { status: "disconnected", gaveUp: false },
  });
  await until(() => statusesIn(feed.entries).length >= 2);
  expect(statusesIn(feed.entries)).toEqual(["reconnecting", "disconnected"]);

  await session.post("reconnect");
  expect(await session.turn("and now?")).toMatchObject({ error: { code: "AGENT_MISSING" } });
  // One manual attempt and one for the message, with no other in between.
  expect((await session.get()).run).toBe(4);
});

test("X5 a session that gave up stays that way across a server restart, and a message makes it try again", async () => {
  await using session = await openSession(rig, "dying");
  await session.turn("hello");
  await until(async () => (await session.get()).state === "crashed");
  const { connection } = await session.get();
  expect(connection).toMatchObject({ status: "disconnected", attempt: 5, gaveUp: true });
  await rig.server.kill9();
  await rig.start();
  expect((await session.get()).connection).toEqual(connection);
  const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions");
  expect(sessions.find(({ id }) => id === session.id)?.connection).toEqual(connection);
  const { run } = await session.get();
  await session.turn("again");
  await until(async () => (await session.get()).connection.gaveUp);
  expect((await session.get()).run, "one start for the message, then five retries").toBe(run + 6);
});
