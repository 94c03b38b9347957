import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { heldUp } from "../../../../test/kit/processes.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import type { AgentProcess } from "../../src/process/agent-process.ts";
import { identify, isAlive, type ProcessIdentity } from "../../src/process/identity.ts";
import { findTree, killTree, pauseTree, resumeTree } from "../../src/process/tree.ts";
import { AGENTS, bystander, collect, MARK, startRun, stateOf, uniqueMark } from "./support.ts";

const GRACE = 300;

/** The identities of the pids that a program recorded. */
async function namedBy(file: string): Promise<Record<string, ProcessIdentity>> {
  const line = await until(() => readFile(file, "utf8").then((content) => content.endsWith("\n") && content));
  const pids = Object.entries(JSON.parse(line) as Record<string, number>);
  return Object.fromEntries(
    pids.map(([name, pid]) => {
      const identity = identify(pid);
      if (identity === undefined) throw new Error(`${name} is not running`);
      return [name, identity];
    }),
  );
}

async function finish(agent: AgentProcess): Promise<void> {
  collect(agent);
  await agent.finished;
}

test.each(["ignores-term.mjs", "forks-and-setsids.mjs"])(
  "X1 %s and everything it started is gone within a second after the grace period",
  async (program) => {
    await using dir = await tempDir();
    const file = join(dir.path, "pids");
    const agent = await startRun({
      directory: dir.path,
      args: [join(AGENTS, program), "--file", file],
    });
    const processes = [agent.identity, ...Object.values(await namedBy(file))];
    const found = (await findTree(agent.identity, MARK)).map(({ pid }) => pid);
    expect(found.toSorted()).toEqual(processes.map(({ pid }) => pid).toSorted());

    const now = () => performance.now() - heldUp(process.pid);
    const start = now();
    expect(await agent.stop({ mark: MARK, grace: GRACE })).toEqual({ survivors: [] });
    expect(now() - start).toBeLessThan(GRACE + 1000);
    expect(processes.filter(isAlive)).toEqual([]);
    await finish(agent);
  },
);

test("a process that ignores SIGTERM is killed, even if the server itself was blocked meanwhile", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "pids");
  const args = [join(AGENTS, "ignores-term.mjs"), "--file", file];
  const agent = await startRun({ directory: dir.path, args });
  const processes = Object.values(await namedBy(file));
  const stopped = agent.stop({ mark: MARK, grace: 50 });
  for (const heldUp = performance.now() + 50 + 1_000; performance.now() < heldUp; );
  expect(await stopped).toEqual({ survivors: [] });
  expect(processes.filter(isAlive)).toEqual([]);
  await finish(agent);
});

test("an agent that exits on SIGTERM is gone long before the grace period ends, even if it was paused", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, command: "sleep", args: ["1000"] });
  pauseTree(agent.identity);
  await until(() => stateOf(agent.identity) === "T");
  const start = performance.now();
  await agent.stop({ mark: MARK, grace: 20_000 });
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(await agent.exited).toEqual({ code: null, signal: "SIGTERM" });
  await finish(agent);
});

test("pause suspends an agent and its group, and resume continues them", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "pids");
  const args = [join(AGENTS, "ignores-term.mjs"), "--file", file];
  const agent = await startRun({ directory: dir.path, args });
  const processes = Object.values(await namedBy(file));
  pauseTree(agent.identity);
  for (const one of processes) await until(() => stateOf(one) === "T");
  resumeTree(agent.identity);
  for (const one of processes) await until(() => stateOf(one) === "S");
  await agent.stop({ mark: MARK, grace: 0 });
  await finish(agent);
});

test("X9 a pid that now belongs to another process is never signalled", async () => {
  await using other = await bystander();
  const wrong: ProcessIdentity[] = [
    { ...other.identity, startTime: `${Number(other.identity.startTime) - 1}` },
    { ...other.identity, bootId: "another boot" },
  ];
  for (const identity of wrong) {
    expect(await findTree(identity, MARK)).toEqual([]);
    pauseTree(identity);
    resumeTree(identity);
    expect(await killTree({ identity, mark: MARK, grace: 50 })).toEqual({ survivors: [] });
  }
  expect(isAlive(other.identity)).toBe(true);
  expect(stateOf(other.identity)).not.toBe("T");
});

test("X9 another session's processes are left alone", async () => {
  await using dir = await tempDir();
  const [one, two] = await Promise.all(
    [MARK, `${MARK}0`].map((mark) =>
      startRun({ directory: join(dir.path, mark), command: "sleep", args: ["1000"], mark }),
    ),
  );
  if (!one || !two) throw new Error("not started");
  await one.stop({ mark: MARK, grace: 1000 });
  expect(isAlive(one.identity)).toBe(false);
  expect(isAlive(two.identity)).toBe(true);
  await two.stop({ mark: `${MARK}0`, grace: 1000 });
  await finish(one);
  await finish(two);
});

test("the rest of a group is found after its leader is gone, as long as one member has the mark", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "pids");
  const script = `
    sleep 1000 & marked=$!
    env -i sleep 1000 & bare=$!
    echo "{\\"marked\\":$marked,\\"bare\\":$bare}" > ${file}`;
  const agent = await startRun({
    directory: dir.path,
    command: "sh",
    args: ["-c", script],
    mark: MARK,
  });
  await agent.exited;
  const remaining = Object.values(await namedBy(file));
  expect(await findTree(agent.identity, uniqueMark())).toEqual([]);
  expect(await agent.stop({ mark: MARK, grace: GRACE })).toEqual({ survivors: [] });
  expect(remaining.filter(isAlive)).toEqual([]);
  await finish(agent);
});

