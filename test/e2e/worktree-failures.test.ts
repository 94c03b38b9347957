// A worktree for which there is no room, or no time.
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leaveAlone, meddle, meddledGit } from "./meddled-git.ts";
import { inWorktree, openWorktreeRig } from "./worktree-rig.ts";

test("W8 a worktree whose files don't fit on the disk, or take too long, is reported, and nothing is left behind", async () => {
  await using rig = await openWorktreeRig(meddledGit({ worktrees: { timeout: "3s" } }));
  await writeFile(join(rig.work, "large.bin"), randomBytes(100_000));
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "large");
  const body = { agent: "demo", cwd: rig.work, ...inWorktree, name: "fox" };
  const before = await rig.git("for-each-ref");
  const create = () => rig.client.ask("POST", "/api/sessions", { body });
  const scripts = {
    disk: "ulimit -f 20\n",
    timeout: 'case "$*" in *"worktree add"*|*checkout*|*read-tree*) sleep 1000;; esac\n',
  };
  for (const [reason, script] of Object.entries(scripts)) {
    await meddle(rig, script);
    const refused = await create();
    await leaveAlone(rig);
    expect(refused).toMatchObject({ status: 409, body: { code: "WORKSPACE_FAILED", reason } });
    expect(refused.body["error"]).toContain(`Run \`${refused.body["command"]}\``);
    expect(await rig.git("for-each-ref")).toBe(before);
    expect(await rig.git("worktree", "list", "--porcelain")).not.toContain("fox");
  }
  expect(await create()).toMatchObject({ status: 201 });
});
