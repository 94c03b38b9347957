// Agents that will not start, will not stay or will not go: every one of them ends in a named state, none is left over.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openRig, openSession, processesOfSession, readJson } from "./support.ts";
import { ofSession, statusesIn, watchFeed } from "./watch-feed.ts";

/** Retries that would take half a minute take a moment. */
const hasty = { backoff: "10ms", maxBackoff: "40ms", stopGrace: "300ms" };
const unruly = ["ignores-term.mjs", "forks-and-setsids.mjs"];
const nameOf = (program: string) => basename(program, ".mjs");

/** For tests that neither end the server nor need a setting of their own: an agent for each. */
const shared = sharedRig((home) => ({
  agents: {
    ...Object.fromEntries(
      unruly.map((program) => [nameOf(program), kitAgent(program, "--file", join(home, program))]),
    ),
    missing: { name: "Kit", driver: "acp", command: join(home, "bin", "kit") },
    dying: kitAgent("connects-and-dies.mjs"),
    breaking: kitAgent("dies-mid-turn.mjs"),
    starting: kitAgent("never-initialises.mjs"),
    noisy: kitAgent("stderr-megabyte.mjs"),
  },
  config: { supervision: hasty },
}));

test.for(unruly)(
  "X1 a session whose agent is %s is stopped with everything it started, within the grace and a second",
  async (program) => {
    await using session = await openSession(shared, nameOf(program));
    expect(await session.turn("hello")).toMatchObject({ ok: true });
    const pids = Object.values(await readJson<Record<string, number>>(join(shared.home, program)));
    expect(pids.filter(isAlive)).toEqual(pids);
    await session.post("stop");
    await until(() => !pids.some(isAlive), { deadline: 300 + 1_000, what: `${pids} are gone` });
    await until(async () => (await session.get()).state === "stopped");
    expect(await session.turn("again"), "a message takes a stopped session up again").toMatchObject({
      ok: true,
    });
  },
);

test("X2 a missing program is named once per message and tried again only when asked", async () => {
  await using feed = await watchFeed(shared);
  await using session = await openSession(shared, "missing");
  const statuses = () => statusesIn(ofSession(feed.entries, session.id));
  const text = "Could not start Kit. Check that it's installed.";
  const done = await session.turn("hello");
  expect(done).toMatchObject({ reason: "error", ok: false, error: { code: "AGENT_MISSING", message: text } });
  expect(session.all("error")).toMatchObject([{ code: "AGENT_MISSING", message: text, turnId: done.turnId }]);
  expect((await session.get()).connection).toMatchObject({
    status: "disconnected",
    attempt: 0,
    lastError: text,
  });

  await mkdir(join(shared.home, "bin"));
  const { command, args } = kitAgent("echo.mjs");
  await writeFile(join(shared.home, "bin", "kit"), `#!/bin/sh\nexec "${command}" "${args[0]}"\n`);
  await chmod(join(shared.home, "bin", "kit"), 0o755);
  expect(await session.turn("hello again")).toMatchObject({ ok: true });
  const expected = ["starting", "disconnected", "starting", "connected"];
  await until(() => statuses().length >= expected.length);
  expect(statuses()).toEqual(expected);
});

test("X3 an agent that does not answer is given up on with its last words, and its process is gone", async () => {
  await using rig = await openRig({
    agents: {
      kit: kitAgent("never-initialises.mjs"),
      quiet: { name: "Quiet", driver: "acp", command: "false" },
    },
    // Long enough for it to say its last words on a busy machine, which takes its time to start a program.
    config: { supervision: { ...hasty, startTimeout: "5s" } },
  });
  await using session = await openSession(rig);
  const done = await session.turn("hello");
  const error = { code: "AGENT_UNREACHABLE", message: "Could not connect to Kit" };
  expect(done).toMatchObject({ reason: "error", ok: false, error });
  expect(session.all("error")).toMatchObject([
    { ...error, stderrTail: "never-initialises: I have nothing to say\n" },
  ]);
  expect(processesOfSession(rig, session.id)).toEqual([]);
  expect((await session.get()).connection).toMatchObject({
    status: "disconnected",
    lastError: expect.stringMatching(/^Could not connect to Kit: it did not answer "initialize" within /),
  });

  await using other = await openSession(rig, "quiet");
  const { error: said } = await other.turn("hello");
  expect(said).toMatchObject({ ...error, message: "Could not connect to Quiet" });
  expect(said, "who had no last words").not.toHaveProperty("stderrTail");
});

