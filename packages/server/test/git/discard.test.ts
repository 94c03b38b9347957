import { chmod, mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { updateRefs } from "../../src/git/refs.ts";
import { discard, unstage } from "../../src/workspace/discard.ts";
import { revert } from "../../src/workspace/revert.ts";
import { openKeeper } from "./keeper.ts";

const numbers = (...changed: [number, string][]) =>
  Array.from({ length: 30 }, (_, n) => `${new Map(changed).get(n) ?? n}\n`).join("");

test("chosen files go back to the last commit, in the index too; the others stay, and the discard can be reverted", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({ "tracked.txt": "first\n", "gone.txt": "gone\n" });
  await stage.write({ "tracked.txt": "second\n", "folder/inner.txt": "other\n", "staged.txt": "staged\n" });
  await stage.write({ "folder/new.txt": "new\n", "loose.txt": "loose\n" });
  await rm(stage.path("gone.txt"));
  await stage.git("add", "tracked.txt", "staged.txt", "gone.txt");
  const before = await keeper.take();
  const tree = keeper.tree();
  const files = ["folder/inner.txt", "folder/new.txt", "gone.txt", "staged.txt", "tracked.txt"];
  expect(await keeper.discard({ paths: ["folder", "gone.txt", "staged.txt", "tracked.txt"] })).toMatchObject({
    ok: true,
    value: { files },
  });
  expect(keeper.tree()).toEqual({
    "folder/inner.txt": "inner\n",
    "gone.txt": "gone\n",
    "loose.txt": "loose\n",
    "tracked.txt": "first\n",
  });
  expect(await stage.git("status", "--porcelain")).toBe("?? loose.txt");
  await keeper.back(before);
  expect(keeper.tree()).toEqual(tree);
});

test("a discard that was cut off before it changed the index is completed; what was staged since stays", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({ "tracked.txt": "first\n", "gone.txt": "gone\n", "later.txt": "first\n" });
  await stage.write({ "tracked.txt": "second\n", "staged.txt": "staged\n", "later.txt": "second\n" });
  await rm(stage.path("gone.txt"));
  await stage.git("add", "-A");
  const before = await keeper.take();
  await stage.write({ "tracked.txt": "first\n", "gone.txt": "gone\n", "later.txt": "third\n" });
  await rm(stage.path("staged.txt"));
  await stage.git("add", "later.txt");
  await stage.write({ "later.txt": "first\n" });
  const after = await keeper.take();
  const place = { ...keeper.place(), cwd: stage.cwd, scratch: join(stage.home, "scratch") };
  await unstage(place, { before: before.commit, after: after.commit });
  expect(await stage.git("status", "--porcelain")).toBe("MM later.txt");
});

test("paths are relative to the session's directory, and files without changes are refused", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.write({ "folder/inner.txt": "changed\n", "tracked.txt": "changed\n" });
  stage.cwd = stage.path("folder");
  expect(await keeper.discard({ paths: ["none.txt"] })).toMatchObject({ error: { code: "BAD_REQUEST" } });
  expect(await keeper.discard({ paths: ["../tracked.txt"] })).toMatchObject({
    error: { code: "BAD_REQUEST" },
  });
  expect(await keeper.discard({ paths: ["."] })).toMatchObject({ value: { files: ["inner.txt"] } });
  expect(keeper.tree()).toEqual({ "folder/inner.txt": "inner\n", "tracked.txt": "changed\n" });
});

test.each(["first\n", "third\n", undefined])(
  "content that is only staged is never discarded; the file: %j",
  async (content) => {
    await using opened = await openKeeper();
    const { stage, keeper } = opened;
    await stage.write({ "tracked.txt": "staged\n", "folder/inner.txt": "changed\n" });
    await stage.git("add", "tracked.txt");
    if (content === undefined) await rm(stage.path("tracked.txt"));
    else await stage.write({ "tracked.txt": content });
    const [tree, status] = [keeper.tree(), await stage.git("status", "--porcelain")];
    expect(await keeper.discard({ paths: ["."] })).toMatchObject({
      error: { code: "DISCARD_CONFLICT", facts: { files: ["tracked.txt"] } },
    });
    expect(await stage.git("show", ":tracked.txt")).toBe("staged");
    expect([keeper.tree(), await stage.git("status", "--porcelain")]).toEqual([tree, status]);
  },
);

test("a staged mode or deletion is no content: it is discarded from the index", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.git("update-index", "--chmod=+x", "tracked.txt");
  await stage.git("rm", "-q", "--cached", "folder/inner.txt");
  expect(await keeper.discard({ paths: ["."] })).toMatchObject({ value: { files: [] } });
  expect(await stage.git("status", "--porcelain")).toBe("");
});

