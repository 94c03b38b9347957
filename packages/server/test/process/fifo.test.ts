import { closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { FifoWriter, makeFifo } from "../../src/process/fifo.ts";
import { MARK, startRun } from "./support.ts";

/** More than a pipe holds (64 KiB), so that writing it requires a reader. */
const PROMPT = "p".repeat(768 * 1024);

interface Pipe extends Disposable {
  readonly path: string;
  /** Reads up to `length` bytes that are in the pipe now. */
  read(length: number): Buffer;
  readonly reader: number;
}

async function pipe(directory: string): Promise<Pipe> {
  const path = join(directory, "fifo");
  await makeFifo(path);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return {
    path,
    reader,
    read(length) {
      const buffer = Buffer.alloc(length);
      try {
        return buffer.subarray(0, readSync(reader, buffer));
      } catch {
        return Buffer.alloc(0);
      }
    },
    [Symbol.dispose]: () => closeSync(reader),
  };
}

test("a FIFO is private to its owner", async () => {
  await using dir = await tempDir();
  using fifo = await pipe(dir.path);
  expect(statSync(fifo.path).isFIFO()).toBe(true);
  expect(statSync(fifo.path).mode & 0o777).toBe(0o600);
});

test("a write resolves only once the kernel has taken all of it", async () => {
  await using dir = await tempDir();
  using fifo = await pipe(dir.path);
  using writer = FifoWriter.open(fifo.path);
  let taken = false;
  const write = writer.write(PROMPT).then(() => {
    taken = true;
  });
  const received: Buffer[] = [];
  let length = 0;
  while (length < PROMPT.length) {
    // After this much is read, the remaining bytes fit in the pipe.
    if (length < PROMPT.length - 128 * 1024) expect(taken).toBe(false);
    const bytes = fifo.read(16 * 1024);
    received.push(bytes);
    length += bytes.length;
    await new Promise(setImmediate);
  }
  await write;
  expect(Buffer.concat(received).toString()).toBe(PROMPT);
  expect(writer.pending).toBe(0);
});

test("without a reader opening fails, and a reader that exits fails pending writes", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "fifo");
  await makeFifo(path);
  expect(() => FifoWriter.open(path)).toThrow(
    expect.objectContaining({ name: "FifoError", code: "NO_READER" }),
  );

  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  using writer = FifoWriter.open(path);
  const write = writer.write(PROMPT);
  closeSync(reader);
  await expect(write).rejects.toMatchObject({ name: "FifoError", code: "NO_READER" });
  await expect(writer.write("more")).rejects.toMatchObject({ code: "NO_READER" });
});

test("close does not wait for a stalled reader, and unsent writes reject", async () => {
  await using dir = await tempDir();
  using fifo = await pipe(dir.path);
  const writer = FifoWriter.open(fifo.path);
  const writes = [writer.write(PROMPT), writer.write("second")];
  writer.close();
  for (const write of writes) await expect(write).rejects.toMatchObject({ code: "CLOSED" });
  await expect(writer.write("third")).rejects.toMatchObject({ code: "CLOSED" });
});

test("pending writes are limited: a write over the limit is rejected as a whole", async () => {
  await using dir = await tempDir();
  using fifo = await pipe(dir.path);
  using writer = FifoWriter.open(fifo.path, 1_000_000);
  const first = writer.write(PROMPT);
  expect(writer.pending).toBe(PROMPT.length);
  await expect(writer.write(PROMPT)).rejects.toMatchObject({ code: "FULL" });
  expect(writer.pending).toBe(PROMPT.length);
  const small = writer.write("still fits");
  writer.close();
  await expect(first).rejects.toMatchObject({ code: "CLOSED" });
  await expect(small).rejects.toMatchObject({ code: "CLOSED" });
});

test("four agents that never read their input block no file operation and can be stopped", async () => {
  await using dir = await tempDir();
  const agents = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      startRun({ directory: join(dir.path, `${n}`), command: "sleep", args: ["1000"] }),
    ),
  );
  const settled = new Set<number>();
  const writes = agents.map((agent, n) => agent.write(PROMPT).finally(() => settled.add(n)));
  for (const write of writes) write.catch(() => undefined);

  const file = join(dir.path, "file");
  // If a write occupied one of the few I/O threads, these would never finish.
  for (let n = 0; n < 100; n++) {
    await writeFile(file, `${n}`);
    expect(await readFile(file, "utf8")).toBe(`${n}`);
  }
  expect(settled.size).toBe(0);

  for (const agent of agents) agent.lines(() => undefined);
  await Promise.all(agents.map((agent) => agent.stop({ mark: MARK, grace: 1000 })));
  await Promise.all(agents.map((agent) => agent.finished));
  for (const write of writes) await expect(write).rejects.toMatchObject({ name: "FifoError" });
});
