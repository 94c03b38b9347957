// Bringing another branch's commits into a session's own.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

async function conflicting(): Promise<MergeStage> {
  const at = await MergeStage.open();
  await at.commit({ "both.txt": "base\nmine\n" });
  await at.write({ "uncommitted.txt": "two\n" });
  await at.commitMain({ "both.txt": "base\ntheirs\n", "theirs.txt": "theirs\n" });
  return at;
}

test("V4 an update without conflicts is a merge commit, and the files follow", async () => {
  await using at = await MergeStage.open();
  await at.write({ "mine.txt": "mine\n" });
  await at.commitMain({ "theirs.txt": "theirs\n" });
  const updated = await at.update();
  if (!updated.ok) throw new Error(updated.error.message);
  const { commit, conflicts, target } = updated.value;
  expect([conflicts, target]).toEqual([[], await at.stage.git("rev-parse", "main")]);
  expect(await at.stage.git("rev-parse", "drover/fox")).toBe(commit);
  expect((await at.stage.git("rev-parse", `${commit}^@`)).split("\n")[1]).toBe(target);
  expect((await at.status()).tree).toBe("## drover/fox");
  expect(await at.read("theirs.txt", at.tree)).toBe("theirs\n");
  expect(await at.update()).toMatchObject({ ok: false, error: { code: "NOTHING_TO_MERGE" } });
});

test("V4 a conflict is written into the worktree; resolved, it is committed and merges; until then it is refused", async () => {
  await using at = await conflicting();
  const head = await at.stage.git("rev-parse", "drover/fox");
  const updated = await at.update();
  if (!updated.ok) throw new Error(updated.error.message);
  expect(updated.value).toMatchObject({ conflicts: ["both.txt"] });
  expect(updated.value.commit).toBeUndefined();
  expect(await at.stage.git("rev-parse", "drover/fox")).toBe(head);
  expect(await at.read("both.txt", at.tree)).toMatch(/^base\n<{7} .*\nmine\n={7}\ntheirs\n>{7} .*\n$/);
  expect(await at.read("theirs.txt", at.tree)).toBe("theirs\n");
  expect(await at.merge({ update: updated.value })).toMatchObject({
    error: { code: "MERGE_CONFLICT", facts: { files: ["both.txt"] } },
  });
  expect(await at.finishUpdate(updated.value)).toEqual({ ok: true, value: undefined });
  await at.write({ "both.txt": "base\nmine\ntheirs\n" });
  const finished = await at.finishUpdate(updated.value);
  if (!finished.ok) throw new Error(finished.error.message);
  expect(await at.stage.git("rev-parse", "drover/fox")).toBe(finished.value);
  expect((await at.stage.git("rev-parse", `${finished.value}^@`)).split("\n")).toEqual([
    head,
    await at.stage.git("rev-parse", "main"),
  ]);
  expect((await at.status()).tree).toBe("## drover/fox");
  await at.merged();
  expect(await at.read("both.txt")).toBe("base\nmine\ntheirs\n");
  expect(await at.read("uncommitted.txt")).toBe("two\n");
});

test("V4 a resolved update that is not committed yet belongs to a merge", async () => {
  await using at = await conflicting();
  const updated = await at.update();
  if (!updated.ok) throw new Error(updated.error.message);
  await at.write({ "both.txt": "base\nresolved\n" });
  await at.merged({ update: updated.value, strategy: "squash" });
  expect(await at.read("both.txt")).toBe("base\nresolved\n");
  expect(await at.status()).toEqual({ main: "## main", tree: "## drover/fox" });
});

