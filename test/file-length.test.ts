import { glob, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = dirname(import.meta.dirname);
const limit = 250;

/** Directories without maintained files: hidden ones, and those in `.gitignore`. */
const skipped = /^(node_modules|dist|test-results|\..+)$/;

const countLines = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

async function readLengths(): Promise<Map<string, number>> {
  const lengths = new Map<string, number>();
  const exclude = (path: string) => skipped.test(basename(path));
  for await (const path of glob("**/*.{ts,tsx,css}", { cwd: root, exclude })) {
    lengths.set(path, countLines(await readFile(join(root, path), "utf8")));
  }
  return lengths;
}

test(`no file has more than ${limit} lines`, async () => {
  const lengths = await readLengths();
  for (const known of ["vitest.config.ts", "test/file-length.test.ts", "packages/server/src/app.ts"]) {
    expect(lengths.has(known), known).toBe(true);
  }
  const tooLong = [...lengths].filter(([, lines]) => lines > limit);
  expect(tooLong).toEqual([]);
});

/** More files than this need folders of their own, each for one thing. */
const perFolder = 10;

test(`no folder of the engine has more than ${perFolder} files`, async () => {
  const engine = join("packages", "server", "src", "engine");
  const folders = new Map<string, number>();
  for (const path of (await readLengths()).keys()) {
    const folder = dirname(path);
    if (`${folder}/`.startsWith(`${engine}/`)) folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  expect(folders.size).toBeGreaterThan(5);
  expect([...folders].filter(([, files]) => files > perFolder)).toEqual([]);
});

test.for<[string, number]>([
  ["a", 1],
  ["a\n", 1],
  ["a\nb", 2],
  ["a\n\n", 2],
])("%j has %i lines", ([text, lines]) => {
  expect(countLines(text)).toBe(lines);
});
