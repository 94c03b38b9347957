// The lock that Drover holds while it replaces an index, and what a server that died has left of it.
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { IndexLocked, removeAbandonedLock, replaceIndex } from "../../src/git/index-lock.ts";
import { holdIndex } from "./hold-index.ts";

test("a lock is respected while its process lives; kill -9 leaves one that the next change removes", async () => {
  await using directory = await tempDir();
  const [index, next] = [join(directory.path, "index"), join(directory.path, "next")];
  await writeFile(index, "old");
  await writeFile(next, "new");
  const holder = await holdIndex(index, next);
  await expect(replaceIndex(index, { by: next })).rejects.toBeInstanceOf(IndexLocked);
  await removeAbandonedLock(index);
  expect(existsSync(`${index}.lock`)).toBe(true);
  await holder.kill9();
  expect(existsSync(`${index}.lock`)).toBe(true);
  expect(await replaceIndex(index, { by: next })).toBe(true);
  expect(await readFile(index, "utf8")).toBe("new");
  expect((await readdir(directory.path)).sort()).toEqual(["index", "next"]);
});

test("an abandoned lock is removed without another change; a lock of git's stays", async () => {
  await using directory = await tempDir();
  const [index, next] = [join(directory.path, "index"), join(directory.path, "next")];
  await writeFile(next, "new");
  const holder = await holdIndex(index, next);
  await holder.kill9();
  await removeAbandonedLock(index);
  expect(await readdir(directory.path)).toEqual(["next"]);
  await writeFile(`${index}.lock`, "git");
  await expect(replaceIndex(index, { by: next })).rejects.toBeInstanceOf(IndexLocked);
  await removeAbandonedLock(index);
  expect(await readFile(`${index}.lock`, "utf8")).toBe("git");
});

test("an index that has changed meanwhile is left alone, and the lock is released", async () => {
  await using directory = await tempDir();
  const [index, next] = [join(directory.path, "index"), join(directory.path, "next")];
  await writeFile(index, "theirs");
  await writeFile(next, "new");
  expect(await replaceIndex(index, { by: next, isStill: async () => false })).toBe(false);
  expect(await readFile(index, "utf8")).toBe("theirs");
  expect((await readdir(directory.path)).sort()).toEqual(["index", "next"]);
});
