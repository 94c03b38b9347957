// Removing worktrees without their sessions, and bringing back the work that removed ones left.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, readlink, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RestoredWorktree, WorktreeList } from "@drover/core";
import { expect, test } from "vitest";
import { drover, openSession } from "./support.ts";
import { git, inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const listOf = (rig: WorktreeRig) => rig.client.get<WorktreeList>("/api/workspaces");

const remove = (rig: WorktreeRig, body: object) =>
  rig.client.ask<Record<string, unknown>>("POST", "/api/workspaces/rm", { body });

const restore = (rig: WorktreeRig, body: object) =>
  rig.client.ask<Record<string, unknown>>("POST", "/api/workspaces/restore", { body });

test("a worktree is removed and its session stays; resume makes it again from its branch", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write a.txt 1");
  const path = rig.treeOf("fox");
  expect(await remove(rig, { path })).toMatchObject({
    status: 409,
    body: { code: "SESSION_LOCKED", sessionId: session.id },
  });
  await session.post("stop");
  await session.follower.until((event) => event.type === "session_status" && event.state === "stopped");
  expect(await remove(rig, { path })).toMatchObject({
    status: 409,
    body: { code: "WORKSPACE_DIRTY", files: ["a.txt"] },
  });
  expect(existsSync(join(path, "a.txt"))).toBe(true);
  await git(rig.home, path, "add", "-A");
  await git(rig.home, path, "commit", "-q", "-m", "work");
  expect(await remove(rig, { path })).toMatchObject({ status: 200, body: { deleted: true } });
  expect(existsSync(path)).toBe(false);
  // The branch is all that is left in the repository, and nothing remains aside.
  expect((await rig.traces()).filter((trace) => !/^refs\/drover\/ses_/.test(trace))).toEqual([
    "refs/heads/drover/fox",
  ]);
  expect((await listOf(rig)).workspaces).toMatchObject([{ path, state: "missing" }]);
  await session.post("resume");
  expect(await readFile(join(path, "a.txt"), "utf8")).toBe("1");
  expect(await session.turn("write b.txt 2")).toMatchObject({ ok: true });
});

test("an orphaned worktree is removed by its name; what is no worktree of Drover's is not", async () => {
  await using rig = await openWorktreeRig();
  const { id } = await rig.client.post<{ id: string }>("/api/projects", { path: rig.work });
  await rig.git("worktree", "add", "-q", "-b", "drover/owl", rig.treeOf("owl"));
  await rig.git("worktree", "add", "-q", "-b", "mine", join(rig.home, "mine"));
  expect((await listOf(rig)).workspaces).toMatchObject([{ path: rig.treeOf("owl"), orphaned: true }]);
  for (const path of [join(rig.home, "mine"), rig.work, rig.treeOf("none"), "/"])
    expect(await remove(rig, { path, force: true })).toMatchObject({
      status: 404,
      body: { what: "worktree" },
    });
  await writeFile(join(rig.treeOf("owl"), "draft.txt"), "precious");
  const dirty = await drover(rig.home, "workspaces", "rm", "owl");
  expect(dirty).toMatchObject({ code: 6, stderr: expect.stringContaining("workspaces rm owl --force") });
  const forced = await drover(rig.home, "workspaces", "rm", "owl", "--force");
  expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining("restore owl") });
  expect(existsSync(rig.treeOf("owl"))).toBe(false);
  expect(existsSync(join(rig.home, "mine"))).toBe(true);
  const { kept } = await listOf(rig);
  expect(kept).toMatchObject([{ name: "owl", repository: rig.work, at: expect.stringMatching(/^20.*Z$/) }]);
  expect(id).toMatch(/^prj_/);
});

