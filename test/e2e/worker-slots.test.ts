// Workers wait for slots.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { environmentOf, processesOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
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

test("a run that takes too long is ended and tried again, unless it waits for a person", async () => {
  await using rig = await openWorktreeRig({
    config: { workers: { ...quick.workers, turnTimeout: "3s" } },
  });
  await using asking = await spawn(rig, "ask Which? | A | B\nsignal done");
  const { toolCallId, questions } = await until(async () => (await asking.openInteractions())[0]);
  const second = "test -e tried && cp signal.json .drover/output/";
  await using worker = await spawn(rig, `run ${second} || { touch tried; sleep 600; }`, {
    permissionMode: "never",
  });
  await writeFile(join(worker.tree, "signal.json"), '{"status":"done"}');
  expect(await worker.ended()).toMatchObject({ ok: true });
  const [retry] = worker.all("notice").filter(({ code }) => code === "RETRY");
  expect(retry?.facts).toMatchObject({ try: 1, class: "TIMEOUT" });
  await asking.post("submit-answers", { toolCallId, answers: { [questions?.[0]?.id ?? ""]: "A" } });
  expect(await asking.ended()).toMatchObject({ ok: true });
  expect(asking.codes()).toEqual([]);
});