test("V4 an update whose files were half written is finished", async () => {
  await using at = await conflicting();
  let planned: Parameters<typeof at.repeatUpdate>[0] | undefined;
  await at
    .update(async (about) => {
      planned = about;
      throw new Error("killed");
    })
    .catch(() => undefined);
  if (!planned) throw new Error("Nothing was planned");
  expect(await at.repeatUpdate(planned)).toEqual({ ok: true, value: true });
  const written = await at.read("both.txt", at.tree);
  expect(written).toContain("<<<<<<<");
  await rm(join(at.tree, "theirs.txt"));
  expect(await at.repeatUpdate(planned)).toEqual({ ok: true, value: true });
  expect(await at.read("theirs.txt", at.tree)).toBe("theirs\n");
  expect(await at.read("both.txt", at.tree)).toBe(written);
});

test("V4 markers of any size are markers, and a dry run knows that they are left", async () => {
  await using at = await MergeStage.open();
  const attributes = { ".gitattributes": "* conflict-marker-size=10\n" };
  await at.commitMain({ ...attributes, "both.txt": "theirs\n" });
  await at.write({ ...attributes, "both.txt": "mine\n" });
  const updated = await at.update();
  if (!updated.ok) throw new Error(updated.error.message);
  expect(await at.finishUpdate(updated.value)).toEqual({ ok: true, value: undefined });
  expect(await at.ask("main", at.workspace, updated.value)).toMatchObject({
    value: { mergeable: false, conflicts: ["both.txt"] },
  });
});

test("V4 conflicts without markers need a change, or an agent that was asked", async () => {
  await using at = await MergeStage.open();
  await at.commitMain({ "image.bin": Buffer.from([0, 1, 2]), "tracked.txt": "changed\n" });
  await rm(join(at.tree, "tracked.txt"));
  await at.write({ "image.bin": Buffer.from([0, 3, 4]) });
  const updated = await at.update();
  if (!updated.ok) throw new Error(updated.error.message);
  const { value } = updated;
  expect(value.conflicts).toEqual(["image.bin", "tracked.txt"]);
  expect(await at.finishUpdate(value)).toEqual({ ok: true, value: undefined });
  expect(await at.merge({ update: value })).toMatchObject({
    error: { code: "MERGE_CONFLICT", facts: { files: ["image.bin", "tracked.txt"] } },
  });
  await rm(join(at.tree, "tracked.txt"));
  expect(await at.merge({ update: value })).toMatchObject({ error: { facts: { files: ["image.bin"] } } });
  await at.merged({ update: { ...value, isAnswered: true } });
  expect(await at.stage.git("ls-tree", "--name-only", "main")).toBe("folder\nimage.bin");
});

test("V4 an update that somebody has committed already is not committed again", async () => {
  await using at = await conflicting();
  const updated = await at.update();
  if (!updated.ok) throw new Error(updated.error.message);
  await at.write({ "both.txt": "base\nresolved\n" });
  const finished = await at.finishUpdate(updated.value);
  expect(await at.finishUpdate(updated.value)).toEqual(finished);
  await at.write({ "more.txt": "more\n" });
  await at.merged({ update: updated.value });
  expect(await at.stage.git("log", "--format=%s", "main~..main^2")).not.toMatch(
    /Merge main[\s\S]*Merge main/,
  );
});

test("V4 an update is refused while another git holds the worktree's index", async () => {
  await using at = await conflicting();
  const lock = at.stage.path(".git/worktrees/fox/index.lock");
  await writeFile(lock, "");
  const locked = { ok: false, error: { code: "MERGE_REFUSED", facts: { reason: "locked" } } };
  expect(await at.update()).toMatchObject(locked);
  expect(await at.read("both.txt", at.tree)).toBe("base\nmine\n");
  await rm(lock);
  let begun: Parameters<typeof at.repeatUpdate>[0] | undefined;
  const updated = await at.update(async (about) => {
    begun = about;
    await writeFile(lock, "");
  });
  if (!begun) throw new Error("Nothing was planned");
  expect(updated).toMatchObject(locked);
  expect(await at.repeatUpdate(begun)).toMatchObject(locked);
  await rm(lock);
  expect(await at.repeatUpdate(begun)).toEqual({ ok: true, value: true });
  expect(await at.read("both.txt", at.tree)).toContain("<<<<<<<");
});
