// A review shows what a merge would change, whatever an agent does with its history.
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

test("a merge by the agent that drops what is new in the target is shown as that", async () => {
  await using at = await MergeStage.open();
  await at.commit({ "feature.txt": "one\n" });
  const before = await at.reviewFacts();
  expect(before).toMatchObject({ files: 1, added: 1, removed: 0, ahead: 1, behind: 0 });
  await at.commitMain({ "fix.txt": "safe\n" });
  expect((await at.reviewFacts()).work).toBe(before.work);
  await at.stage.gitIn(at.tree, "merge", "-q", "-s", "ours", "--no-edit", "main");
  const after = await at.reviewFacts();
  expect(after).toMatchObject({ files: 2, added: 1, removed: 1, ahead: 2, behind: 0 });
  // The files are the same, but they mean something else.
  const merged = await at.merge({ wanted: before.work });
  expect(merged).toMatchObject({ ok: false, error: { code: "INPUT_CHANGED" } });
  expect((await at.merge({ wanted: after.work })).ok).toBe(true);
});

test("an honest merge of the target adds nothing to a review", async () => {
  await using at = await MergeStage.open();
  await at.commit({ "feature.txt": "one\n" });
  await at.commitMain({ "fix.txt": "safe\n" });
  await at.stage.gitIn(at.tree, "merge", "-q", "--no-edit", "main");
  expect(await at.reviewFacts()).toMatchObject({ files: 1, added: 1, removed: 0, behind: 0 });
});

test("what a session inherits from another branch is part of its review", async () => {
  await using at = await MergeStage.open();
  await at.commit({ "inherited.txt": "one\n" });
  const [inherited] = [await at.stage.gitIn(at.tree, "rev-parse", "HEAD")];
  at.workspace = { ...at.workspace, base: { ref: "drover/owl", commit: inherited } };
  await at.commit({ "own.txt": "two\n" });
  expect(await at.reviewFacts()).toMatchObject({ files: 2, added: 2, ahead: 2 });
});

test("with several common ancestors, everything that differs from the target is shown", async () => {
  await using at = await MergeStage.open();
  await at.commit({ "ours.txt": "one\n" });
  await at.commitMain({ "theirs.txt": "two\n" });
  const [ours, theirs] = [
    await at.stage.gitIn(at.tree, "rev-parse", "HEAD"),
    await at.stage.git("rev-parse", "main"),
  ];
  await at.stage.gitIn(at.tree, "merge", "-q", "-s", "ours", "--no-edit", theirs);
  await at.stage.git("merge", "-q", "--no-edit", ours);
  expect(await at.reviewFacts()).toMatchObject({ files: 1, added: 0, removed: 1 });
});

test.for(["merge", "squash"] as const)(
  "V2 a link that becomes a directory, or the other way round, is followed (%s)",
  async (strategy) => {
    await using at = await MergeStage.open();
    const { top } = at.stage;
    await at.writeMain({ "shared/lib.js": "shared\n", "folder/in.js": "in\n", "a.txt": "a\n" });
    await symlink("shared", join(top, "vendor"));
    await at.commitMain({});
    await at.stage.gitIn(at.tree, "merge", "-q", "--ff-only", "main");
    await rm(join(at.tree, "vendor"));
    await mkdir(join(at.tree, "vendor"));
    await writeFile(join(at.tree, "vendor", "lib.js"), "own\n");
    await rm(join(at.tree, "folder"), { recursive: true });
    await symlink("shared", join(at.tree, "folder"));
    await at.commit({ "a.txt": "b\n" });
    await at.merged({ strategy });
    expect(await at.stage.git("status", "--porcelain")).toBe("");
    expect(await at.stage.gitIn(at.tree, "status", "--porcelain")).toBe("");
    expect(await at.stage.git("cat-file", "-p", "main:vendor/lib.js")).toBe("own");
  },
);
