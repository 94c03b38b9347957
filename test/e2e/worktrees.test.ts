// Sessions in worktrees, from the request that creates one to its removal.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, openSession } from "./support.ts";
import { git, inWorktree, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({});

test("W1 two sessions in worktrees do not see each other, and neither touches the checkout", async () => {
  await using rig = await worktreesOn(shared);
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", {
    ...inWorktree,
    name: "owl",
    cwd: join(rig.work, "sub"),
  });
  const { workspace, cwd } = await fox.get();
  expect(workspace).toMatchObject({
    mode: "worktree",
    path: rig.treeOf("fox"),
    projectDir: rig.work,
    branch: "drover/fox",
    base: { ref: "main", commit: await rig.git("rev-parse", "HEAD") },
    confined: false,
  });
  expect(workspace).not.toHaveProperty("repository");
  expect(cwd).toBe(workspace.path);
  expect((await owl.get()).cwd).toBe(join(rig.treeOf("owl"), "sub"));
  await fox.turn("write kept.txt two");
  await owl.turn("write inner.txt changed");
  const changes = async (session: Conversation) => {
    const { mode, branch, files } = await rig.client.get<WorkspaceChanges>(session.path("/workspace"));
    return [mode, branch, ...files.map(({ path, status }) => `${status} ${path}`)];
  };
  expect(await changes(fox)).toEqual(["worktree", "drover/fox", "modified kept.txt"]);
  expect(await changes(owl)).toEqual(["worktree", "drover/owl", "modified inner.txt"]);
  expect(await rig.git("status", "--porcelain")).toBe("");
  expect(await readFile(join(rig.work, "kept.txt"), "utf8")).toBe("one\n");
  expect(await readFile(join(workspace.path, "kept.txt"), "utf8")).toBe("two");
});

test("deleting a session with a clean worktree removes the worktree and its empty branch", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  expect(await rig.traces()).toContain("refs/heads/drover/fox");
  // The target of a link is not part of the worktree.
  await writeFile(join(rig.home, "precious"), "");
  await writeFile(join(rig.work, ".git", "info", "exclude"), "link\n", { flag: "a" });
  await symlink(rig.home, join(rig.treeOf("fox"), "link"));
  expect(await rig.client.delete(session.path())).toEqual({ deleted: true });
  expect(existsSync(rig.treeOf("fox"))).toBe(false);
  expect(existsSync(join(rig.home, "precious"))).toBe(true);
  expect(await rig.traces()).toEqual([]);
});

test("W2 a restarted server keeps uncommitted work, and the session continues in it", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("write draft.txt half");
  await rig.server.kill9();
  await rig.start();
  expect(await readFile(join(rig.treeOf("fox"), "draft.txt"), "utf8")).toBe("half");
  await session.turn("write second.txt done");
  expect(existsSync(join(rig.treeOf("fox"), "second.txt"))).toBe(true);
});

test("W3 an existing branch is refused by name, or used as it is on request", async () => {
  await using rig = await worktreesOn(shared);
  await rig.git("branch", "drover/fox");
  const base = await rig.git("rev-parse", "HEAD");
  const tip = await rig.git("commit-tree", "-p", "HEAD", "-m", "earlier work", "HEAD^{tree}");
  await rig.git("update-ref", "refs/heads/drover/fox", tip);
  const body = { agent: "demo", cwd: rig.work, ...inWorktree, name: "fox" };
  expect(await rig.client.ask("POST", "/api/sessions", { body })).toMatchObject({
    status: 409,
    body: { code: "NAME_TAKEN", branch: "drover/fox" },
  });
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox", reattach: true });
  expect((await session.get()).workspace).toMatchObject({ branch: "drover/fox", base: { commit: base } });
  expect(await git(rig.home, rig.treeOf("fox"), "log", "--format=%s")).toBe("earlier work\nfirst");
  expect(await git(rig.home, rig.treeOf("fox"), "status", "--porcelain")).toBe("");
  // The branch has commits beyond its base, so it outlives the session.
  expect(await rig.client.delete(session.path())).toEqual({ deleted: true });
  expect(await rig.traces()).toEqual(["refs/heads/drover/fox"]);
});

