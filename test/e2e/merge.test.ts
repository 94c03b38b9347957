// What a merge of a session's work would do, as people and programs see it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommitList } from "@drover/core";
import { expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { drover, openSession } from "./support.ts";
import { git, inWorktree, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({});

test("V1 drover merge --dry-run says what a merge would do, and the exit code whether it is possible", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const merge = (...args: string[]) => drover(rig.home, "merge", "fox", "--dry-run", ...args);
  expect(await merge()).toMatchObject({ code: 0, stdout: "fox has nothing to merge into main.\n" });
  await session.turn("write kept.txt two");
  await git(rig.home, rig.treeOf("fox"), "commit", "-qam", "Change it");
  await session.turn("write new.txt new");
  const merges = "fox merges into main without conflicts (2 commits ahead, 0 behind).\n";
  expect(await merge()).toMatchObject({ code: 0, stdout: merges });
  await writeFile(join(rig.work, "new.txt"), "mine\n");
  const blocked = `1 file in ${rig.work}, where main is checked out, would be in the way:\n  new.txt\n`;
  expect(await merge()).toMatchObject({ code: 6, stdout: merges + blocked });
  await rig.git("add", "-A");
  await rig.git("commit", "-qm", "theirs");
  expect(await merge("--into", "main")).toMatchObject({
    code: 6,
    stdout: "fox conflicts with main in 1 file (2 commits ahead, 1 behind):\n  new.txt\n",
  });
  const { code, stdout } = await merge("--json");
  expect([code, JSON.parse(stdout)]).toEqual([
    6,
    {
      ...{ into: "main", mergeable: false, conflicts: ["new.txt"], ahead: 2, behind: 1 },
      checkout: { path: rig.work, inTheWay: [] },
    },
  ]);
  expect(await merge("--into", "none")).toMatchObject({ code: 5, stderr: expect.stringContaining('"none"') });
  const { commits } = await rig.client.get<CommitList>(session.path("/commits"));
  expect(commits).toMatchObject([{ subject: "Change it", author: "A" }]);
});

test("drover merge needs a session in a worktree", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo");
  for (const options of [[], ["--dry-run"]]) {
    expect(await drover(rig.home, "merge", session.id, ...options)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("worktree"),
    });
  }
});
