// Stopping a session ends everything its agent started, and nothing else.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive } from "../kit/processes.ts";
import { droverCommand } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { insideAgents, openShell } from "./inside.ts";
import { drover, kitAgent, openRig, processesOfSession, type Rig, readJson } from "./support.ts";

let rig: Rig;

beforeAll(async () => {
  rig = await openRig({ agents: insideAgents, config: { supervision: { stopGrace: "1s" } } });
});
afterAll(() => rig[Symbol.asyncDispose]());

const command = `'${process.execPath}' '${droverCommand}'`;

test("H10 stop ends every descendant of an agent, however it tries to escape", async () => {
  await using session = await openShell(rig);
  const file = join(rig.home, "kept");
  const named = `echo $! >> ${file}`;
  // The shell stays alive as the parent of the processes without a mark.
  await session.send(`
    setsid sleep 1000 & ${named}
    DROVER_SERVER=1 setsid sleep 1000 & ${named}
    env -i DROVER_SERVER=1 setsid sleep 1000 & ${named}
    (setsid sh -c 'echo $$ >> ${file}; exec sleep 1000' &)
    setsid sh -c 'trap "" TERM; kill -STOP $$; sleep 1000' & ${named}
    (trap '' TERM; sleep 1000) & ${named}
    wait`);
  const read = async () => (await readFile(file, "utf8")).trim().split("\n").map(Number);
  const pids = await until(async () => {
    const found = await read();
    return found.length === 6 && found;
  });
  expect(pids.every(isAlive)).toBe(true);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  expect(pids.filter(isAlive)).toEqual([]);
  expect(processesOfSession(rig, session.id)).toEqual([]);
});

test("H10 a server started by an agent's drover command keeps running when that agent is stopped", async () => {
  await using session = await openShell(rig);
  // Both its own server, which had died, and a server for another home.
  const other = join(rig.home, "other");
  const start = `DROVER_PORT=0 ${command} ls`;
  const { pid: first } = rig.server;
  await session.send(`
    echo ready
    while kill -0 ${first}; do sleep 0.1; done
    DROVER_HOME=${other} ${start}
    ${start}
    echo done > ${other}/done
    sleep 1000`);
  await until(() => session.follower.text().includes("ready"));
  await rig.server.kill9();
  // Two servers and two commands start, which takes a while on a busy machine.
  await until(() => readFile(join(other, "done")), { deadline: 60_000 });
  const own = await readJson<{ pid: number }>(join(rig.home, ".drover", "server.json"));
  const others = await readJson<{ pid: number }>(join(other, "server.json"));
  expect(own.pid).not.toBe(first);
  expect(await drover(rig.home, "stop", session.id)).toMatchObject({ code: 0 });
  await until(async () => {
    const { stdout } = await drover(rig.home, "show", session.id, "--json");
    return (JSON.parse(stdout) as { session?: Session } & Session).state === "stopped";
  });
  expect([own.pid, others.pid].map(isAlive)).toEqual([true, true]);
  expect(processesOfSession(rig, session.id)).toEqual([]);
  for (const pid of [own.pid, others.pid]) process.kill(pid);
  await until(() => ![own.pid, others.pid].some(isAlive));
});

test("a session can be deleted while it stops, and the server keeps running", async () => {
  await using own = await openRig({ agents: { kit: { ...kitAgent("jsonl-hangs.mjs"), driver: "jsonl" } } });
  for (let round = 0; round < 6; round++) {
    const { id } = await own.client.post<Session>("/api/sessions", { agent: "kit", cwd: own.home });
    await own.client.post(`/api/sessions/${id}/messages`, { content: "hello" });
    const state = async () => (await own.client.get<Session>(`/api/sessions/${id}`)).state;
    await until(async () => (await state()) === "running", { what: "its agent is at work" });
    await own.client.post(`/api/sessions/${id}/stop`, {});
    expect(await own.client.delete(`/api/sessions/${id}`)).toEqual({ deleted: true });
  }
  expect(await own.client.get("/api/sessions")).toMatchObject({ sessions: [] });
  expect(await own.server.term()).toEqual({ code: 0, signal: null });
});
