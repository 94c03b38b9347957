import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { attachAgentProcess, startAgentProcess } from "../../src/process/agent-process.ts";
import { isAlive } from "../../src/process/identity.ts";
import { AGENTS, baseEnvironment, collect, MARK, startRun, stateOf, textOf } from "./support.ts";

const PRESSURE = { high: 256 * 1024, low: 64 * 1024 };

/** Answers each line of its input with the same line, and exits on `quit`. */
const ECHO = `
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    if (line === "quit") process.exit(7);
    console.log("heard " + line);
  });
  console.error("ready");`;

test("a conversation goes through the FIFO and the spool, and the exit is reported with its code", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: ["-e", ECHO] });
  const lines = collect(agent);
  expect(isAlive(agent.identity)).toBe(true);

  await agent.write("one\ntwo\n");
  await until(() => lines.length === 2);
  await agent.write("quit\n");

  expect(await agent.exited).toEqual({ code: 7, signal: null });
  expect(await agent.finished).toEqual({ code: 7, signal: null });
  expect(textOf(lines)).toEqual(["heard one", "heard two"]);
  expect(agent.position).toBe(Buffer.byteLength("heard one\nheard two\n"));
  expect(isAlive(agent.identity)).toBe(false);
  await expect(agent.write("more\n")).rejects.toMatchObject({ name: "FifoError" });
});

test("a run's files are private to the user; the FIFO is removed with the process and the output stays", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: ["-e", ECHO] });
  const mode = async (name: string): Promise<number> =>
    (await stat(join(agent.directory, name))).mode & 0o777;
  expect(await mode(".")).toBe(0o700);
  for (const name of ["stdin", "stdout", "stderr"]) expect(await mode(name)).toBe(0o600);

  collect(agent);
  await agent.write("kept\nquit\n");
  await agent.finished;
  expect(await readFile(join(agent.directory, "stdout"), "utf8")).toBe("heard kept\n");
  await expect(stat(join(agent.directory, "stdin"))).rejects.toThrow("ENOENT");
});

test("a process with its prompt as a file sees the end of input and takes no further input", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "prompt.txt");
  await writeFile(file, "the whole prompt");
  const agent = await startAgentProcess({
    command: "cat",
    args: [],
    cwd: dir.path,
    env: baseEnvironment(dir.path),
    directory: join(dir.path, "run"),
    input: { file },
  });
  const lines = collect(agent);
  await expect(agent.write("x")).rejects.toMatchObject({ name: "FifoError", code: "CLOSED" });
  expect(await agent.finished).toEqual({ code: 0, signal: null });
  expect(lines).toEqual([{ kind: "torn", text: "the whole prompt", end: 16 }]);
});

test("all output of a process is handled before `finished` resolves, however slow the handler is", async () => {
  await using dir = await tempDir();
  const program = `for (let i = 0; i < 30000; i++) process.stdout.write("line " + i + " " + "x".repeat(90) + "\\n")`;
  const agent = await startRun({ directory: dir.path, args: ["-e", program] });
  const seen: string[] = [];
  let running = 0;
  agent.lines(async (batch) => {
    running += 1;
    expect(running).toBe(1);
    await agent.exited;
    seen.push(...textOf(batch));
    running -= 1;
  });
  await agent.finished;
  expect(seen.length).toBe(30_000);
  expect(seen.at(-1)).toMatch(/^line 29999 /);
  expect(agent.position).toBe((await stat(join(agent.directory, "stdout"))).size);
  await agent.drain();
});

test("a handler that throws ends the reading and rejects finished", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: ["-e", ECHO] });
  agent.lines(() => {
    throw new Error("a bug");
  });
  await agent.write("x\n");
  await expect(agent.finished).rejects.toThrow("a bug");
  await agent.stop({ mark: MARK, grace: 1000 });
});

test("the tail of stderr consists of whole characters", async () => {
  await using dir = await tempDir();
  const agent = await startRun({
    directory: dir.path,
    args: ["-e", `process.stderr.write("🐑".repeat(100))`],
  });
  collect(agent);
  await agent.finished;
  expect(await agent.stderrTail(10)).toBe("🐑🐑");
  expect(await agent.stderrTail()).toBe("🐑".repeat(100));
});

test("X7 a megabyte on stderr blocks nothing, and its tail is kept", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: [join(AGENTS, "stderr-megabyte.mjs")] });
  const lines = collect(agent);
  await agent.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize" })}\n`);
  await until(() => lines.length === 1);
  const tail = await agent.stderrTail();
  expect(tail).toHaveLength(4096);
  expect(tail).toMatch(/eee\nend of stderr\n$/);
  await agent.stop({ mark: MARK, grace: 2000 });
  await agent.finished;
});

