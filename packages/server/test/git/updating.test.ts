// Bringing another branch's commits into a session's own.
import { rm } from "node:fs/promises";
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
