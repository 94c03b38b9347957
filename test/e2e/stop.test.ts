// Stopping a session ends everything its agent started, and nothing else.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive } from "../kit/processes.ts";
import { droverCommand } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { insideAgents, openShell } from "./inside.ts";
import { kitAgent, openRig, processesOfSession, type Rig, readJson } from "./support.ts";

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

test("H10 an agent's drover command starts no server, neither its own again nor another", async () => {
  await using session = await openShell(rig);
  const other = join(rig.home, "other");
  const codes = join(rig.home, "codes");
  const { pid: first } = rig.server;
  await session.send(`
    echo ready
    while kill -0 ${first}; do sleep 0.1; done
    ${command} ls
    own=$?
    DROVER_HOME=${other} ${command} ls
    echo $own $? > ${codes}
    sleep 1000`);
  await until(() => session.follower.text().includes("ready"));
  await rig.server.kill9();
  expect(await until(() => readFile(codes, "utf8"))).toBe("3 3\n");
  expect(await readJson(join(rig.home, ".drover", "server.json"))).toMatchObject({ pid: first });
  await expect(readFile(join(other, "server.json"))).rejects.toThrow("ENOENT");
  await rig.start();
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  expect(processesOfSession(rig, session.id)).toEqual([]);
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
