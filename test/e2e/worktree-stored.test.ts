// What only a worktree's own git directory has: submodules that aren't checked out, autostashes, its own refs.
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sharedRig } from "./shared-rig.ts";
import { openSession } from "./support.ts";
import { git, inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({});

interface Deleted {
  kept?: { ref: string };
  moved?: { from: string; to: string }[];
}

const lastSubject = (rig: WorktreeRig, path: string) => git(rig.home, path, "log", "-1", "--format=%s");

/** A worktree with a submodule that has a commit of its own and is no longer checked out. */
async function leaveSubmodule(rig: WorktreeRig, name: string): Promise<string> {
  const tree = rig.treeOf(name);
  const submodule = ["-c", "protocol.file.allow=always", "submodule"];
  await git(rig.home, tree, ...submodule, "add", "-q", rig.work, "sm");
  await git(rig.home, join(tree, "sm"), "commit", "-q", "--allow-empty", "-m", "only here");
  await git(rig.home, tree, "add", "-A");
  await git(rig.home, tree, "commit", "-q", "-m", "submodule");
  await git(rig.home, tree, "submodule", "-q", "deinit", "-f", "sm");
  expect(await git(rig.home, tree, "status", "--porcelain")).toBe("");
  return join(rig.work, ".git", "worktrees", name, "modules", "sm");
}

test("a submodule that isn't checked out prevents the deletion; by force its git directory is moved", async () => {
  await using rig = await worktreesOn(shared);
  for (const remove of ["session", "worktree"]) {
    await using session = await openSession(rig, "demo", { ...inWorktree, name: remove });
    const stored = await leaveSubmodule(rig, remove);
    const ask = (force: boolean) =>
      remove === "session"
        ? rig.client.ask<Deleted>("DELETE", `${session.path()}${force ? "?force=1" : ""}`)
        : rig.client.ask<Deleted>("POST", "/api/workspaces/rm", {
            body: { path: rig.treeOf(remove), force },
          });
    expect(await ask(false)).toMatchObject({
      status: 409,
      body: { code: "WORKSPACE_DIRTY", files: [stored] },
    });
    expect(await lastSubject(rig, stored)).toBe("only here");
    const { moved = [] } = (await ask(true)).body;
    expect(moved.map(({ from }) => from)).toEqual([stored]);
    expect(await lastSubject(rig, moved[0]?.to ?? "")).toBe("only here");
    await git(rig.home, rig.home, "clone", "-q", moved[0]?.to ?? "", `again-${remove}`);
    expect(await lastSubject(rig, join(rig.home, `again-${remove}`))).toBe("only here");
  }
});

test("a submodule's git directory is moved even if the files of the worktree are gone", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await leaveSubmodule(rig, "fox");
  await rm(join(rig.work, ".drover-worktrees"), { recursive: true });
  const { moved = [] } = await rig.client.delete<Deleted>(session.path());
  expect(await lastSubject(rig, moved[0]?.to ?? "")).toBe("only here");
});

test("a deletion keeps the autostash of a stopped rebase, and commits that only the worktree's refs name", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  const inTree = (...args: string[]) => git(rig.home, tree, ...args);
  const commits: string[] = [];
  for (const ref of ["refs/worktree/mine", "refs/bisect/bad"]) {
    const id = await inTree("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", ref);
    await inTree("update-ref", ref, id);
    commits.push(id);
  }
  await inTree("commit", "-q", "--allow-empty", "-m", "second");
  await writeFile(join(tree, "kept.txt"), "stashed\n");
  await inTree("-c", "sequence.editor=echo break >", "rebase", "-q", "-i", "--autostash", "HEAD~1");
  const own = join(rig.work, ".git", "worktrees", "fox");
  expect(existsSync(join(own, "rebase-merge", "autostash"))).toBe(true);
  expect(await inTree("status", "--porcelain")).toBe("");
  const { kept } = await rig.client.delete<Deleted>(session.path());
  const ref = kept?.ref ?? "none";
  const parents = (await rig.git("log", "-1", "--format=%P", ref)).split(" ");
  expect(parents).toEqual(expect.arrayContaining(commits));
  const [stash = ""] = parents.filter((id) => !commits.includes(id));
  expect(await rig.git("show", `${stash}:kept.txt`)).toBe("stashed");
});

test("if .kept is a link, a forced deletion with a repository inside is refused before anything is done", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await mkdir(join(tree, "lib"));
  await git(rig.home, join(tree, "lib"), "init", "-q");
  await writeFile(join(tree, "kept.txt"), "uncommitted");
  const elsewhere = join(rig.home, "elsewhere");
  await mkdir(elsewhere);
  const kept = join(rig.work, ".drover-worktrees", ".kept");
  await symlink(elsewhere, kept);
  const refused = { status: 409, body: { code: "WORKSPACE_DIRTY", error: expect.stringContaining(kept) } };
  expect(await rig.client.ask("DELETE", `${session.path()}?force=1`)).toMatchObject(refused);
  const body = { path: tree, force: true };
  expect(await rig.client.ask("POST", "/api/workspaces/rm", { body })).toMatchObject(refused);
  expect(await readdir(elsewhere)).toEqual([]);
  expect(await rig.git("for-each-ref", "refs/drover/kept")).toBe("");
  expect(existsSync(join(tree, "lib", ".git"))).toBe(true);
  await rm(kept);
  expect(await rig.client.delete(`${session.path()}?force=1`)).toMatchObject({ deleted: true });
});

test("a deletion keeps commits that HEAD has left, even if another one of them lacks its parent", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const inTree = (...args: string[]) => git(rig.home, rig.treeOf("fox"), ...args);
  const commit = async (message: string) => {
    await inTree("commit", "-q", "--allow-empty", "-m", message);
    return inTree("rev-parse", "HEAD");
  };
  await inTree("checkout", "-q", "--detach");
  const lost = await commit("lost");
  await commit("without its parent");
  await inTree("checkout", "-q", "--detach", "drover/fox");
  const precious = await commit("precious");
  await inTree("checkout", "-q", "drover/fox");
  await rm(join(rig.work, ".git", "objects", lost.slice(0, 2), lost.slice(2)));
  const { kept } = await rig.client.delete<Deleted>(session.path());
  expect(await rig.git("rev-list", "--no-walk", `${kept?.ref}^@`)).toContain(precious);
});

test("by force, a deletion keeps the files of a branch without commits", async () => {
  await using rig = await worktreesOn(shared);
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await git(rig.home, tree, "checkout", "-q", "--orphan", "fresh");
  await writeFile(join(tree, "draft.txt"), "draft");
  const { kept } = await rig.client.delete<Deleted>(`${session.path()}?force=1`);
  expect(await rig.git("show", `${kept?.ref}:draft.txt`)).toBe("draft");
});
