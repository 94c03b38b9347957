// What a server finds after a restart, and what it does about it.
import { execFile } from "node:child_process";
import { readFileSync, statfsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ofType } from "../kit/events.ts";
import { heldUp, isAlive, processesOf } from "../kit/processes.ts";
import { findProgram } from "../kit/programs.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import {
  type Conversation,
  demoProgram,
  kitAgent,
  openRig,
  openSession,
  processesOfSession,
  readJson,
  saidIn,
  teed,
} from "./support.ts";

const run = promisify(execFile);

/** For tests that need no special settings; each ends with a running server. */
const shared = sharedRig((home) => ({
  agents: {
    teed: teed(join(home, "copy"), demoProgram),
    unread: kitAgent("never-reads.mjs"),
    silent: kitAgent("stays-silent.mjs"),
  },
}));

/** The process of the session's agent, once it is connected. */
function pidOf(session: Conversation): Promise<number> {
  return until(async () => (await session.get()).connection.pid);
}

// Concurrent, because each of these three waits for a grace period to pass.
test.concurrent("L10 a server killed after an interrupt enforces it after the restart", async () => {
  await using rig = await openRig({
    agents: { kit: kitAgent("stays-silent.mjs") },
    config: { supervision: { stopGrace: "1s" } },
  });
  await using session = await openSession(rig);
  const { messageId } = await session.send("hello");
  const pid = await pidOf(session);
  await session.follower.until((event) => event.type === "session_status" && event.state === "running");
  await session.post("interrupt");
  await rig.server.kill9();
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
  await until(() => !isAlive(pid), { what: "the agent that ignores signals is gone" });
});

test.concurrent("a server killed while it stops a session finishes stopping it after the restart", async () => {
  await using rig = await openRig((home) => ({
    agents: { kit: kitAgent("ignores-term.mjs", "--file", join(home, "pids")) },
    // Long enough for the server to be killed first, even on a slow machine.
    config: { supervision: { stopGrace: "4s" } },
  }));
  await using session = await openSession(rig);
  await session.turn("hello");
  const pids = Object.values(await readJson<Record<string, number>>(join(rig.home, "pids")));
  await session.post("stop");
  await rig.server.kill9();
  expect(pids.filter(isAlive), "the grace period has not passed yet").toEqual(pids);
  await rig.start();
  await until(async () => (await session.get()).state === "stopped");
  expect(pids.filter(isAlive)).toEqual([]);
});

test.concurrent("X6 a server that shuts down with its agents ends even those that ignore signals", async () => {
  await using rig = await openRig({ agents: { kit: kitAgent("ignores-term.mjs") }, args: ["--stop-agents"] });
  await using session = await openSession(rig);
  await session.turn("hello");
  expect(processesOfSession(rig, session.id), "the agent, its child and its parent").toHaveLength(3);
  const now = () => performance.now() - heldUp(process.pid);
  const before = now();
  expect(await rig.server.term()).toEqual({ code: 0, signal: null });
  expect(now() - before).toBeLessThan(5_000 + 500);
  expect(processesOf(rig.home)).toEqual([]);
});

test("L2 a server notices within two seconds that an agent it found again has ended", async () => {
  const rig = shared;
  await using session = await openSession(rig, "demo");
  const { messageId } = await session.send("say hello\nhang");
  await until(() => session.follower.text() === "hello\n");
  await rig.server.kill9();
  await rig.start();
  const pid = await pidOf(session);
  process.kill(pid, "SIGKILL");
  const done = await session.done(messageId, { deadline: 2_000 });
  expect(done).toMatchObject({ reason: "crashed", partial: true, error: { code: "AGENT_CRASHED" } });
  expect((await session.get()).lock).toBeUndefined();
});

test("S15 no output of an agent that died while no server ran is lost, and its turn is marked partial", async () => {
  const rig = shared;
  await using session = await openSession(rig, "teed");
  const { messageId } = await session.send("slow 2\nstream 100000");
  await until(() => session.follower.text().includes("word20 "));
  const pid = await pidOf(session);
  await rig.server.kill9();
  const size = async () => (await readFile(join(rig.home, "copy"))).length;
  const before = await size();
  await until(async () => (await size()) > before + 10_000, {
    what: "the agent keeps writing without a server",
  });
  process.kill(pid, "SIGKILL");
  await rig.start();
  expect(await session.done(messageId)).toMatchObject({ reason: "crashed", ok: false, partial: true });
  const log = await rig.client.get<string>(session.path("/log"));
  expect((await readFile(join(rig.home, "copy"), "utf8")).startsWith(log)).toBe(true);
  expect(session.follower.text()).toBe(saidIn(log.slice(0, log.lastIndexOf("\n") + 1)));
  expect((await session.items()).filter(({ kind }) => kind === "text").at(-1)?.status).toBe("partial");
});

test("a turn ends as uncertain if the server died when the agent had only part of the prompt", async () => {
  const rig = shared;
  await using session = await openSession(rig, "unread");
  const { messageId } = await session.send("x".repeat(786_432));
  await pidOf(session);
  await until(() => session.all("session_status").some(({ state }) => state === "running"));
  await rig.server.kill9();
  await rig.start();
  const done = await session.done(messageId);
  expect(done).toMatchObject({ reason: "uncertain", ok: false, error: { code: "DELIVERY_UNCERTAIN" } });
  expect(done.error?.message).toContain("send it again");
});

test("deleting a session during a turn ends its processes", async () => {
  const rig = shared;
  await using session = await openSession(rig, "silent");
  await session.send("wait");
  const pid = await pidOf(session);
  expect(await rig.client.delete(session.path())).toEqual({ deleted: true });
  expect(isAlive(pid)).toBe(false);
  expect(await rig.client.ask("GET", session.path())).toMatchObject({ status: 404 });
});

/** In GiB: more than other programs are likely to write to this disk meanwhile. */
const ballast = 6;
/** Not on a file system in memory, which would use up that memory, nor on a disk without enough space. */
const canFillDisk = (() => {
  const { type, bavail, bsize } = statfsSync(tmpdir());
  return findProgram("fallocate") && type !== 0x01021994 && bavail * bsize > 2 * ballast * 2 ** 30;
})();

test.skipIf(!canFillDisk)(
  "agents are held while the disk is full, and continue automatically once there is space (needs fallocate and 12 GiB)",
  async () => {
    const { bavail, bsize } = statfsSync(tmpdir());
    const minFree = `${Math.floor((bavail * bsize) / 2 ** 20 - (ballast / 2) * 1024)}MiB`;
    await using rig = await openRig({ config: { storage: { minFree } } });
    await using session = await openSession(rig, "demo");
    // It asks for approval at the end, so that its turn cannot end before the full disk is noticed.
    const { messageId } = await session.send("slow 20\nstream 150\nrun true\nstream 50");
    const pid = await pidOf(session);
    const isHeld = () => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    const file = join(rig.home, "ballast");
    await run("fallocate", ["-l", `${ballast}GiB`, file]);
    await until(isHeld, { what: "the agent is held" });
    const refused = await rig.client.ask("POST", session.path("/messages"), { body: { content: "now" } });
    expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_FULL" } });
    expect(session.all("done")).toEqual([]);
    await rm(file);
    await until(() => !isHeld(), { what: "the agent continues" });
    const { toolCallId } = await session.follower.until(ofType("approval_required"));
    await session.post("approve", { toolCallId });
    expect(await session.done(messageId)).toMatchObject({ ok: true });
    expect(session.follower.text().match(/word\d+/g)?.length).toBe(200);
  },
);
