import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { FileWatch } from "../../src/config/watch.ts";

interface Scene {
  readonly at: (...path: string[]) => string;
  /** The file as it was seen last; undefined while it is missing. */
  readonly seen: () => string | undefined;
  /** How often it was looked at. */
  readonly looks: () => number;
}

async function watching(prepare: (at: Scene["at"]) => Promise<string>, act: (scene: Scene) => Promise<void>) {
  await using directory = await tempDir();
  const at = (...path: string[]) => join(directory.path, ...path);
  const file = await prepare(at);
  let seen: string | undefined;
  let looks = 0;
  const failures: unknown[] = [];
  await using _watch = new FileWatch({
    file,
    settleMs: 20,
    failed: (error) => failures.push(error),
    changed: async () => {
      seen = await readFile(file, "utf8").catch(() => undefined);
      looks += 1;
    },
  });
  await until(() => looks > 0, { what: "it is looked at once in the beginning" });
  await act({ at, seen: () => seen, looks: () => looks });
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

test("N10 a file is seen however it is saved, time and again", () =>
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

test("N10 a file that is missing is seen when it comes, and one that goes when it goes", () =>
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

test("N10 the links on the way to a file are followed when they lead elsewhere", () =>
  watching(
    async (at) => {
      for (const version of ["one", "two", "three"]) {
        await mkdir(at("versions", version), { recursive: true });
        await writeFile(at("versions", version, "a.yaml"), version);
      }
      // As configuration is mounted into containers: the file and its directory are both links.
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

test("what else happens in its directory makes nobody look", () =>
  watching(plain, async ({ at, seen, looks }) => {
    const before = looks();
    for (let n = 0; n < 50; n++) await writeFile(at("drover.db-wal"), String(n));
    // The watcher tells things in their order: whatever came before this has been told when this is seen.
    await writeFile(at("a.yaml"), "2");
    await until(() => seen() === "2");
    expect(looks() - before).toBeLessThan(5);
    expect(dirname(at("a.yaml"))).toBe(at());
  }));

test("a chain of links without an end is no reason to fail", () =>
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
