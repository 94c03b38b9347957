import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { FileWatch } from "../../src/config/watch.ts";

interface Scene {
  readonly at: (...path: string[]) => string;
  /** The file as it was last read; undefined while it is missing. */
  readonly seen: () => string | undefined;
  /** How often it was read. */
  readonly reads: () => number;
}

async function watching(prepare: (at: Scene["at"]) => Promise<string>, act: (scene: Scene) => Promise<void>) {
  await using directory = await tempDir();
  const at = (...path: string[]) => join(directory.path, ...path);
  const file = await prepare(at);
  let seen: string | undefined;
  let reads = 0;
  const failures: unknown[] = [];
  await using _watch = new FileWatch({
    file,
    settleMs: 20,
    failed: (error) => failures.push(error),
    changed: async () => {
      seen = await readFile(file, "utf8").catch(() => undefined);
      reads += 1;
    },
  });
  await until(() => reads > 0, { what: "the first read" });
  await act({ at, seen: () => seen, reads: () => reads });
  expect(failures).toEqual([]);
}

const plain = async (at: Scene["at"]) => {
  await writeFile(at("a.yaml"), "1");
  return at("a.yaml");
};

const save = async (file: string, text: string) => {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
};

test("N10 a change is noticed however the file is saved, again and again", () =>
  watching(plain, async ({ at, seen }) => {
    expect(seen()).toBe("1");
    await writeFile(at("a.yaml"), "2");
    await until(() => seen() === "2");
    await save(at("a.yaml"), "3");
    await until(() => seen() === "3");
    await save(at("a.yaml"), "4");
    await until(() => seen() === "4");
    await writeFile(at("a.yaml"), "5");
    await until(() => seen() === "5");
  }));

test("N10 the creation and the removal of a file are noticed", () =>
  watching(
    async (at) => at("later", "a.yaml"),
    async ({ at, seen }) => {
      expect(seen()).toBeUndefined();
      await mkdir(at("later"));
      await writeFile(at("later", "a.yaml"), "1");
      await until(() => seen() === "1");
      await rm(at("later"), { recursive: true });
      await until(() => seen() === undefined);
      await mkdir(at("later"));
      await save(at("later", "a.yaml"), "2");
      await until(() => seen() === "2");
    },
  ));

test("N10 a change of any symbolic link on the path to a file is noticed", () =>
  watching(
    async (at) => {
      for (const version of ["one", "two", "three"]) {
        await mkdir(at("versions", version), { recursive: true });
        await writeFile(at("versions", version, "a.yaml"), version);
      }
      // As in containers with mounted configuration: the file and its directory are both symbolic links.
      await symlink("versions/one", at("current"));
      await symlink("current/a.yaml", at("a.yaml"));
      return at("a.yaml");
    },
    async ({ at, seen }) => {
      expect(seen()).toBe("one");
      await symlink("versions/two", at("next"));
      await rename(at("next"), at("current"));
      await until(() => seen() === "two");
      await save(at("versions", "two", "a.yaml"), "two, saved");
      await until(() => seen() === "two, saved");
      await rm(at("a.yaml"));
      await symlink(at("versions", "three", "a.yaml"), at("a.yaml"));
      await until(() => seen() === "three");
      await writeFile(at("versions", "three", "a.yaml"), "three, written");
      await until(() => seen() === "three, written");
    },
  ));

test("other changes in its directory cause no read", () =>
  watching(plain, async ({ at, seen, reads }) => {
    const before = reads();
    for (let n = 0; n < 50; n++) await writeFile(at("drover.db-wal"), String(n));
    // The watcher reports events in order, so once this is noticed, everything before it has been reported.
    await writeFile(at("a.yaml"), "2");
    await until(() => seen() === "2");
    expect(reads() - before).toBeLessThan(5);
    expect(dirname(at("a.yaml"))).toBe(at());
  }));

test("a cycle of symbolic links does not fail", () =>
  watching(
    async (at) => {
      await symlink("b.yaml", at("a.yaml"));
      await symlink("a.yaml", at("b.yaml"));
      return at("a.yaml");
    },
    async ({ at, seen }) => {
      expect(seen()).toBeUndefined();
      await save(at("b.yaml"), "1");
      await until(() => seen() === "1");
    },
  ));