test("once `.git` has become a link, nothing changes in the repository it leads to", async () => {
  await using opened = await openKeeper();
  await using other = await openKeeper();
  const { stage, keeper } = opened;
  const before = await keeper.take();
  await rename(stage.path(".git"), stage.beside("moved"));
  await symlink(other.stage.path(".git"), stage.path(".git"));
  await other.stage.write({ "tracked.txt": "theirs\n" });
  await other.stage.git("add", "-A");
  await stage.write({ "tracked.txt": "evil\n" });
  const theirs = other.stage.everythingKept();
  const forged = { name: "ForgedTree" };
  await expect(keeper.take()).rejects.toMatchObject(forged);
  const { cwd, home } = stage;
  const place = { ...keeper.place(), cwd, scratch: join(home, "scratch") };
  await expect(discard(place, { now: before, paths: ["tracked.txt"] })).rejects.toMatchObject(forged);
  const request = { before: before.commit, after: before.commit, now: before, force: true, paths: undefined };
  await expect(revert(keeper.place(), request)).rejects.toMatchObject(forged);
  const repository = { top: stage.top, gitDirectory: stage.path(".git") };
  const change = { ref: "refs/drover/x/y/before", to: await other.stage.git("rev-parse", "HEAD") };
  await expect(updateRefs(repository, [change], keeper.place())).rejects.toMatchObject(forged);
  expect(other.stage.everythingKept()).toEqual(theirs);
  expect(keeper.tree()["tracked.txt"]).toBe("evil\n");
});

test("one hunk is taken out; the others stay, staged or not", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({ "numbers.txt": numbers() });
  await stage.write({ "numbers.txt": numbers([2, "two"], [25, "many"]) });
  await stage.git("add", "-A");
  const diff = `${await stage.git("diff", "HEAD")}\n`;
  const [header = "", , second = ""] = diff.split(/^(?=@@ )/m);
  expect(await keeper.discard({ patch: header + second })).toMatchObject({
    value: { files: ["numbers.txt"] },
  });
  expect(keeper.tree()["numbers.txt"]).toBe(numbers([2, "two"]));
  expect(await stage.git("diff")).toBe("");
  expect(await keeper.discard({ patch: header + second })).toMatchObject({
    error: { code: "DISCARD_CONFLICT", facts: { files: ["numbers.txt"] } },
  });
  expect(await keeper.discard({ patch: "say hello\n" })).toMatchObject({ error: { code: "BAD_REQUEST" } });
  const evil = (second: string) => header.replaceAll("numbers.txt", second) + diff.split(/^(?=@@ )/m)[1];
  for (const name of ["../outside.txt", ".git/config", "link/outside.txt"])
    expect(await keeper.discard({ patch: evil(name) })).toMatchObject({
      error: { code: "DISCARD_CONFLICT" },
    });
});

test("a hunk of a renamed or now executable file leaves name and mode alone; that of a new file removes it", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({ "folder/number s.txt": numbers() });
  await rename(stage.path("folder/number s.txt"), stage.path("folder/ren amed.txt"));
  await stage.write({ "folder/ren amed.txt": numbers([2, "two"]), "folder/new.txt": "new\n" });
  await chmod(stage.path("folder/ren amed.txt"), 0o755);
  stage.cwd = stage.path("folder");
  await stage.git("add", "-AN");
  const patch = `${await stage.gitIn(stage.cwd, "diff", "--relative", "HEAD", "--", "number s.txt", "ren amed.txt")}\n`;
  expect(patch).toContain("rename from");
  expect(await keeper.discard({ patch })).toMatchObject({ value: { files: ["ren amed.txt"] } });
  expect(keeper.tree()["folder/ren amed.txt"]).toBe(`*${numbers()}`);
  const added = `${await stage.gitIn(stage.cwd, "diff", "--relative", "HEAD", "--", "new.txt")}\n`;
  expect(await keeper.discard({ patch: added })).toMatchObject({ value: { files: ["new.txt"] } });
  expect(Object.keys(keeper.tree())).not.toContain("folder/new.txt");
});

test("where git converts line endings, files get those of the working tree", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  const crlf = (text: string) => text.replaceAll("\n", "\r\n");
  await stage.commit({ ".gitattributes": "*.txt text eol=crlf\n", "numbers.txt": crlf(numbers()) });
  await stage.write({ "numbers.txt": crlf(numbers([2, "two"], [25, "many"])), "tracked.txt": "changed\r\n" });
  expect(await keeper.discard({ paths: ["tracked.txt"] })).toMatchObject({
    value: { files: ["tracked.txt"] },
  });
  expect(keeper.tree()["tracked.txt"]).toBe("first\r\n");
  const [header = "", first = ""] = `${await stage.git("diff", "HEAD")}\n`.split(/^(?=@@ )/m);
  expect(await keeper.discard({ patch: header + first })).toMatchObject({ ok: true });
  expect(keeper.tree()["numbers.txt"]).toBe(crlf(numbers([25, "many"])));
});

test("what no checkpoint has is never discarded, and no link is followed", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.write({ "tracked.txt": "x".repeat(2_000) });
  expect(await keeper.discard({ paths: ["tracked.txt"] })).toMatchObject({
    error: { code: "DISCARD_CONFLICT", facts: { files: ["tracked.txt"] } },
  });
  await mkdir(stage.beside("outside"));
  await rm(stage.path("folder"), { recursive: true });
  await symlink(stage.beside("outside"), stage.path("folder"));
  expect(await keeper.discard({ paths: ["folder"] })).toMatchObject({
    value: { files: ["folder", "folder/inner.txt"] },
  });
  expect(keeper.tree()["folder/inner.txt"]).toBe("inner\n");
});
