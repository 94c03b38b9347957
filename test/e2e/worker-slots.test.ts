// Workers wait for slots, over the end of the server, too.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { environmentOf, processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { seeded } from "./support.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const open = () => openWorktreeRig({ config: { workers: { ...quick.workers, atOnce: 2 } } });

const stateOf = async (worker: Worker) => (await worker.get()).state;

/** The number of sessions with a process. */
function running({ home }: WorktreeRig): number {
  const marks = processesOf(home).map(({ pid }) => environmentOf(pid)?.get("DROVER_SESSION"));
  return new Set(marks.filter((mark) => mark !== undefined)).size;
}

test("more workers than slots are queued until a process has ended, and a stopped one is skipped", async () => {
  await using rig = await open();
  const held = [await spawn(rig, "hang"), await spawn(rig, "hang")];
  for (const worker of held) await until(async () => (await stateOf(worker)) === "running");
  const stopped = await spawn(rig, "signal done never");
  const third = await spawn(rig, "signal done third");
  const waiting = [stopped, third];
  for (const worker of waiting) await until(async () => (await stateOf(worker)) === "queued");
  const queued = await rig.client.get<{ sessions: Session[] }>("/api/sessions?state=queued&kind=worker");
  expect(queued.sessions.map(({ id }) => id).sort()).toEqual(waiting.map(({ id }) => id).sort());
  expect(running(rig)).toBe(2);
  await stopped.post("stop");
  await until(async () => (await stateOf(stopped)) === "stopped");
  await held[0]?.post("interrupt");
  expect(await third.ended()).toMatchObject({ ok: true });
  expect(stopped.all("signal")).toEqual([]);
  // An interrupted worker's process ends, too.
  await until(() => running(rig) === 1);
  for (const worker of [...held, ...waiting]) await worker[Symbol.asyncDispose]();
});

test("a run that takes too long is ended and tried again", async () => {
  await using rig = await openWorktreeRig({
    config: { workers: { ...quick.workers, turnTimeout: "3s" } },
  });
  const second = "test -e tried && cp signal.json .drover/output/";
  await using worker = await spawn(rig, `run ${second} || { touch tried; sleep 600; }`, {
    permissionMode: "never",
  });
  await writeFile(join(worker.tree, "signal.json"), '{"status":"done"}');
  expect(await worker.ended()).toMatchObject({ ok: true });
  const [retry] = worker.all("notice").filter(({ code }) => code === "RETRY");
  expect(retry?.facts).toMatchObject({ try: 1, class: "TIMEOUT" });
});

/** How workers end, and what is stored about it, however often the server was killed meanwhile. */
const ends: Record<string, { end: string; reason: string }> = {
  ant: { end: "signal done ok", reason: "end_turn" },
  bee: { end: "signal questions Which? | A | B", reason: "waiting_for_input" },
  cat: { end: "signal error no", reason: "error" },
  dog: { end: "say nothing", reason: "error" },
  elk: { end: "signal done ok", reason: "end_turn" },
  fox: { end: "signal done ok", reason: "end_turn" },
};

const streamed = Array.from({ length: 30 }, (_, at) => `word${at + 1}`).join(" ");

test("queued and running workers go on after the server was killed, and nothing runs twice", async () => {
  const random = seeded(7);
  await using rig = await open();
  const workers: Worker[] = [];
  for (const [name, { end }] of Object.entries(ends)) {
    const task = `slow 15\nrun echo ${name} >> log.txt\nstream 30\nwrite ${name}.txt ${name}\n${end}`;
    workers.push(await spawn(rig, task, { name, permissionMode: "never" }));
  }
  const stored = async () => {
    const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions?kind=worker");
    const events = sessions.reduce((sum, { lastSeq }) => sum + lastSeq, 0);
    return { events, isOver: sessions.every(({ lastTurn }) => lastTurn) };
  };
  for (let kills = 0; kills < 4; kills += 1) {
    const enough = (await stored()).events + Math.floor(random() * 30);
    await until(async () => {
      const { events, isOver } = await stored();
      return isOver || events >= enough;
    });
    await rig.server.kill9();
    await rig.start();
  }
  for (const worker of workers) {
    const { reason } = ends[worker.name] ?? {};
    expect(await worker.ended(), worker.name).toMatchObject({ reason });
    expect(worker.all("done"), worker.name).toHaveLength(1);
    expect(worker.all("signal").length, worker.name).toBe(worker.name === "dog" ? 0 : 1);
    expect(await worker.read("log.txt")).toBe(`${worker.name}\n`);
    expect(await worker.git("log", "--format=%s", "main..HEAD")).toBe("slow 15");
    expect(worker.all("commits")).toMatchObject([{ count: 1, byDrover: true }]);
    // One that is reminded of its signal speaks again.
    if (worker.name !== "dog") expect((await worker.get()).worker?.lastLine).toBe(streamed);
    await worker[Symbol.asyncDispose]();
  }
  await until(() => running(rig) === 0);
});