/** Scripts of an agent that records the pid of a process it tries to keep, each with another way to escape. */
const escapes: [string, string][] = [
  ["its own session", "setsid $keep & echo $! > $file"],
  ["a new environment", "env -i PATH=$PATH setsid $keep & echo $! > $file"],
  ["the variable that used to mark servers", "DROVER_SERVER=1 setsid $keep & echo $! > $file"],
  ["that variable and no mark", "env -i PATH=$PATH DROVER_SERVER=1 setsid $keep & echo $! > $file"],
  ["a second fork", `(setsid sh -c 'echo $$ > $file; exec $keep' &)`],
  ["ignoring SIGTERM", `trap '' TERM; setsid $keep & echo $! > $file`],
  ["suspending it", `setsid sh -c 'trap "" TERM; echo $$ > $file; kill -STOP $$; exec $keep' &`],
  [
    "a parent that exits first",
    `sh -c 'trap "" TERM; env -i PATH=$PATH setsid $keep & echo $! > $file; trap - TERM; sleep 1000' &`,
  ],
  [
    "starting it on SIGTERM",
    `trap 'env -i PATH=$PATH setsid $keep & echo $! > $file; sleep 0.5; exit' TERM; echo ready > $file.ready; while :; do sleep 0.05; done`,
  ],
];

test.for(escapes)("H10 stop ends a process that an agent tried to keep by %s", async ([, script]) => {
  await using dir = await tempDir();
  const file = join(dir.path, "pid");
  // The shell waits for this while the rest happens.
  const whole = `file=${file}; export file; keep="sleep 1000"; export keep; ${script}\nsleep 1000`;
  const agent = await startRun({ directory: dir.path, command: "sh", args: ["-c", whole], mark: MARK });
  await until(async () => (await readFile(`${file}.ready`).catch(() => readFile(file))).length > 0);
  expect(await agent.stop({ mark: MARK, grace: 1_000 })).toEqual({ survivors: [] });
  const pid = Number(await readFile(file, "utf8"));
  expect(pid).toBeGreaterThan(1);
  expect(identify(pid)).toBeUndefined();
  await finish(agent);
});

test("H10 stop ends a chain of processes in which each starts the next and exits", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "count");
  const link = join(dir.path, "link.sh");
  await writeFile(link, `trap '' TERM; echo x >> ${file}; sleep 0.05; setsid sh ${link} & exit 0\n`);
  const agent = await startRun({
    directory: dir.path,
    command: "sh",
    args: ["-c", `setsid sh ${link} & sleep 1000`],
  });
  await until(async () => (await readFile(file, "utf8")).length > 6);
  expect(await agent.stop({ mark: MARK, grace: 200 })).toEqual({ survivors: [] });
  expect(await findTree(agent.identity, MARK)).toEqual([]);
  await finish(agent);
});

test("H10 an agent that is an ancestor of the server is ended like any other, and the server continues", async () => {
  await using dir = await tempDir();
  const helper = join(import.meta.dirname, "ends-its-ancestor.ts");
  const script = `sleep 1000 & "${process.execPath}" -C source "${helper}" ${dir.path}/result; sleep 1000`;
  const agent = await startRun({ directory: dir.path, command: "sh", args: ["-c", script] });
  const result = await until(() => readFile(join(dir.path, "result"), "utf8"));
  expect(JSON.parse(result)).toEqual({ survivors: [], isAgentAlive: false });
  await until(async () => (await findTree(agent.identity, MARK)).length === 0, {
    what: "the server has exited, too",
  });
  await finish(agent);
});

test("a server that a session's process started outlives the session once that process has exited", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "pid");
  // The way `drover` starts one: detached, without the mark.
  const starter = `
    const { DROVER_SESSION: _, ...env } = process.env;
    const server = require("node:child_process").spawn("sleep", ["1000"], { detached: true, env, stdio: "ignore" });
    require("node:fs").writeFileSync(process.argv[1], String(server.pid));
    server.unref();`;
  const script = `"${process.execPath}" -e "$0" ${file}; echo ended > ${file}.ended; sleep 1000`;
  const agent = await startRun({ directory: dir.path, command: "sh", args: ["-c", script, starter] });
  await until(() => readFile(`${file}.ended`));
  const server = identify(Number(await readFile(file, "utf8")));
  if (!server) throw new Error("The server did not start");
  expect(await agent.stop({ mark: MARK, grace: 1000 })).toEqual({ survivors: [] });
  expect(isAlive(server)).toBe(true);
  process.kill(server.pid, "SIGKILL");
  await until(() => !isAlive(server));
  await finish(agent);
});

test("the sweep spares itself and its ancestors even if they have the mark, but not its own agents", async () => {
  await using dir = await tempDir();
  const env = { ...process.env, DROVER_SESSION: MARK };
  const helper = join(import.meta.dirname, "sweeps-own-session.ts");
  // A parent that has the mark and waits for the sweep to finish.
  const script = `"${process.execPath}" -C source "${helper}"; echo "helper ended with $?"`;
  const parent = spawn("sh", ["-c", script], { env, cwd: dir.path, stdio: ["ignore", "pipe", "inherit"] });
  const [output] = await Promise.all([text(parent.stdout), once(parent, "exit")]);
  expect(output.trim().split("\n")).toEqual([
    "found exactly the agent: true",
    "survivors: 0",
    "helper ended with 0",
  ]);
});