test("an agent's line of 100 MB is skipped, and the next line arrives", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: [join(AGENTS, "long-line.mjs")] });
  const lines = collect(agent);
  const params = { sessionId: "s", prompt: [] };
  await agent.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/prompt", params })}\n`);
  await until(() => lines.length === 3);
  expect(lines[0]).toMatchObject({ kind: "skipped" });
  expect(lines[0]?.end).toBeGreaterThan(100_000_000);
  expect(textOf(lines)[1]).toContain("after the long line");
  await agent.stop({ mark: MARK, grace: 2000 });
  await agent.finished;
});

test("a detached agent stays alive, and is reattached without losing or repeating a byte", async () => {
  await using dir = await tempDir();
  const first = await startRun({ directory: dir.path, args: ["-e", ECHO] });
  const before = collect(first);
  await first.write("one\n");
  await until(() => before.length === 1);
  await first.write("half a li");
  first.detach();
  expect(isAlive(first.identity)).toBe(true);

  const { identity, directory } = first;
  const second = await attachAgentProcess({ identity, directory, offset: first.position, input: "fifo" });
  const after = collect(second, first.position);
  await second.write("two\n");
  await until(() => after.length === 2);
  expect(textOf(after)).toEqual(["heard half a li", "heard two"]);

  expect(await second.stop({ mark: MARK, grace: 5000 })).toEqual({ survivors: [] });
  expect(await second.finished).toEqual({ code: null, signal: "SIGTERM" });
});

test("the output of an agent that exited while detached is still delivered", async () => {
  await using dir = await tempDir();
  const first = await startRun({ directory: dir.path, args: ["-e", `console.log("last words")`] });
  await first.exited;
  const { identity, directory } = first;
  const second = await attachAgentProcess({ identity, directory, offset: 0, input: "fifo" });
  const lines = collect(second);
  expect(await second.finished).toEqual({ code: 0, signal: null });
  expect(textOf(lines)).toEqual(["last words"]);
  collect(first);
  await first.finished;
});

/** Writes 1000 lines at once, and 3000 more on input, so that it cannot exit before the test has checked it. */
const BUSY = `
  const { writeSync } = require("node:fs");
  const write = (count) => {
    for (let i = 0; i < count; i++) writeSync(1, "x".repeat(1023) + "\\n");
  };
  write(1000);
  process.stdin.once("data", () => {
    write(3000);
    process.exit(0);
  });`;

test("an agent that writes faster than its output is stored is paused until storage has caught up", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: ["-e", BUSY], pressure: PRESSURE });
  const gate = Promise.withResolvers<void>();
  let count = 0;
  agent.lines(async (batch) => {
    await gate.promise;
    count += batch.length;
  });
  await until(() => stateOf(agent.identity) === "T", { what: "the agent is stopped" });
  gate.resolve();
  await agent.write("go on\n");
  expect(await agent.finished).toEqual({ code: 0, signal: null });
  expect(count).toBe(4000);
});

test("an agent that its caller paused stays paused until the caller resumes it, whatever its output does", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, args: ["-e", BUSY], pressure: PRESSURE });
  const gate = Promise.withResolvers<void>();
  agent.lines(() => gate.promise);
  await until(() => stateOf(agent.identity) === "T", { what: "the agent is stopped" });
  agent.pause();
  gate.resolve();
  await agent.drain();
  // Every chunk triggers the check that resumes an agent paused for its output, and now there is hardly any lag.
  await appendFile(join(agent.directory, "stdout"), "\n");
  await agent.drain();
  expect(stateOf(agent.identity)).toBe("T");
  agent.resume();
  await agent.write("go on\n");
  expect(await agent.finished).toEqual({ code: 0, signal: null });
});

test("an agent that a server left paused continues when it is reattached", async () => {
  await using dir = await tempDir();
  const first = await startRun({ directory: dir.path, args: ["-e", ECHO] });
  first.pause();
  first.detach();
  await until(() => stateOf(first.identity) === "T");
  const { identity, directory } = first;
  const second = await attachAgentProcess({ identity, directory, offset: 0, input: "fifo" });
  const lines = collect(second);
  await second.write("awake\nquit\n");
  await second.finished;
  expect(textOf(lines)).toContain("heard awake");
});
