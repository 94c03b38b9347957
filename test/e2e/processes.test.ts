// Agents that fail to start, to keep running or to stop: each ends in a named state, and no process is left behind.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { isAlive, processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openRig, openSession, processesOfSession, readJson } from "./support.ts";
import { ofSession, statusesIn, watchFeed } from "./watch-feed.ts";

/** Shortens retries that would otherwise take half a minute. */
const hasty = { backoff: "10ms", maxBackoff: "40ms", stopGrace: "300ms" };
const unruly = ["ignores-term.mjs", "forks-and-setsids.mjs"];
const nameOf = (program: string) => basename(program, ".mjs");

/** For tests that neither stop the server nor need special settings, with one agent for each. */
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
  "X1 stopping a session whose agent is %s ends everything it started, within the grace period and a second",
  async (program) => {
    await using session = await openSession(shared, nameOf(program));
    expect(await session.turn("hello")).toMatchObject({ ok: true });
    const pids = Object.values(await readJson<Record<string, number>>(join(shared.home, program)));
    expect(pids.filter(isAlive)).toEqual(pids);
    await session.post("stop");
    await until(() => !pids.some(isAlive), { deadline: 300 + 1_000, what: `${pids} are gone` });
    await until(async () => (await session.get()).state === "stopped");
    expect(await session.turn("again"), "a message resumes a stopped session").toMatchObject({
      ok: true,
    });
  },
);

test("X2 a missing program is reported once per message and tried again only on request", async () => {
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

test("X3 an agent that does not answer fails with its last output, and its process is ended", async () => {
  await using rig = await openRig({
    agents: {
      kit: kitAgent("never-initialises.mjs"),
      quiet: { name: "Quiet", driver: "acp", command: "false" },
    },
    // Long enough for it to start and write its last output on a busy machine.
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
  expect(said, "it had written nothing to stderr").not.toHaveProperty("stderrTail");
});

test("X4 X5 an agent that connects and dies is tried five times, then not again until a person asks for it", async () => {
  await using feed = await watchFeed(shared);
  await using session = await openSession(shared, "dying");
  const entries = () => ofSession(feed.entries, session.id);
  const done = await session.turn("hello");
  expect(done).toMatchObject({ ok: false, partial: true });
  const gaveUp = (times: number) => () => entries().filter((entry) => entry["gaveUp"]).length === times;
  await until(gaveUp(1), { what: "it gives up" });
  const tries = () =>
    entries()
      .filter(({ status }) => status === "reconnecting")
      .map((e) => e["attempt"]);
  expect(tries()).toEqual([1, 2, 3, 4, 5]);
  const round = ["connected", "disconnected", "reconnecting"];
  expect(statusesIn(entries())).toEqual([
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
  expect(session.all("done").length, "no turn ran again").toBe(1);
});

test("X5 repeated requests to reconnect start one process", async () => {
  await using rig = await openRig({
    agents: { kit: kitAgent("dies-mid-turn.mjs") },
    config: { supervision: { ...hasty, backoff: "200ms", maxBackoff: "200ms" } },
  });
  await using session = await openSession(rig);
  await session.turn("die");
  for (let n = 0; n < 3; n++) await session.post("reconnect");
  await until(async () => (await session.get()).connection.status === "connected");
  expect(await session.turn("die")).toMatchObject({ reason: "crashed" });
  // Had the first attempt's timer been left, it would have fired by the time of the second.
  const { run } = await until(async () => {
    const now = await session.get();
    return now.run >= 3 && now.connection.status === "connected" && now;
  });
  expect(run).toBe(3);
});

test("X5 Drover gives up on a connection that keeps breaking during turns after five more attempts", async () => {
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
  expect(await session.turn("once more"), "a message starts the attempts over").toMatchObject({
    reason: "crashed",
  });
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

test("X6 stopping a session while its agent starts ends the process and cancels the turn", async () => {
  await using session = await openSession(shared, "starting");
  const { messageId } = await session.send("hello");
  await until(() => processesOfSession(shared, session.id).length > 0);
  await session.post("stop");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled", ok: false });
  await until(async () => (await session.get()).state === "stopped");
  expect(processesOfSession(shared, session.id)).toEqual([]);
});

test("X6 an agent found half-started after kill -9 is ended, and its prompt goes to a new process", async () => {
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

test("X7 a megabyte on stderr blocks nothing and can be read afterwards", async () => {
  await using session = await openSession(shared, "noisy");
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const log = await shared.client.get<string>(session.path("/log?stream=stderr"));
  expect(log.length).toBe(1_000_014);
  expect(log.endsWith("end of stderr\n")).toBe(true);
});