test("X4 X5 an agent that connects and dies is tried five times and then left alone, until a person says so", async () => {
  await using feed = await watchFeed(shared);
  await using session = await openSession(shared, "dying");
  const told = () => ofSession(feed.entries, session.id);
  const done = await session.turn("hello");
  expect(done).toMatchObject({ ok: false, partial: true });
  const gaveUp = (times: number) => () => told().filter((entry) => entry["gaveUp"]).length === times;
  await until(gaveUp(1), { what: "it gives up" });
  const tries = () =>
    told()
      .filter(({ status }) => status === "reconnecting")
      .map((e) => e["attempt"]);
  expect(tries()).toEqual([1, 2, 3, 4, 5]);
  const round = ["connected", "disconnected", "reconnecting"];
  expect(statusesIn(told())).toEqual([
    "starting",
    ...Array.from({ length: 5 }).flatMap(() => round),
    "connected",
    "disconnected",
  ]);
  const crashed = await until(async () => {
    const now = await session.get();
    return now.state === "crashed" && now;
  });
  expect(crashed).toMatchObject({
    run: 6,
    connection: { status: "disconnected", attempt: 5, gaveUp: true },
    reason: { code: "AGENT_CRASHED", stderrTail: "connects-and-dies: goodbye\n" },
  });
  expect(processesOfSession(shared, session.id)).toEqual([]);

  await session.post("reconnect");
  await until(gaveUp(2), { what: "it gives up again" });
  expect(tries()).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  expect(session.all("done").length, "no turn was run again").toBe(1);
});

test("X5 asking for a reconnect again and again starts one process", async () => {
  await using rig = await openRig({
    agents: { kit: kitAgent("dies-mid-turn.mjs") },
    config: { supervision: { ...hasty, backoff: "200ms", maxBackoff: "200ms" } },
  });
  await using session = await openSession(rig);
  await session.turn("die");
  for (let n = 0; n < 3; n++) await session.post("reconnect");
  await until(async () => (await session.get()).connection.status === "connected");
  expect(await session.turn("die")).toMatchObject({ reason: "crashed" });
  // The first try's timer would have fired by the time of the second, had it been left.
  const { run } = await until(async () => {
    const now = await session.get();
    return now.run >= 3 && now.connection.status === "connected" && now;
  });
  expect(run).toBe(3);
});

test("X5 a connection that keeps breaking in its turns is given up on after five more tries", async () => {
  await using session = await openSession(shared, "breaking");
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect(await session.turn("die")).toMatchObject({ reason: "crashed" });
    await until(async () => {
      const { connection } = await session.get();
      return connection.status === "connected" && connection.attempt === attempt;
    });
  }
  expect(await session.turn("die")).toMatchObject({ reason: "crashed" });
  await until(async () => (await session.get()).state === "crashed");
  expect((await session.get()).connection).toMatchObject({ gaveUp: true });
  expect(await session.turn("once more"), "a message starts over").toMatchObject({ reason: "crashed" });
});

test("X6 a server that shuts down while an agent starts leaves no process behind", async () => {
  await using rig = await openRig({
    agents: { kit: kitAgent("never-initialises.mjs") },
    config: { supervision: hasty },
    args: ["--stop-agents"],
  });
  await using session = await openSession(rig);
  await session.send("hello");
  await until(() => processesOfSession(rig, session.id).length > 0);
  expect(await rig.server.term()).toEqual({ code: 0, signal: null });
  expect(processesOf(rig.home)).toEqual([]);
});

test("X6 a stop while the agent starts ends the process and cancels the turn", async () => {
  await using session = await openSession(shared, "starting");
  const { messageId } = await session.send("hello");
  await until(() => processesOfSession(shared, session.id).length > 0);
  await session.post("stop");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled", ok: false });
  await until(async () => (await session.get()).state === "stopped");
  expect(processesOfSession(shared, session.id)).toEqual([]);
});

test("X6 an agent found half-started after kill -9 is ended, and its prompt goes to a new one", async () => {
  await using rig = await openRig((home) => ({
    agents: { kit: { name: "Kit", driver: "acp", command: join(home, "kit") } },
  }));
  const use = async (program: string) => {
    const { command, args } = kitAgent(program);
    await writeFile(join(rig.home, "kit"), `#!/bin/sh\nexec "${command}" "${args[0]}"\n`, { mode: 0o755 });
  };
  await use("never-initialises.mjs");
  await using session = await openSession(rig);
  const { messageId } = await session.send("hello");
  const [first] = await until(() => {
    const found = processesOfSession(rig, session.id).filter(({ command }) => command.includes("never-init"));
    return found.length > 0 && found;
  });
  await until(async () => (await session.get()).run === 1);
  await rig.server.kill9();
  await use("echo.mjs");
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({ reason: "end_turn" });
  expect(isAlive(first?.pid ?? -1)).toBe(false);
});

test("X7 a megabyte on stderr blocks nothing and is there to read", async () => {
  await using session = await openSession(shared, "noisy");
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const log = await shared.client.get<string>(session.path("/log?stream=stderr"));
  expect(log.length).toBe(1_000_014);
  expect(log.endsWith("end of stderr\n")).toBe(true);
});
