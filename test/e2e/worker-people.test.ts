// What people do to workers that run or wait: delete, interrupt, write to them, change how many may run.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConfigReport } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { processesOfSession } from "./support.ts";
import { quick, spawn, type Worker } from "./worker-rig.ts";
import { openWorktreeRig, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const oneAtOnce = { workers: { ...quick.workers, atOnce: 1 } };
const shared = sharedRig({ config: oneAtOnce });

const reaches = (worker: Worker, state: string) =>
  until(async () => (await worker.get()).state === state, { what: `${worker.name} is ${state}` });

const isWritten = (worker: Worker, path: string) =>
  until(() => worker.read(path).then(Boolean), { what: `${worker.name} writes ${path}` });

/** Holds a worker that runs this until `release`. */
const held = (rig: WorktreeRig) => `run until [ -e '${join(rig.work, "go")}' ]; do sleep 0.05; done`;
const release = (rig: WorktreeRig) => writeFile(join(rig.work, "go"), "");

const anyCommand = { permissionMode: "never" };

test("a worker that is deleted leaves its slot to the next one, whether it was running or queued", async () => {
  await using rig = await worktreesOn(shared);
  await using running = await spawn(rig, "hang");
  await reaches(running, "running");
  await using queued = await spawn(rig, "hang");
  await using last = await spawn(rig, "signal done last");
  for (const worker of [queued, last]) await reaches(worker, "queued");
  for (const worker of [queued, running]) await rig.client.delete(`${worker.path()}?force=1`);
  expect(await last.ended()).toMatchObject({ ok: true });
  const branches = await rig.git("branch", "--list", "drover/*", "--format=%(refname:short)");
  expect(branches).toBe(`drover/${last.name}`);
});

test("a message to a running worker waits for its end and is its next run", async () => {
  await using rig = await worktreesOn(shared);
  const task = `write one.txt one\n${held(rig)}\nsignal done first`;
  await using worker = await spawn(rig, task, anyCommand);
  await isWritten(worker, "one.txt");
  const receipt = await worker.send("write two.txt two\nsignal done second");
  expect(receipt).toMatchObject({ applied: "queued" });
  await release(rig);
  await worker.ended(2);
  expect(worker.signals().map(({ run, result }) => [run, result])).toEqual([
    [1, "first"],
    [2, "second"],
  ]);
  expect(worker.all("commits").map(({ count }) => count)).toEqual([1, 1]);
});

test("an interrupted worker keeps its files, and a message continues it", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, "write one.txt one\nhang");
  await isWritten(worker, "one.txt");
  await worker.post("interrupt");
  expect(await worker.ended()).toMatchObject({ ok: false, reason: "cancelled" });
  await until(() => processesOfSession(rig, worker.id).length === 0);
  expect(worker.signals()).toEqual([]);
  await worker.send("signal done after all");
  expect(await worker.ended(2)).toMatchObject({ ok: true });
  expect(await worker.git("show", "--stat", "--format=")).toContain("one.txt");
});

test("a worker whose worktree has vanished says so, and works again once it is back", async () => {
  await using rig = await worktreesOn(shared);
  await using worker = await spawn(rig, `write one.txt one\n${held(rig)}\nsignal done first`, anyCommand);
  await isWritten(worker, "one.txt");
  await rename(worker.tree, `${worker.tree}-moved`);
  await release(rig);
  expect(await worker.ended()).toMatchObject({ ok: false, error: { code: "WORKSPACE_MISSING" } });
  expect(worker.codes()).toContain("NOT_COMMITTED");
  await worker.post("resume");
  await worker.send("write two.txt two\nsignal done second");
  expect(await worker.ended(2)).toMatchObject({ ok: true });
  expect(await worker.git("show", "--stat", "--format=")).toContain("two.txt");
});

test("more slots are used at once, and with fewer the running workers end first", async () => {
  await using rig = await openWorktreeRig({ config: oneAtOnce });
  const file = join(rig.server.droverHome, "drover.yaml");
  const allow = async (atOnce: number) => {
    await writeFile(file, JSON.stringify({ workers: { ...quick.workers, atOnce } }));
    await until(async () => {
      const { settings } = await rig.client.get<ConfigReport>("/api/config");
      return settings["workers.atOnce"]?.value === atOnce;
    });
  };
  await using first = await spawn(rig, "hang");
  await reaches(first, "running");
  await using second = await spawn(rig, "hang");
  await reaches(second, "queued");
  await allow(2);
  await reaches(second, "running");
  await allow(1);
  await using third = await spawn(rig, "signal done third");
  await reaches(third, "queued");
  await first.post("interrupt");
  await until(() => processesOfSession(rig, first.id).length === 0);
  expect(await third.get()).toMatchObject({ state: "queued" });
  await second.post("interrupt");
  expect(await third.ended()).toMatchObject({ ok: true });
});
