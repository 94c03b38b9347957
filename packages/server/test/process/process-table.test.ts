import { expect, test } from "vitest";
import { readEntries } from "../../src/process/process-table.ts";

test("Callers that come while the processes are listed share the next list", async () => {
  const running = readEntries();
  const waiting = Array.from({ length: 50 }, () => readEntries());
  expect(new Set(waiting).size).toBe(1);
  expect(waiting[0]).not.toBe(running);
  const [first, second] = await Promise.all([running, waiting[0]]);
  expect(first).not.toBe(second);
  expect(second?.some(({ pid }) => pid === process.pid)).toBe(true);
  expect(await readEntries()).not.toBe(second);
});

test("A list that is recent enough is used again", async () => {
  const first = readEntries();
  await first;
  expect(readEntries(60_000)).toBe(first);
});
