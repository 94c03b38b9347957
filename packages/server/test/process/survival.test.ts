import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { attachAgentProcess, startAgentProcess } from "../../src/process/agent-process.ts";
import { isAlive, type ProcessIdentity } from "../../src/process/identity.ts";
import { baseEnvironment, collect, MARK, textOf } from "./support.ts";

test("X8 an agent outlives kill -9 of its server, and another one finds it without losing or repeating a byte", async () => {
  await using dir = await tempDir();
  const copy = join(dir.path, "copy");
  const record = join(dir.path, "record");
  const helper = join(import.meta.dirname, "starts-an-agent.ts");
  const args = ["-C", "source", helper, dir.path, copy, record, MARK];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });

  // It has handled part of the output, and recorded how far it got.
  const handled = async (): Promise<string[]> => (await readFile(record, "utf8")).split("\n").slice(0, -1);
  await until(async () => (await handled()).length > 5);
  server.kill("SIGKILL");
  await once(server, "exit");
  const [first = "", ...ends] = await handled();
  const identity = JSON.parse(first) as ProcessIdentity;
  const offset = Number(ends.at(-1));
  expect(isAlive(identity)).toBe(true);

  const directory = join(dir.path, "run");
  const agent = await attachAgentProcess({ identity, directory, offset, input: "fifo" });
  const lines = collect(agent, offset);
  const answered = (id: number): boolean =>
    textOf(lines).some((line) => line.includes(`"id":${id},"result"`));
  await until(() => answered(1), { what: "the first turn ends" });
  await agent.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "session/cancel_unknown" })}\n`);
  await until(() => textOf(lines).some((line) => line.includes(`"id":2,"error"`)));
  expect(await agent.stop({ mark: MARK, grace: 2000 })).toEqual({ survivors: [] });
  expect(await agent.finished).toEqual({ code: null, signal: "SIGTERM" });

  const spool = await readFile(join(directory, "stdout"));
  expect(spool.equals(await readFile(copy))).toBe(true);
  expect(`${textOf(lines).join("\n")}\n`).toBe(spool.subarray(offset).toString("utf8"));
  expect(agent.position).toBe(spool.length);
});

test("the exit of a process started with a prompt is also known to a server that did not start it", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "prompt.txt");
  await writeFile(file, "a prompt");
  const exitOf = async (program: string): Promise<unknown[]> => {
    const directory = await mkdtemp(join(dir.path, "run-"));
    const env = baseEnvironment(dir.path);
    const args = ["-e", `require("node:fs").writeSync(2, "last words"); ${program}`];
    const spec = { command: process.execPath, args, cwd: dir.path, env, directory };
    const agent = await startAgentProcess({ ...spec, input: { file } });
    collect(agent);
    const seen = await agent.finished;
    const other = await attachAgentProcess({ ...agent, offset: 0, input: { file } });
    collect(other);
    const exits = [seen, await other.finished];
    expect(await readFile(join(directory, "stderr"), "utf8"), "only its own output").toBe("last words");
    return exits;
  };
  expect(await exitOf("process.exit(41)")).toEqual([
    { code: 41, signal: null },
    { code: 41, signal: null },
  ]);
  expect(await exitOf('process.kill(process.pid, "SIGKILL")')).toEqual([
    { code: null, signal: "SIGKILL" },
    { code: null, signal: "SIGKILL" },
  ]);
});
