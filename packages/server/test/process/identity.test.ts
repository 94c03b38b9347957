import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { commandOf } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import { identify, isAlive } from "../../src/process/identity.ts";
import { parsePs, parseStat, readEntry } from "../../src/process/process-table.ts";
import { bystander } from "./support.ts";

test("a process is identified by its pid, its start time and the boot id", async () => {
  await using other = await bystander();
  const { identity } = other;
  expect(identify(identity.pid)).toEqual(identity);
  expect(isAlive(identity)).toBe(true);
  expect(isAlive({ ...identity, startTime: `${Number(identity.startTime) - 1}` })).toBe(false);
  expect(isAlive({ ...identity, bootId: "another boot" })).toBe(false);
  process.kill(identity.pid, "SIGKILL");
  await until(() => !isAlive(identity));
});

test("a zombie counts as gone", async () => {
  // The child exits only after the shell has become a program that never waits for it.
  const script = "cat <&3 & echo $!; exec sleep 1000";
  const parent = spawn("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore", "pipe"] });
  const [, output, , hold] = parent.stdio;
  if (!(output instanceof Readable) || !(hold instanceof Writable)) throw new Error("not started");
  const [line] = (await once(output, "data")) as [Buffer];
  const pid = Number(line);
  await until(() => commandOf(parent.pid ?? -1)?.startsWith("sleep"));
  expect(identify(pid)).toBeDefined();
  hold.end();
  await until(() => readEntry(pid)?.gone);
  expect(identify(pid)).toBeUndefined();
  parent.kill("SIGKILL");
  await once(parent, "exit");
});

/** A line of /proc/PID/stat with parent 10, group 20 and start time 777. */
const statLine = (name: string, state: string, threads: number): string =>
  `42 (${name}) ${[state, 10, 20, ...Array(14).fill(0), threads, 0, 777].join(" ")} rest`;

test("a program's name cannot confuse the parser", () => {
  const entry = { pid: 42, parent: 10, group: 20, startTime: "777", gone: false, image: "0" };
  expect(parseStat(42, statLine("evil) Z 1 (x", "S", 1))).toEqual(entry);
});

test("a program whose first thread has ended is alive as long as the others", () => {
  expect(parseStat(42, statLine("server", "Z", 2)).gone).toBe(false);
  expect(parseStat(42, statLine("server", "Z", 1)).gone).toBe(true);
});

test("on macOS the table is read from ps", () => {
  const output =
    "  501     1   501 Ss   Mon Nov  2 10:11:12 2026\n  502   501   501 Z    Mon Nov  2 10:11:13 2026\n";
  expect(parsePs(output)).toEqual([
    { pid: 501, parent: 1, group: 501, startTime: "Mon Nov 2 10:11:12 2026", gone: false, image: "0" },
    { pid: 502, parent: 501, group: 501, startTime: "Mon Nov 2 10:11:13 2026", gone: true, image: "0" },
  ]);
});
