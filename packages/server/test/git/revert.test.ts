import { statSync } from "node:fs";
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openKeeper } from "./keeper.ts";
import type { Stage } from "./stage.ts";

/** Makes files look older than the index, so that git trusts its records of them. */
const settle = async (stage: Stage, ...names: string[]) => {
  for (const name of names) await utimes(stage.path(name), 1_000, 1_000);
};

test("files are kept byte for byte, regardless of conversions in their attributes", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.commit({
    ".gitattributes": "*.txt text eol=crlf\n*.bin filter=lfs\n",
    "a.txt": "one\r\ntwo\r\n",
  });
  await settle(stage, "a.txt");
  await stage.git("status");
  const before = await keeper.take();
  expect(await keeper.content(before, "a.txt")).toBe("one\r\ntwo");
  await stage.write({ "a.txt": "one\ntwo\r\n", "b.bin": "\0\r\n" });
  await keeper.take();
  expect(await keeper.back(before)).toMatchObject({ ok: true });
  expect(keeper.tree()["a.txt"]).toBe("one\r\ntwo\r\n");
});

test("a revert restores files that became directories and directories that became links, and follows no link", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await mkdir(stage.path("deep/er"), { recursive: true });
  await stage.write({ "deep/er/file.txt": "deep\n", "run.sh": "#!/bin/sh\n", link: "" });
  await rm(stage.path("link"));
  await symlink("tracked.txt", stage.path("link"));
  await chmod(stage.path("run.sh"), 0o700);
  const before = await keeper.take();
  const tree = keeper.tree();
  const outside = stage.beside("outside");
  await mkdir(outside);
  await writeFile(`${outside}/file.txt`, "outside\n");
  await writeFile(`${outside}/inner.txt`, "outside\n");
  await rm(stage.path("tracked.txt"));
  await mkdir(stage.path("tracked.txt"));
  await stage.write({ "tracked.txt/inside.txt": "inside\n" });
  await rm(stage.path("deep"), { recursive: true });
  await symlink(outside, stage.path("deep"));
  await rename(stage.path("folder"), stage.path("moved"));
  await symlink(outside, stage.path("folder"));
  await chmod(stage.path("run.sh"), 0o644);
  const changed = keeper.tree();
  const after = await keeper.take();
  expect(await keeper.files(after)).toEqual([
    "deep",
    "folder",
    "link",
    "moved/inner.txt",
    "run.sh",
    "tracked.txt/inside.txt",
  ]);
  expect(await keeper.back(before)).toMatchObject({ ok: true });
  expect(keeper.tree()).toEqual(tree);
  expect(await keeper.back(after)).toMatchObject({ ok: true });
  expect(keeper.tree()).toEqual(changed);
  expect(await stage.gitIn(outside, "hash-object", "file.txt", "inner.txt")).toBe(
    await stage.gitIn(outside, "hash-object", "file.txt", "file.txt"),
  );
});

test("a renamed file that differs only in case is kept under its new name", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  const before = await keeper.take();
  await rename(stage.path("tracked.txt"), stage.path("Tracked.txt"));
  expect(await keeper.files(await keeper.take())).toEqual(["Tracked.txt", "folder/inner.txt"]);
  expect(await keeper.back(before)).toMatchObject({ ok: true });
  expect(Object.keys(keeper.tree())).toEqual(["folder/inner.txt", "tracked.txt"]);
});

test("a revert does not overwrite a new ignored file", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  const before = await keeper.take();
  await rm(stage.path("tracked.txt"));
  await stage.write({ ".gitignore": "tracked.txt\n" });
  await keeper.take();
  await stage.write({ "tracked.txt": "precious\n" });
  expect(await keeper.back(before, { force: true })).toMatchObject({
    ok: false,
    error: { code: "REVERT_CONFLICT", facts: { files: ["tracked.txt"] } },
  });
  expect(keeper.tree()["tracked.txt"]).toBe("precious\n");
});

test("a file keeps its permissions when its content is reverted", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await chmod(stage.path("tracked.txt"), 0o600);
  const before = await keeper.take();
  await stage.write({ "tracked.txt": "other\n" });
  await keeper.back(before);
  expect(await stage.git("-c", "core.fileMode=true", "status", "--porcelain")).toBe("");
  expect(statSync(stage.path("tracked.txt")).mode & 0o777).toBe(0o600);
});

test("file names with arbitrary bytes are kept", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  const before = await keeper.take();
  const name = Buffer.concat([Buffer.from(`${stage.top}/`), Buffer.from([0x61, 0xe9, 0x0a, 0x22])]);
  await writeFile(name, "x");
  const { isNew, skipped } = await keeper.take();
  expect([isNew, skipped]).toEqual([true, []]);
  expect(await keeper.back(before)).toMatchObject({ ok: true, value: { files: ['a⟨0xE9⟩\n"'] } });
  expect(Object.keys(keeper.tree())).toEqual(["folder/inner.txt", "tracked.txt"]);
});