test("W4 uncommitted work prevents deletion; by force it is kept under a ref, with the branch", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await writeFile(join(tree, "committed.txt"), "1");
  await git(rig.home, tree, "add", "-A");
  await git(rig.home, tree, "commit", "-q", "-m", "work");
  await writeFile(join(tree, "kept.txt"), "changed");
  await writeFile(join(tree, "odd \n näme"), "new");
  const refused = await rig.client.ask("DELETE", session.path());
  expect(refused).toMatchObject({ status: 409, body: { code: "WORKSPACE_DIRTY" } });
  expect((refused.body as { files: string[] }).files).toHaveLength(2);
  const { kept } = await rig.client.delete<{ kept: { ref: string; branch: string } }>(
    `${session.path()}?force=1`,
  );
  expect(kept).toMatchObject({ branch: "drover/fox" });
  expect(kept.ref).toMatch(/^refs\/drover\/kept\/fox\/\d{8}T\d{9}Z$/);
  expect(await rig.traces()).toEqual([kept.ref, "refs/heads/drover/fox"]);
  expect(await rig.git("show", `${kept.ref}:kept.txt`)).toBe("changed");
  expect(await rig.git("ls-tree", "-z", "--name-only", kept.ref)).toContain("odd \n näme\0");
  expect(await rig.git("rev-parse", `${kept.ref}^`)).toBe(await rig.git("rev-parse", "drover/fox"));
});

test("a commit that is on no branch is kept, too", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await git(rig.home, tree, "checkout", "-q", "--detach");
  await git(rig.home, tree, "commit", "-q", "--allow-empty", "-m", "adrift");
  const commit = await git(rig.home, tree, "rev-parse", "HEAD");
  const { kept } = await rig.client.delete<{ kept: { ref: string } }>(session.path());
  expect(await rig.git("rev-parse", kept.ref)).toBe(commit);
});

test("commits that HEAD has left are kept, too, with uncommitted work or without the worktree's files", async () => {
  await using rig = await worktreesOn(shared);
  for (const how of ["clean", "dirty", "gone"]) {
    await using session = await openSession(rig, "demo", { ...inWorktree, name: how });
    const inTree = (...args: string[]) => git(rig.home, rig.treeOf(how), ...args);
    const commit = async (message: string) => {
      await inTree("commit", "-q", "--allow-empty", "-m", message);
      return inTree("rev-parse", "HEAD");
    };
    await commit(`${how} reset 1`);
    const reset = await commit(`${how} reset 2`);
    await inTree("reset", "-q", "--hard", "main");
    await inTree("switch", "-q", "--detach");
    const adrift = await commit(`${how} adrift`);
    await inTree("switch", "-q", `drover/${how}`);
    if (how === "dirty") await writeFile(join(rig.treeOf(how), "draft.txt"), "half");
    if (how === "gone") await rm(rig.treeOf(how), { recursive: true });
    const { kept } = await rig.client.delete<{ kept: { ref: string; commits?: string } }>(
      `${session.path()}?force=1`,
    );
    const found = await rig.git("rev-list", "--first-parent", "-1", "--parents", kept.commits ?? kept.ref);
    expect(found.split(" ").slice(1).sort()).toEqual([reset, adrift].sort());
    if (how === "dirty") expect(await rig.git("show", `${kept.ref}:draft.txt`)).toBe("half");
    expect(kept.commits === undefined).toBe(how !== "dirty");
  }
});

test("W5 W8 outside a repository the request fails with the reason, and nothing is created", async () => {
  const cwd = join(shared.home, "bare");
  await mkdir(cwd);
  const refused = await shared.client.ask("POST", "/api/sessions", {
    body: { agent: "demo", cwd, workspace: "worktree" },
  });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "WORKSPACE_FAILED", reason: "no_repository", path: cwd, command: `git -C ${cwd} init` },
  });
  expect(existsSync(join(cwd, ".git"))).toBe(false);
  expect(await shared.client.get<{ sessions: Session[] }>("/api/sessions")).toMatchObject({ sessions: [] });
});

test("a missing worktree is reported even if the agent's process is still alive", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  expect(await session.turn("write a.txt a")).toMatchObject({ ok: true });
  expect((await session.get()).connection.pid).toBeDefined();
  await rm(rig.treeOf("fox"), { recursive: true });
  expect(await session.turn("say hello")).toMatchObject({ ok: false, error: { code: "WORKSPACE_MISSING" } });
  await session.post("resume");
  expect(await session.turn("write b.txt b")).toMatchObject({ ok: true });
  expect(existsSync(join(rig.treeOf("fox"), "b.txt"))).toBe(true);
});

test("a missing worktree is reported, and resume recreates it from its branch", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await git(rig.home, tree, "commit", "-q", "--allow-empty", "-m", "work");
  await rig.git("worktree", "remove", "--force", tree);
  expect(await session.turn("write a.txt a")).toMatchObject({
    ok: false,
    error: { code: "WORKSPACE_MISSING" },
  });
  expect(existsSync(tree)).toBe(false);
  await session.post("resume");
  expect(await git(rig.home, tree, "log", "-1", "--format=%s")).toBe("work");
  expect(await session.turn("write b.txt b")).toMatchObject({ ok: true });
  expect(await git(rig.home, tree, "status", "--porcelain", "-u")).toBe("?? b.txt");
});
