// The shell between the server and an agent: what it keeps, what it passes on, and what it must not affect.
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kill9 } from "../../../../test/kit/processes.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { type AgentProcess, attachAgentProcess, startAgentProcess } from "../../src/process/agent-process.ts";
import { identify, isAlive } from "../../src/process/identity.ts";
import { sweepMarked } from "../../src/process/sweep.ts";
import { baseEnvironment, collect, startRun, textOf, uniqueMark } from "./support.ts";

/** Its exit, as this server and one that did not start it see it. */
async function exitsOf(agent: AgentProcess): Promise<unknown[]> {
  const seen = await agent.finished;
  const other = await attachAgentProcess({ ...agent, offset: 0, input: "fifo" });
  collect(other);
  return [seen, await other.finished];
}

test("N7 an agent's pid is that of its program, also for the next server; its identity is the parent's", async () => {
  await using dir = await tempDir();
  const program = "console.log(process.pid, process.ppid); setInterval(() => {}, 1000)";
  const agent = await startRun({ directory: dir.path, args: ["-e", program] });
  const lines = collect(agent);
  await until(() => lines.length === 1);
  expect(textOf(lines)).toEqual([`${agent.pid} ${agent.identity.pid}`]);
  const { identity, directory } = agent;
  const other = await attachAgentProcess({ identity, directory, offset: 0, input: "fifo" });
  expect(other.pid).toBe(agent.pid);
  other.detach();
  kill9(agent.pid);
  await agent.finished;
});

test("N7 the exit of a killed agent is known to this server and to the next", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, command: "sleep", args: ["1000"] });
  collect(agent);
  kill9(agent.pid);
  const killed = { code: null, signal: "SIGKILL" };
  expect(await exitsOf(agent)).toEqual([killed, killed]);
});

test.for(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "N7 the exit code is kept even if the whole group gets %s",
  async (signal) => {
    await using dir = await tempDir();
    // It exits long after a parent that does not wait for it would have.
    const program = `process.on("${signal}", () => setTimeout(() => process.exit(9), 50));
      setInterval(() => {}, 1000); console.log("ready")`;
    const agent = await startRun({ directory: dir.path, args: ["-e", program] });
    const lines = collect(agent);
    await until(() => lines.length === 1);
    expect(agent.identity.pid).toBeGreaterThan(1);
    process.kill(-agent.identity.pid, signal);
    const expected = { code: 9, signal: null };
    expect(await exitsOf(agent)).toEqual([expected, expected]);
  },
);

test("N7 an agent starts with default signals and none of its parent's descriptors", async () => {
  await using dir = await tempDir();
  const script = "grep -E '^Sig(Ign|Blk)' /proc/self/status; cd /proc/$$/fd; ls -d [0-9]";
  const agent = await startRun({ directory: dir.path, command: "sh", args: ["-c", script] });
  const lines = collect(agent);
  await agent.finished;
  const none = "0".repeat(16);
  expect(textOf(lines)).toEqual([`SigBlk:\t${none}`, `SigIgn:\t${none}`, "0", "1", "2"]);
});

test("N7 variables that a shell would set keep the agent's values", async () => {
  await using dir = await tempDir();
  const env = { ...baseEnvironment(dir.path), PWD: dir.path, SHLVL: "7" };
  const agent = await startAgentProcess({
    ...{ command: "env", args: [], cwd: dir.path, env },
    ...{ directory: join(dir.path, "run"), input: "fifo" },
  });
  const lines = collect(agent);
  await agent.finished;
  expect(textOf(lines).toSorted()).toEqual(
    Object.entries(env)
      .map((pair) => pair.join("="))
      .toSorted(),
  );
});

test("N7 writing to an agent that has closed its input fails, even though its parent is alive", async () => {
  await using dir = await tempDir();
  const args = ["-c", "exec </dev/null; echo closed; exec sleep 1000"];
  const mark = uniqueMark();
  const agent = await startRun({ directory: dir.path, command: "sh", args, mark });
  const lines = collect(agent);
  await until(() => lines.length === 1);
  await expect(agent.write("hello?\n")).rejects.toMatchObject({ name: "FifoError", code: "NO_READER" });
  await agent.stop({ mark, grace: 1000 });
  await agent.finished;
});

test("N7 an agent whose parent was killed is found by the sweep", async () => {
  await using dir = await tempDir();
  const mark = uniqueMark();
  const agent = await startRun({ directory: dir.path, command: "sleep", args: ["1000"], mark });
  collect(agent);
  const own = identify(agent.pid);
  kill9(agent.identity.pid);
  expect(await agent.finished).toEqual({ code: null, signal: "SIGKILL" });
  expect(own && isAlive(own), "the agent itself is still alive").toBe(true);
  await sweepMarked(mark, 1000);
  expect(own && isAlive(own)).toBe(false);
});

/** The smallest file that the kernel accepts as a program with a dynamic loader. */
function programLoadedBy(loader: string): Buffer {
  const file = Buffer.alloc(120 + loader.length + 1);
  file.write("\x7fELF\x02\x01\x01", "latin1");
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(3, 64);
  file.writeBigUInt64LE(120n, 72);
  file.write(loader, 120);
  return file;
}

test("N7 X2 a missing interpreter or loader is reported before anything is started", async () => {
  await using dir = await tempDir();
  const programs: Record<string, string | Buffer> = {
    script: "#!/nowhere/interpreter\n",
    spaced: "#! \t/nowhere/interpreter -x\n",
    nested: `#!${join(dir.path, "script")}\n`,
    loaded: programLoadedBy("/nowhere/ld-musl.so.1"),
  };
  for (const [name, content] of Object.entries(programs)) {
    await writeFile(join(dir.path, name), content);
    await chmod(join(dir.path, name), 0o755);
  }
  for (const name of Object.keys(programs)) {
    const file = join(dir.path, name === "nested" ? "script" : name);
    await expect(
      startRun({ directory: dir.path, command: `./${name}`, args: [] }),
      name,
    ).rejects.toMatchObject({
      name: "SpawnError",
      code: "NOT_EXECUTABLE",
      message: `${file} cannot be run: its interpreter is missing`,
    });
  }
});
