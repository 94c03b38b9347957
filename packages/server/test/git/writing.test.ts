import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeRepository } from "../../src/git/describe.ts";
import { idIn, objectWriter } from "../../src/git/object-writer.ts";
import { fillDirectory } from "../../src/git/private-directory.ts";
import { readRefs, updateRefs } from "../../src/git/refs.ts";
import { Stage } from "./stage.ts";

async function open(stage: Stage) {
  const { signal } = new AbortController();
  const run = { environment: { PATH: process.env["PATH"] ?? "", HOME: stage.home }, signal };
  const { layout, settings } = await describeRepository({ cwd: stage.top, ...run });
  const directory = join(stage.home, "private");
  await mkdir(directory);
  await fillDirectory(directory, { layout, settings });
  return { run, layout, writer: objectWriter(layout, { ...run, directory }) };
}

test("objects are written to the repository's own store, and nothing else in it changes", async () => {
  await using stage = await Stage.open();
  await stage.write({ "new.txt": "new\n" });
  const before = stage.everything().filter((line) => !line.includes("/.git/objects"));
  const { writer } = await open(stage);
  await writer.run({ args: ["update-index", "--add", "-z", "--stdin"], input: Buffer.from("new.txt\0") });
  const commit = await writer.commit(idIn(await writer.run({ args: ["write-tree"] })), { message: "kept" });
  expect(stage.everything().filter((line) => !line.includes("/.git/objects"))).toEqual(before);
  await rm(join(stage.home, "private"), { recursive: true });
  expect(await stage.git("show", "--format=%an %s", commit, "--", "new.txt")).toMatch(
    /^Drover kept\n.*\+new$/s,
  );
});

test("refs change together, and only if they still have their expected values", async () => {
  await using stage = await Stage.open();
  const { run, layout } = await open(stage);
  const [one = "", two = ""] = [
    await stage.git("rev-parse", "HEAD"),
    await stage.git("rev-parse", "HEAD^{tree}"),
  ];
  const [a, b] = ["refs/drover/a", "refs/drover/b"] as const;
  const update = (...changes: Parameters<typeof updateRefs>[1]) => updateRefs(layout, changes, run);
  const refs = async () => Object.fromEntries(await readRefs(layout, "refs/drover/", run));
  expect(await update({ ref: a, to: one, from: null })).toBe(true);
  expect(await update({ ref: b, to: two }, { ref: a, to: two, from: null })).toBe(false);
  expect(await refs()).toEqual({ [a]: one });
  expect(await update({ ref: b, to: two }, { ref: a, to: two, from: one })).toBe(true);
  expect(await refs()).toEqual({ [a]: two, [b]: two });
  expect(await update({ ref: a, to: null, from: one })).toBe(false);
  expect(await update({ ref: a, to: null, from: two }, { ref: b, to: null })).toBe(true);
  expect(await refs()).toEqual({});
});

test("a stored git directory is used even if the working tree's .git now leads elsewhere", async () => {
  await using stage = await Stage.open();
  const { run, layout } = await open(stage);
  const head = await readFile(stage.path(".git/HEAD"), "utf8");
  const other = stage.beside("other");
  await stage.gitIn(stage.home, "init", "-q", other);
  await stage.git("config", "core.worktree", other);
  const worktree = stage.beside("linked");
  await mkdir(worktree);
  await writeFile(join(worktree, ".git"), `gitdir: ${other}/.git\n`);
  const linked = { top: worktree, gitDirectory: layout.gitDirectory };
  const id = await stage.git("rev-parse", "HEAD");
  expect(await updateRefs(linked, [{ ref: "refs/drover/a", to: id }], run)).toBe(true);
  expect(await stage.git("rev-parse", "refs/drover/a")).toBe(id);
  const described = await describeRepository({ cwd: worktree, ...run }, linked);
  expect(described.layout.gitDirectory).toBe(layout.gitDirectory);
  expect(await readFile(stage.path(".git/HEAD"), "utf8")).toBe(head);
});
