import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { mkfifoSync } from "./fifo.ts";
import { openKeeper } from "./keeper.ts";
import { ordinaryUser, Reader } from "./stage.ts";

test("a clean working tree's checkpoint is its commit, and an unchanged tree gets the same checkpoint again", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  expect(await keeper.take()).toEqual({
    commit: await stage.git("rev-parse", "HEAD"),
    isNew: false,
    skipped: [],
  });
  await stage.write({ "new.txt": "new\n", "tracked.txt": "other\n" });
  await rm(stage.path("folder/inner.txt"));
  const first = await keeper.take();
  expect(first).toMatchObject({ isNew: true, skipped: [] });
  expect(await keeper.files(first)).toEqual(["new.txt", "tracked.txt"]);
  expect(await keeper.take()).toEqual({ ...first, isNew: false });
});

test("a repository without commits has checkpoints as well", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await rm(stage.path(".git"), { recursive: true });
  await stage.git("init", "-q");
  expect(await keeper.files(await keeper.take())).toEqual(["folder/inner.txt", "tracked.txt"]);
});

test("staged, unmerged and intent-to-add files are kept as they are in the working tree", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.git("checkout", "-q", "-b", "other");
  await stage.commit({ "tracked.txt": "theirs\n" });
  await stage.git("checkout", "-q", "main");
  await stage.commit({ "tracked.txt": "ours\n" });
  await stage.git("merge", "other").catch(() => undefined);
  await stage.write({ "intended.txt": "intended\n", "staged.txt": "staged\n" });
  await stage.git("add", "-N", "intended.txt");
  await stage.git("add", "staged.txt");
  const taken = await keeper.take();
  expect(await keeper.content(taken, "tracked.txt")).toContain("<<<<<<<");
  expect(await keeper.files(taken)).toEqual([
    "folder/inner.txt",
    "intended.txt",
    "staged.txt",
    "tracked.txt",
  ]);
});

test("ignored files and Drover's own files are not part of a checkpoint", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  for (const name of ["node_modules", ".drover", ".drover-worktrees"]) await mkdir(stage.path(name));
  await writeFile(stage.path(".git/info/exclude"), "secret.txt\n").catch(async () => {
    await mkdir(stage.path(".git/info"));
    await writeFile(stage.path(".git/info/exclude"), "secret.txt\n");
  });
  await stage.write({
    ".gitignore": "node_modules/\n",
    "secret.txt": "x",
    "node_modules/a.js": "x",
    ".drover/demo.log": "x",
    ".drover-worktrees/b": "x",
  });
  expect(await keeper.files(await keeper.take())).toEqual([".gitignore", "folder/inner.txt", "tracked.txt"]);
});

test("T4 large, special and unreadable files and other repositories are skipped, listed, and never reverted", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  const before = await keeper.take();
  await mkdir(stage.path("nested"));
  await stage.gitIn(stage.path("nested"), "init", "-q");
  await stage.write({
    "nested/file.txt": "x",
    "large.bin": "x".repeat(2_000),
    "tracked.txt": "y".repeat(2_000),
  });
  await rm(stage.path("folder/inner.txt"));
  mkfifoSync(stage.path("folder/inner.txt"));
  const now = await keeper.take();
  expect(now.skipped).toEqual([
    { path: "folder/inner.txt", reason: "special" },
    { path: "tracked.txt", reason: "too_large" },
    { path: "large.bin", reason: "too_large" },
    { path: "nested/", reason: "repository" },
  ]);
  expect(now.commit).toBe(before.commit);
  await stage.write({ "new.txt": "new\n" });
  expect(await keeper.back(before, { force: true })).toMatchObject({
    ok: true,
    value: { files: ["new.txt"] },
  });
  expect(Object.keys(keeper.tree())).toContain("large.bin");
  expect(keeper.tree()["tracked.txt"]).toHaveLength(2_000);
});

test("T4 an unreadable file is skipped and listed, and the others are kept", async () => {
  await using opened = await openKeeper();
  const { stage } = opened;
  await stage.write({ "locked.txt": "x" });
  await stage.giveTo(ordinaryUser);
  await chmod(stage.path("locked.txt"), 0);
  // Root can read everything.
  await using reader = new Reader(ordinaryUser);
  const request = { cwd: stage.top, home: stage.home, gitTimeoutMs: 20_000 };
  expect(await reader.ask("keep", request)).toEqual({
    files: ["probe.txt"],
    skipped: [{ path: "locked.txt", reason: "unreadable" }],
  });
});

test("files left out by a sparse checkout don't count as deleted, even after the sparse checkout changes", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await mkdir(stage.path("far"));
  await stage.commit({ "far/away.txt": "far\n" });
  await stage.git("sparse-checkout", "set", "--cone", "folder");
  expect(await keeper.files(await keeper.take())).toEqual([
    "far/away.txt",
    "folder/inner.txt",
    "tracked.txt",
  ]);
  await stage.git("sparse-checkout", "set", "--cone", "far");
  await stage.write({ "new.txt": "new\n" });
  const taken = await keeper.take();
  expect(await keeper.files(taken)).toEqual(["far/away.txt", "folder/inner.txt", "new.txt", "tracked.txt"]);
});

test("a rename that changes only the case of a name is kept under the new name alone", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await keeper.take();
  await rename(stage.path("tracked.txt"), stage.path("Tracked.txt"));
  expect(await keeper.files(await keeper.take())).toEqual(["Tracked.txt", "folder/inner.txt"]);
});

test("a submodule is kept as its commit", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  const library = stage.beside("library");
  await mkdir(library);
  await stage.gitIn(library, "init", "-q");
  await writeFile(`${library}/file.txt`, "one\n");
  await stage.gitIn(library, "add", "-A");
  await stage.gitIn(library, "commit", "-q", "-m", "one");
  await stage.git("submodule", "-q", "add", library, "library");
  await stage.git("commit", "-q", "-m", "a submodule");
  const before = await keeper.take();
  await stage.gitIn(stage.path("library"), "commit", "-q", "--allow-empty", "-m", "two");
  const after = await keeper.take();
  expect([before.skipped, after.skipped]).toEqual([[], []]);
  expect(await stage.git("rev-parse", `${after.commit}:library`)).toBe(
    await stage.gitIn(stage.path("library"), "rev-parse", "HEAD"),
  );
});

test("a broken index, a leftover lock and pruned objects only make the next checkpoint slower", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.write({ "new.txt": "new\n" });
  await keeper.take();
  await writeFile(`${keeper.directory}/index.lock`, "");
  expect((await keeper.take()).isNew).toBe(false);
  await writeFile(`${keeper.directory}/index`, "nonsense");
  expect(await keeper.files(await keeper.take())).toContain("new.txt");
  await stage.git("gc", "-q", "--prune=now");
  expect(await keeper.files(await keeper.take())).toContain("new.txt");
});
