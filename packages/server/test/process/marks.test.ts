import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { Marks } from "../../src/process/marks.ts";
import { type ProcessEntry, readEnvironment } from "../../src/process/process-table.ts";
import { findTree } from "../../src/process/tree.ts";
import { collect, MARK, startRun, uniqueMark } from "./support.ts";

const entry = (pid: number, changes: Partial<ProcessEntry> = {}): ProcessEntry => ({
  ...{ pid, parent: 1, group: pid, startTime: String(pid), gone: false, image: "140000" },
  ...changes,
});

const machine = Array.from({ length: 1_000 }, (_, index) => entry(index + 1));

/** Marks whose reads are recorded, and finish when the test releases them. */
function counted({ tellsImages = true } = {}) {
  const read: number[] = [];
  const pending: (() => void)[] = [];
  const marks = new Marks({
    tellsImages: () => tellsImages,
    environment(pid) {
      read.push(pid);
      const { promise, resolve } = Promise.withResolvers<string>();
      pending.push(() => resolve(`PATH=/bin\0DROVER_SESSION=ses_${pid}\0`));
      return promise;
    },
  });
  /** Releases all reads. */
  const learn = async (entries: readonly ProcessEntry[]): Promise<number[]> => {
    read.length = 0;
    let isDone = false;
    const learned = marks.learn(entries).then(() => {
      isDone = true;
    });
    while (!isDone) {
      pending.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await learned;
    return [...read];
  };
  return { marks, read, pending, learn };
}

test("the environments of a thousand processes are read at most 32 at a time, without blocking the caller", async () => {
  const { marks, read, pending } = counted();
  const learned = marks.learn(machine);
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toHaveLength(32);
  pending[0]?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toHaveLength(33);
  expect(await Promise.race([learned, "still reading"])).toBe("still reading");
});

test("an environment is read once, and again only for a new process or program", async () => {
  const { marks, learn } = counted();
  const all = machine.slice(0, 20);
  expect(await learn(all)).toHaveLength(20);
  expect(marks.of(entry(7))).toBe("ses_7");
  expect(await learn(all)).toEqual([]);
  expect(await learn([...all, entry(21), entry(3, { startTime: "later" })])).toEqual([21, 3]);
  expect(marks.of(entry(3)), "the process that had this pid before").toBeUndefined();
});

test("a process keeps its known mark when it executes another program", async () => {
  const { marks, learn } = counted();
  await learn([entry(1)]);
  const replaced = entry(1, { image: "150000" });
  expect(await learn([replaced])).toEqual([]);
  expect(marks.of(replaced)).toBe("ses_1");
});

test("concurrent callers share one read", async () => {
  const { marks, read, pending } = counted();
  const both = Promise.all([marks.learn([entry(1)]), marks.learn([entry(1)])]);
  await until(() => pending.length === 1);
  pending[0]?.();
  await both;
  expect(read).toEqual([1]);
});

test("an environment that the kernel hides is not read", async () => {
  const hidden = machine.slice(0, 20).map((one) => ({ ...one, image: "0" }));
  expect(await counted().learn(hidden)).toEqual([]);
  expect(await counted({ tellsImages: false }).learn(hidden)).toHaveLength(20);
});

test("a search does not read the environment of processes that it finds by descent", async () => {
  await using dir = await tempDir();
  const agent = await startRun({ directory: dir.path, command: "sh", args: ["-c", "sleep 1000 & wait"] });
  const read: number[] = [];
  const marks = new Marks({
    tellsImages: () => true,
    environment: (pid) => {
      read.push(pid);
      return readEnvironment(pid);
    },
  });
  const found = (await findTree(agent.identity, uniqueMark(), marks)).map(({ pid }) => pid);
  expect(found).toContain(agent.pid);
  expect(read.filter((pid) => found.includes(pid))).toEqual([]);
  expect(read, "other processes may carry the mark").not.toEqual([]);
  await agent.stop({ mark: MARK, grace: 0 });
  collect(agent);
  await agent.finished;
});

test("H10 a search is not conclusive if a process exits before its mark is read", async () => {
  const environments = new Map([[process.pid, "PATH=/bin\0"]]);
  const marks = new Marks({
    tellsImages: () => true,
    environment: async (pid) => environments.get(pid) ?? "",
  });
  // Above the kernel's largest pid, so no process has it.
  const ended = entry(2 ** 30);
  expect(await marks.learn([entry(process.pid), ended])).toBe(false);
  expect(await marks.learn([entry(process.pid)])).toBe(true);
});
