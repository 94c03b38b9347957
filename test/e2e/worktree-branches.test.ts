// Drover removes a branch only if it made it and nothing needs it.
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { git, inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const asking = (rig: WorktreeRig, fields: object) =>
  rig.client.ask<Session>("POST", "/api/sessions", {
    body: { agent: "demo", cwd: rig.work, ...inWorktree, ...fields },
  });

async function create(rig: WorktreeRig, fields: object): Promise<string> {
  const { status, body } = await asking(rig, fields);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.id;
}

const remove = (rig: WorktreeRig, id: string) =>
  rig.client.ask<{ deleted: boolean }>("DELETE", `/api/sessions/${id}`);

/** A commit that only `branch` has. */
async function commitOn(rig: WorktreeRig, branch: string): Promise<string> {
  const commit = await rig.git("commit-tree", "-p", "main", "-m", branch, "main^{tree}");
  await rig.git("branch", branch, commit);
  return commit;
}

const branches = async (rig: WorktreeRig) =>
  (await rig.git("for-each-ref", "--format=%(refname:short)", "refs/heads")).split("\n");

test("a failed reattach leaves the branch as it was", async () => {
  await using rig = await openWorktreeRig();
  await rig.git("switch", "-q", "-c", "drover/fox");
  const refused = await asking(rig, { name: "fox", reattach: true });
  expect(refused).toMatchObject({ status: 409, body: { reason: "branch_in_use" } });
  expect(await branches(rig)).toEqual(["drover/fox", "main"]);
  expect(await rig.git("status", "--porcelain", "--branch")).toBe("## drover/fox");
});

test("a branch that someone makes at the same moment is theirs", async () => {
  await using rig = await openWorktreeRig((home) => ({
    env: { PATH: `${join(home, "bin")}:${process.env["PATH"]}` },
  }));
  const real = (process.env["PATH"] ?? "").split(":").map((each) => join(each, "git"));
  const program = join(rig.home, "bin", "git");
  await mkdir(join(rig.home, "bin"));
  const script = `#!/bin/sh
case "$*" in *"worktree add"*) ${real.find(existsSync)} --git-dir=${rig.work}/.git branch drover/fox main ;; esac
exec ${real.find(existsSync)} "$@"\n`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  expect(await asking(rig, { name: "fox" })).toMatchObject({
    status: 409,
    body: { code: "WORKSPACE_FAILED", reason: "branch_in_use", branch: "drover/fox" },
  });
  expect(await branches(rig)).toEqual(["drover/fox", "main"]);
});

test("a branch that existed before its session outlives it, and so do commits that nothing else has", async () => {
  await using rig = await openWorktreeRig();
  const tips = new Map<string, string>();
  for (const name of ["drover/tip", "drover/own", "feat"]) tips.set(name, await commitOn(rig, name));
  await rig.git("branch", "drover/idle");
  await rig.git("switch", "-q", "--detach", "drover/tip");
  const sessions = [
    await create(rig, { name: "tip", reattach: true }),
    await create(rig, { name: "own", reattach: true, base: "drover/own" }),
    await create(rig, { name: "new", base: "feat" }),
    await create(rig, { name: "idle", reattach: true, base: "main" }),
  ];
  await rig.git("switch", "-q", "main");
  await rig.git("branch", "-q", "-D", "feat");
  for (const id of sessions) expect(await remove(rig, id)).toMatchObject({ body: { deleted: true } });
  expect(await branches(rig)).toEqual(["drover/idle", "drover/new", "drover/own", "drover/tip", "main"]);
  expect(await rig.git("rev-parse", "drover/new")).toBe(tips.get("feat"));
});

test("a branch that any worktree is on, or that is being rebased, outlives its session", async () => {
  await using rig = await openWorktreeRig();
  const ids = [];
  for (const name of ["fox", "owl", "elk", "bat"]) ids.push(await create(rig, { name }));
  for (const name of ["fox", "owl", "elk"]) await git(rig.home, rig.treeOf(name), "switch", "-q", "--detach");
  await rig.git("switch", "-q", "drover/fox");
  await rig.git("worktree", "add", "-q", join(rig.home, "linked"), "drover/owl");
  await rig.git("worktree", "add", "-q", join(rig.home, "rebasing"), "drover/elk");
  const rebasing = { GIT_SEQUENCE_EDITOR: "echo break >" };
  await git(
    rig.home,
    join(rig.home, "rebasing"),
    "-c",
    `sequence.editor=${rebasing.GIT_SEQUENCE_EDITOR}`,
    "rebase",
    "-i",
    "HEAD",
  );
  for (const id of ids) expect(await remove(rig, id)).toMatchObject({ body: { deleted: true } });
  expect(await branches(rig)).toEqual(["drover/elk", "drover/fox", "drover/owl", "main"]);
  expect(await rig.git("status", "--porcelain", "--branch")).toBe("## drover/fox");
});

test("of two requests for one branch, the one that loses leaves the winner's worktree alone", async () => {
  await using rig = await openWorktreeRig();
  await rig.git("branch", "drover/fox");
  const answers = await Promise.all([1, 2, 3].map(() => asking(rig, { name: "fox", reattach: true })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await readFile(join(rig.treeOf("fox"), "kept.txt"), "utf8")).toBe("one\n");
  await rm(join(rig.treeOf("fox"), "kept.txt"));
  expect(await git(rig.home, rig.treeOf("fox"), "status", "--porcelain")).toBe("D kept.txt");
});

test("work that can't be kept prevents a deletion, and links in .git lead nothing elsewhere", async () => {
  await using rig = await openWorktreeRig();
  const id = await create(rig, { name: "fox" });
  await writeFile(join(rig.treeOf("fox"), "draft.txt"), "half");
  const force = () => rig.client.ask("DELETE", `/api/sessions/${id}?force=1`);
  await rig.git("update-ref", "refs/drover", "main");
  expect(await force()).toMatchObject({ status: 409, body: { code: "WORKSPACE_DIRTY" } });
  await rig.git("update-ref", "-d", "refs/drover");
  const elsewhere = join(rig.home, "elsewhere");
  await mkdir(elsewhere);
  await symlink(elsewhere, join(rig.work, ".git", "refs", "drover"));
  expect(await force()).toMatchObject({ status: 409, body: { code: "WORKSPACE_DIRTY" } });
  expect(existsSync(join(rig.treeOf("fox"), "draft.txt"))).toBe(true);
  await rm(join(rig.work, ".git", "refs", "drover"));
  expect(await force()).toMatchObject({ status: 200, body: { kept: {} } });
  await symlink(elsewhere, join(rig.work, ".git", "worktrees"));
  expect(await asking(rig, { name: "owl" })).toMatchObject({
    status: 409,
    body: { code: "WORKSPACE_FAILED", reason: "commondir_forged" },
  });
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await branches(rig)).toEqual(["main"]);
});