test("W4 a forced removal keeps files and what was only staged, and restore brings back both", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const path = rig.treeOf("fox");
  const inTree = (...args: string[]) => git(rig.home, path, ...args);
  await writeFile(join(path, "kept.txt"), "staged\n");
  await inTree("add", "kept.txt");
  await writeFile(join(path, "kept.txt"), "one\n");
  await writeFile(join(path, "gone.txt"), "only staged\n");
  await inTree("add", "gone.txt");
  await inTree("rm", "-q", "sub/inner.txt");
  await writeFile(join(path, "new.txt"), "untracked\n");
  const before = [await inTree("status", "--porcelain"), await inTree("ls-files", "-s")];
  const deleted = await rig.client.ask<{ kept: { ref: string } }>("DELETE", session.path("?force=1"));
  const { ref } = deleted.body.kept;
  expect(await rig.git("show", `${ref}^2:kept.txt`)).toBe("staged");
  expect(existsSync(path)).toBe(false);
  expect((await restore(rig, { ref: "owl" })).status).toBe(404);
  const { body } = await restore(rig, { ref: "fox" });
  const restored: RestoredWorktree = { path, repository: rig.work, branch: "drover/fox", ref };
  expect(body).toEqual(restored);
  expect([await inTree("status", "--porcelain"), await inTree("ls-files", "-s")]).toEqual(before);
  expect(await readFile(join(path, "new.txt"), "utf8")).toBe("untracked\n");
  // The work is in one place again.
  expect((await listOf(rig)).kept).toEqual([]);
  await using again = await openSession(rig, "demo", { ...inWorktree, name: "fox", reattach: true });
  expect((await again.get()).workspace).toMatchObject({ path, branch: "drover/fox" });
  expect(await inTree("status", "--porcelain")).toBe(before[0]);
});

test("W4 a directory that became a link is kept and restored as that link", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  const shared = join(rig.home, "shared");
  await rename(join(tree, "sub"), shared);
  await symlink(shared, join(tree, "sub"));
  const { kept } = await rig.client.delete<{ kept: { ref: string } }>(session.path("?force=1"));
  expect(await rig.git("diff-tree", "-r", "--no-renames", "--name-status", "main", kept.ref)).toBe(
    "A\tsub\nD\tsub/inner.txt",
  );
  expect(await restore(rig, { ref: kept.ref })).toMatchObject({ status: 200 });
  expect(await readlink(join(tree, "sub"))).toBe(shared);
  expect(await readFile(join(shared, "inner.txt"), "utf8")).toBe("inner\n");
});

test("restore refuses a path that is taken and a branch that has moved on, and loses nothing", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const path = rig.treeOf("fox");
  await writeFile(join(path, "draft.txt"), "precious");
  await git(rig.home, path, "commit", "-q", "--allow-empty", "-m", "mine");
  await rig.client.delete(session.path("?force=1"));
  const [kept] = (await listOf(rig)).kept;
  await rig.git("worktree", "add", "-q", path, "drover/fox");
  expect(await restore(rig, { ref: "fox" })).toMatchObject({
    status: 409,
    body: { code: "WORKSPACE_FAILED", reason: "path_taken", path },
  });
  await git(rig.home, path, "commit", "-q", "--allow-empty", "-m", "later");
  await rig.git("worktree", "remove", path);
  expect(await restore(rig, { ref: "fox" })).toMatchObject({
    status: 409,
    body: { code: "NAME_TAKEN", branch: "drover/fox" },
  });
  expect(await rig.git("rev-parse", "drover/fox^{commit}")).toMatch(/^[0-9a-f]{40}$/);
  // A link in place of the folder must not lead the files elsewhere.
  await rig.git("update-ref", "refs/heads/drover/fox", "drover/fox^");
  await rm(join(rig.work, ".drover-worktrees"), { recursive: true, force: true });
  await mkdir(join(rig.home, "elsewhere"));
  await symlink(join(rig.home, "elsewhere"), join(rig.work, ".drover-worktrees"));
  expect(await restore(rig, { ref: "fox" })).toMatchObject({ status: 409, body: { reason: "path_taken" } });
  expect(existsSync(join(rig.home, "elsewhere", "fox"))).toBe(false);
  expect(await rig.git("show", `${kept?.ref}:draft.txt`)).toBe("precious");
  expect((await listOf(rig)).kept).toEqual([kept]);
});

