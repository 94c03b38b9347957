// Agents that die or do not respond, and processes that are not ours: what the server notices or leaves alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { environmentOf, heldUp, isAlive, kill9 } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openSession, processesOfSession, readJson, teed } from "./support.ts";

const canary = "canary-5f0e1c";

const rig = sharedRig((home) => ({
  agents: {
    silent: kitAgent("stays-silent.mjs"),
    leaving: kitAgent("exits-zero-mid-turn.mjs"),
    dying: kitAgent("dies-mid-turn.mjs"),
    wrapped: teed(join(home, "wrapped"), kitAgent("ignores-term.mjs", "--file", join(home, "pids"))),
    environment: {
      ...teed(join(home, "copy"), kitAgent("environment.mjs", "--file", join(home, "environment"))),
      env: { KIT_SETTING: "on" },
    },
    stuck: kitAgent("never-reads.mjs"),
    echo: { ...kitAgent("echo.mjs"), name: "Echo" },
  },
  config: { supervision: { stopGrace: "300ms", backoff: "5s" } },
  env: { CANARY: canary, ANTHROPIC_API_KEY: canary, LC_TIME: "C", TZ: "UTC" },
}));

test("X9 a process that has reused the pid of an ended agent is left alone", async () => {
  await using session = await openSession(rig, "silent");
  const { messageId } = await session.send("wait");
  // If the prompt had not been started, a new agent would get it.
  await session.follower.until((event) => event.type === "session_status" && event.state === "running");
  const { connection } = await session.get();
  await rig.server.kill9();
  kill9(connection.pid);

  // A pid cannot be chosen, so the record of the dead agent is changed to have the bystander's.
  const bystander = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  const ended = once(bystander, "exit");
  const database = new DatabaseSync(join(rig.server.droverHome, "drover.db"));
  database
    .prepare("UPDATE sessions SET runtime = json_set(runtime, '$.process.pid', ?) WHERE id = ?")
    .run(bystander.pid ?? -1, session.id);
  database.close();

  await rig.start();
  // It could be either if the server died just as it sent the prompt.
  expect(["crashed", "uncertain"]).toContain((await session.done(messageId)).reason);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  expect(isAlive(bystander.pid ?? -1)).toBe(true);
  bystander.kill("SIGKILL");
  await ended;
});

test("X10 an agent that exits with code 0 during its turn has not succeeded", async () => {
  await using session = await openSession(rig, "leaving");
  const done = await session.turn("hello");
  expect(done).toMatchObject({ ok: false, partial: true, error: { code: "NO_COMPLETION" } });
  expect(session.follower.text()).toBe("word 0 word 1 word 2 word 3 word 4 ");
});

test("L2 S15 when an agent is killed during a turn, the turn ends within two seconds, its text is marked partial and the lock is released", async () => {
  await using session = await openSession(rig, "dying");
  const { messageId } = await session.send("hello");
  // It writes its last word just before it dies.
  await until(() => session.follower.text().endsWith("word 4 "));
  expect(await session.done(messageId, { deadline: 2_000 })).toMatchObject({
    reason: "crashed",
    ok: false,
    partial: true,
    error: { code: "AGENT_CRASHED" },
  });
  expect(session.follower.text()).toBe("word 0 word 1 word 2 word 3 word 4 ");
  expect(await session.items()).toMatchObject([
    { kind: "user", status: "complete" },
    { kind: "text", status: "partial", text: "word 0 word 1 word 2 word 3 word 4 " },
    { kind: "notice", code: "AGENT_CRASHED" },
  ]);
  const { lock, turn, state } = await session.get();
  expect({ lock, turn }).toEqual({});
  expect(state).not.toBe("running");
});

test("L2 kill -9 of a wrapper is noticed within two seconds, and what it wrapped is swept", async () => {
  await using session = await openSession(rig, "wrapped");
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const { connection } = await session.get();
  const pids = Object.values(await readJson<Record<string, number>>(join(rig.home, "pids")));
  kill9(connection.pid);
  await until(async () => (await session.get()).connection.status === "reconnecting", { deadline: 2_000 });
  await until(() => !pids.some(isAlive), { deadline: 2_000, what: `${pids} are gone` });
});

test("an agent sees exactly the listed variables, and a canary in the server's environment does not leak", async () => {
  await using session = await openSession(rig, "environment");
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const seen = await readJson<Record<string, string>>(join(rig.home, "environment"));
  const inherited = ["PATH", "HOME", "LANG", "TMPDIR"].filter((key) => key === "HOME" || process.env[key]);
  expect(Object.keys(seen).sort()).toEqual(
    [...inherited, "LC_TIME", "TZ", "KIT_SETTING", "DROVER_SESSION"].sort(),
  );
  expect(seen).toMatchObject({ HOME: rig.home, DROVER_SESSION: session.id, KIT_SETTING: "on" });

  const tree = processesOfSession(rig, session.id);
  expect(tree, "the agent, its wrapper and their parent").toHaveLength(3);
  for (const { pid } of tree) {
    expect([...(environmentOf(pid)?.values() ?? [])].join()).not.toContain(canary);
    expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(canary);
  }
  expect(environmentOf(rig.server.pid)?.get("CANARY"), "the canary was in the environment").toBe(canary);
});

test("four agents that never read their input block nothing and are stopped within six seconds", async () => {
  const prompt = "é".repeat(786_432 / 2);
  const stuck = await Promise.all(Array.from({ length: 4 }, () => openSession(rig, "stuck")));
  await using fifth = await openSession(rig, "echo");
  try {
    await Promise.all(stuck.map((session) => session.send(prompt)));
    for (const session of stuck) {
      await until(async () => (await session.get()).connection.status === "connected");
    }
    const now = () => performance.now() - heldUp(process.pid) - heldUp(rig.server.pid);
    const times: number[] = [];
    for (let n = 0; n < 20; n++) {
      const before = now();
      expect(await rig.client.ask("GET", "/api/health")).toMatchObject({ status: 200 });
      times.push(now() - before);
    }
    expect(Math.max(...times)).toBeLessThan(100);
    expect(await fifth.turn(prompt)).toMatchObject({ ok: true });
    expect(fifth.follower.text().endsWith(prompt)).toBe(true);

    const processes = stuck.flatMap((session) => processesOfSession(rig, session.id));
    expect(processes, "each with its parent").toHaveLength(8);
    await Promise.all(stuck.map((session) => session.post("stop")));
    await until(() => !processes.some(({ pid }) => isAlive(pid)), { deadline: 6_000 });
    for (const session of stuck) await until(async () => (await session.get()).state === "stopped");
  } finally {
    for (const session of stuck) await session.follower.close();
  }
});

test("a missing working directory is named in the error", async () => {
  const cwd = join(rig.home, "gone");
  await mkdir(cwd);
  await using session = await openSession(rig, "echo", { cwd });
  await rm(cwd, { recursive: true });
  const done = await session.turn("hello");
  expect(done).toMatchObject({ reason: "error", error: { code: "WORKSPACE_MISSING" } });
  expect(done.error?.message).toContain(cwd);
});
