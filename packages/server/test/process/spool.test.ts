import { closeSync, openSync, readdirSync, readlinkSync, writeSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { SpoolReader } from "../../src/process/spool.ts";

const MIB = 1024 * 1024;
const unexpected = (error: unknown): never => {
  throw error;
};

test("every byte from the offset on is delivered once, in order, as the file grows", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  await writeFile(path, "skipped|first ");
  const seen: string[] = [];
  const onChunk = (chunk: Buffer, start: number): void => void seen.push(`${start}:${chunk}`);
  using reader = new SpoolReader({ path, offset: 8, onChunk, onError: unexpected });
  await reader.drain();
  expect(seen).toEqual(["8:first "]);

  await appendFile(path, "second");
  await until(() => reader.position === 20);
  expect(seen).toEqual(["8:first ", "14:second"]);
  expect(reader.lag()).toBe(0);
});

test("chunks are at most 1 MiB, are delivered one at a time, and may be kept", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  const content = Buffer.alloc(5 * MIB + 123);
  for (let at = 0; at < content.length; at++) content[at] = at % 251;
  await writeFile(path, content);
  const chunks: Buffer[] = [];
  let running = 0;
  const onChunk = async (chunk: Buffer): Promise<void> => {
    running += 1;
    expect(running).toBe(1);
    await new Promise(setImmediate);
    chunks.push(chunk);
    running -= 1;
  };
  using reader = new SpoolReader({ path, offset: 0, onChunk, onError: unexpected });
  await reader.drain();
  expect(chunks.every((chunk) => chunk.length <= MIB)).toBe(true);
  expect(Buffer.concat(chunks).equals(content)).toBe(true);
});

test("lag counts the bytes the handler has not finished, and drain waits for them", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  await writeFile(path, "12345");
  const gate = Promise.withResolvers<void>();
  using reader = new SpoolReader({ path, offset: 0, onChunk: () => gate.promise, onError: unexpected });
  let drained = false;
  const drain = reader.drain().then(() => {
    drained = true;
  });
  await appendFile(path, "678");
  expect(reader.lag()).toBe(8);
  expect(reader.position).toBe(0);
  expect(drained).toBe(false);
  gate.resolve();
  await drain;
  await reader.drain();
  expect(reader.lag()).toBe(0);
});

test("nothing is delivered after close, and a drain that cannot complete rejects", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  await writeFile(path, "one");
  const gate = Promise.withResolvers<void>();
  let chunks = 0;
  const onChunk = (): Promise<void> => {
    chunks += 1;
    return gate.promise;
  };
  const reader = new SpoolReader({ path, offset: 0, onChunk, onError: unexpected });
  const drain = reader.drain();
  await until(() => chunks === 1);
  await appendFile(path, "two");
  reader.close();
  await expect(drain).rejects.toThrow("closed before");
  gate.resolve();
  await expect(reader.drain()).rejects.toThrow("closed before");
  expect(chunks).toBe(1);
});

test("a read in progress when the reader is closed is not delivered, and its descriptor is closed", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  await writeFile(path, Buffer.alloc(MIB));
  let chunks = 0;
  const reader = new SpoolReader({ path, offset: 0, onChunk: () => void chunks++, onError: unexpected });
  const isOpen = (): boolean =>
    readdirSync("/proc/self/fd").some((fd) => readlinkOrNothing(`/proc/self/fd/${fd}`) === path);
  // The first read starts before this function continues, and finishes in a later turn of the event loop.
  await Promise.resolve();
  reader.close();
  expect(isOpen()).toBe(true);
  await until(() => !isOpen());
  expect(chunks).toBe(0);
});

function readlinkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

test("a failing handler closes the reader and is reported once", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  await writeFile(path, "x");
  const errors: unknown[] = [];
  const onChunk = (): never => {
    throw new Error("a bug");
  };
  const reader = new SpoolReader({ path, offset: 0, onChunk, onError: (error) => errors.push(error) });
  await expect(reader.drain()).rejects.toThrow("closed before");
  await until(() => errors.length === 1);
  expect(String(errors[0])).toBe("Error: a bug");
});

test("a writer that never pauses does not block the event loop", async () => {
  await using dir = await tempDir();
  const path = join(dir.path, "stdout");
  await writeFile(path, "");
  const writer = openSync(path, "a");
  let turned = false;
  let chunks = 0;
  // Each read finds the next chunk already written, so the reader never reaches the end.
  const onChunk = (): void => {
    chunks += 1;
    if (!turned) writeSync(writer, "again");
  };
  using reader = new SpoolReader({ path, offset: 0, onChunk, onError: unexpected });
  setImmediate(() => {
    turned = true;
  });
  writeSync(writer, "first");
  await until(() => turned && reader.lag() === 0);
  expect(chunks).toBeGreaterThan(0);
  closeSync(writer);
});