test("a link in place of one worktree is all that restore asks to move", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const path = rig.treeOf("fox");
  await writeFile(join(path, "draft.txt"), "precious");
  await rig.client.delete(session.path("?force=1"));
  await mkdir(rig.treeOf(""), { recursive: true });
  await symlink(rig.home, path);
  expect(await restore(rig, { ref: "fox" })).toMatchObject({
    status: 409,
    body: { reason: "path_taken", path, command: `mv ${path} ${path}.old` },
  });
});

test.each(["Uncommitted work in fox", "A commit"])(
  "kept work with a path that git never writes is refused by that path: %s",
  async (subject) => {
    await using rig = await openWorktreeRig();
    await rig.client.post("/api/projects", { path: rig.work });
    const treeOf = (entry: string) =>
      execFileSync("git", ["mktree"], { cwd: rig.work, input: entry }).toString().trim();
    const inner = treeOf(`100644 blob ${await rig.git("rev-parse", "HEAD:kept.txt")}\tx\n`);
    const tree = treeOf(`040000 tree ${inner}\t.git\n`);
    const commit = await rig.git("commit-tree", tree, "-p", "HEAD", "-m", subject);
    const ref = "refs/drover/kept/fox/20261117T053012123Z";
    await rig.git("update-ref", ref, commit);
    expect(await restore(rig, { ref: "fox" })).toMatchObject({
      status: 409,
      body: { code: "WORKSPACE_FAILED", reason: "invalid_path", path: ".git/x" },
    });
    expect(existsSync(rig.treeOf("fox"))).toBe(false);
    expect(await rig.traces()).toContain(ref);
  },
);

test("doctor names orphaned worktrees and their size; prune lists merged ones and removes them on request", async () => {
  await using rig = await openWorktreeRig();
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await rig.git("worktree", "add", "-q", "-b", "drover/owl", rig.treeOf("owl"));
  await writeFile(join(rig.treeOf("owl"), "big"), "x".repeat(5 * 1024 ** 2));
  await git(rig.home, rig.treeOf("fox"), "commit", "-q", "--allow-empty", "-m", "work");
  const prune = async (...args: string[]) => {
    const { code, stdout } = await drover(rig.home, "prune", "--json", ...args);
    return { code, worktrees: JSON.parse(stdout).worktrees };
  };
  expect(await prune()).toEqual({ code: 0, worktrees: [] });
  await rig.git("merge", "-q", "--ff-only", "drover/fox");
  const size = expect.any(Number);
  expect(await prune()).toEqual({
    code: 0,
    worktrees: [{ path: rig.treeOf("fox"), size, removed: false }],
  });
  for (const report of [
    JSON.parse((await drover(rig.home, "doctor", "--json")).stdout),
    await rig.client.get("/api/doctor"),
  ]) {
    const found = report.findings.filter(({ check }: { check: string }) => check === "worktrees");
    expect(found).toMatchObject([
      { status: "note", message: `${rig.treeOf("owl")} has no session: 5.0 MiB, 1 uncommitted file` },
      { status: "note", message: expect.stringContaining("1 worktree is merged") },
    ]);
  }
  await session.turn("hello");
  expect(await prune("--worktrees", "--dry-run")).toMatchObject({ worktrees: [{ removed: false }] });
  expect((await prune("--worktrees")).worktrees).toMatchObject([
    { removed: false, reason: expect.stringContaining("drover stop fox") },
  ]);
  await session.post("stop");
  await session.follower.until((event) => event.type === "session_status" && event.state === "stopped");
  expect((await prune("--worktrees")).worktrees).toMatchObject([{ removed: true }]);
  expect(existsSync(rig.treeOf("fox"))).toBe(false);
  expect(await rig.git("branch", "--list", "drover/fox")).toContain("drover/fox");
  expect(existsSync(rig.treeOf("owl"))).toBe(true);
});
