import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { spooledLogs } from "../../src/process/raw-logs.ts";

const first = Buffer.from([0, 255, 10, 13, 7]);
const tenth = Buffer.alloc(300_000, "é");

async function logsIn(directory: string) {
  const { runDirectory } = homeAt(directory);
  for (const [run, bytes] of [
    [10, tenth],
    [1, first],
    [2, Buffer.alloc(0)],
  ] as const) {
    await mkdir(runDirectory("ses_a", run), { recursive: true });
    await writeFile(join(runDirectory("ses_a", run), "stdout"), bytes);
  }
  await writeFile(join(runDirectory("ses_a", 1), "stderr"), "a warning");
  return { logs: spooledLogs(runDirectory), last: join(runDirectory("ses_a", 10), "stdout") };
}

test("a raw log has every run's output in order, byte for byte, from any offset", async () => {
  await using dir = await tempDir();
  const { logs } = await logsIn(dir.path);
  const log = await logs.open("ses_a", { stream: "stdout" });
  const whole = Buffer.concat([first, tenth]);
  expect(log.bytes).toBe(whole.length);
  for (const from of [0, 3, 5, 6, 100_000, whole.length, whole.length + 1]) {
    expect((await buffer(log.read(from))).equals(whole.subarray(from)), `from ${from}`).toBe(true);
  }
});

test("a raw log ends where it ended when it was opened, and can be opened again from there", async () => {
  await using dir = await tempDir();
  const { logs, last } = await logsIn(dir.path);
  const log = await logs.open("ses_a", { stream: "stdout" });
  await appendFile(last, "later");
  expect((await buffer(log.read(0))).length).toBe(log.bytes);
  const again = await logs.open("ses_a", { stream: "stdout" });
  expect((await buffer(again.read(log.bytes))).toString()).toBe("later");
});

test("a raw log can be that of one run, that of stderr, or empty", async () => {
  await using dir = await tempDir();
  const { logs } = await logsIn(dir.path);
  const read = async (sessionId: string, which: Parameters<typeof logs.open>[1]) => {
    const log = await logs.open(sessionId, which);
    return [log.bytes, await buffer(log.read(0))];
  };
  expect(await read("ses_a", { stream: "stdout", run: 1 })).toEqual([5, first]);
  expect(await read("ses_a", { stream: "stderr" })).toEqual([9, Buffer.from("a warning")]);
  expect(await read("ses_a", { stream: "stdout", run: 3 })).toEqual([0, Buffer.alloc(0)]);
  expect(await read("ses_unknown", { stream: "stdout" })).toEqual([0, Buffer.alloc(0)]);
});
