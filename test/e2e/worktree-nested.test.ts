// Repositories inside a worktree: Drover can't keep them under a ref, so it never deletes them.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { drover, openSession } from "./support.ts";
import { git, inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

interface Deleted {
  kept?: { ref: string };
  moved?: { from: string; to: string }[];
}

async function repositoryAt(rig: WorktreeRig, path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await git(rig.home, path, "init", "-q");
  await git(rig.home, path, "commit", "-q", "--allow-empty", "-m", "precious");
  return path;
}

const lastSubject = (rig: WorktreeRig, path: string) => git(rig.home, path, "log", "-1", "--format=%s");

test("repositories in a worktree prevent its deletion; by force they are moved, ignored ones too", async () => {
  await using rig = await openWorktreeRig();
  await writeFile(join(rig.work, ".git", "info", "exclude"), "ignored/\n*.git\n", { flag: "a" });
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await repositoryAt(rig, join(tree, "vendor", "lib"));
  await repositoryAt(rig, join(tree, "ignored", "deep", "clone"));
  await mkdir(join(tree, "empty"));
  await git(rig.home, join(tree, "empty"), "init", "-q");
  await git(rig.home, tree, "clone", "-q", "--bare", join(tree, "vendor", "lib"), "mirror.git");
  await rig.git("worktree", "add", "-q", "-b", "mine", join(tree, "linked"));
  await writeFile(join(tree, "linked", "draft.txt"), "mine");
  const inside = ["empty", "ignored/deep/clone", "linked", "mirror.git", "vendor/lib"];
  const { status, body } = await rig.client.ask<{ files: string[]; message: string }>(
    "DELETE",
    session.path(),
  );
  expect([status, [...body.files].sort()]).toEqual([409, inside]);
  expect(existsSync(join(tree, "empty", ".git"))).toBe(true);
  const { kept, moved = [] } = await rig.client.delete<Deleted>(`${session.path()}?force=1`);
  // No file of the worktree itself was uncommitted.
  expect(kept).toBeUndefined();
  const places = new Map(moved.map(({ from, to }) => [from.slice(tree.length + 1), to]));
  expect([...places.keys()].sort()).toEqual(inside);
  const placeOf = (name: string) => places.get(name) ?? "";
  for (const name of ["vendor/lib", "ignored/deep/clone", "mirror.git"])
    expect(await lastSubject(rig, placeOf(name))).toBe("precious");
  expect(existsSync(join(placeOf("empty"), ".git"))).toBe(true);
  expect(await git(rig.home, placeOf("linked"), "status", "--porcelain", "--branch")).toBe(
    "## mine\n?? draft.txt",
  );
  expect(await rig.git("worktree", "list", "--porcelain")).toContain(`worktree ${placeOf("linked")}\n`);
  expect(existsSync(tree)).toBe(false);
  expect(await rig.git("status", "--porcelain")).toBe("");
});

test("repositories behind a link in place of a worktree stay where they are", async () => {
  await using rig = await openWorktreeRig();
  const precious = await repositoryAt(rig, join(rig.home, "others", "precious"));
  for (const [name, target] of [
    ["fox", rig.work],
    ["owl", dirname(precious)],
  ] as const) {
    await using session = await openSession(rig, "demo", { ...inWorktree, name });
    await rename(rig.treeOf(name), join(rig.home, `moved-${name}`));
    await symlink(target, rig.treeOf(name));
    expect(await rig.client.delete<Deleted>(`${session.path()}?force=1`)).not.toHaveProperty("moved");
    expect(await lastSubject(rig, precious)).toBe("precious");
    expect(await rig.git("worktree", "list", "--porcelain")).toContain(`worktree ${rig.work}\n`);
  }
});

test("a repository below tracked files that look like a bare one prevents the deletion, and is moved", async () => {
  await using rig = await openWorktreeRig();
  await writeFile(join(rig.work, ".git", "info", "exclude"), "inner/\n", { flag: "a" });
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  for (const name of ["HEAD", "objects/keep", "refs/keep"]) {
    await mkdir(join(tree, "fixture", name, ".."), { recursive: true });
    await writeFile(join(tree, "fixture", name), "");
  }
  await git(rig.home, tree, "add", "-A");
  await git(rig.home, tree, "commit", "-q", "-m", "fixture");
  await repositoryAt(rig, join(tree, "fixture", "inner"));
  const refused = await rig.client.ask<{ files: string[] }>("DELETE", session.path());
  expect([refused.status, refused.body.files]).toEqual([409, ["fixture/inner"]]);
  const { moved = [] } = await rig.client.delete<Deleted>(`${session.path()}?force=1`);
  expect(moved.map(({ from }) => from)).toEqual([join(tree, "fixture", "inner")]);
  expect(await lastSubject(rig, moved[0]?.to ?? "")).toBe("precious");
});

test("a submodule is moved if something is only in it, and otherwise goes with the worktree", async () => {
  await using rig = await openWorktreeRig();
  const upstream = await repositoryAt(rig, join(rig.home, "upstream"));
  const submodule = ["-c", "protocol.file.allow=always", "submodule"];
  await rig.git(...submodule, "add", "-q", upstream, "module");
  await rig.git("commit", "-q", "-m", "submodule");
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  for (const name of ["fox", "owl"])
    await git(rig.home, rig.treeOf(name), ...submodule, "update", "-q", "--init");
  expect(await rig.client.delete(fox.path())).toEqual({ deleted: true });
  const sub = join(rig.treeOf("owl"), "module");
  await git(rig.home, sub, "switch", "-q", "-c", "topic");
  await git(rig.home, sub, "commit", "-q", "--allow-empty", "-m", "only here");
  await git(rig.home, sub, "switch", "-q", "--detach", "origin/HEAD");
  expect(await rig.client.ask("DELETE", owl.path())).toMatchObject({
    status: 409,
    body: { files: ["module"] },
  });
  const { moved = [] } = await rig.client.delete<Deleted>(`${owl.path()}?force=1`);
  expect(moved.map(({ from }) => from)).toEqual([sub]);
  const to = moved[0]?.to ?? "";
  expect(await git(rig.home, to, "log", "-1", "--format=%s", "topic")).toBe("only here");
  expect(await git(rig.home, to, "status", "--porcelain")).toBe("");
});

test("a submodule is moved for commits that only a tag or the log of its HEAD has, not for tags of its remote", async () => {
  await using rig = await openWorktreeRig();
  const upstream = await repositoryAt(rig, join(rig.home, "upstream"));
  const at =
    (path: string) =>
    (...args: string[]) =>
      git(rig.home, path, ...args);
  const above = at(upstream);
  // A release that is on no branch.
  await above("commit", "-q", "--allow-empty", "-m", "release");
  await above("tag", "v1");
  await above("reset", "-q", "--hard", "HEAD~1");
  const submodule = ["-c", "protocol.file.allow=always", "submodule"];
  await rig.git(...submodule, "add", "-q", upstream, "module");
  await at(join(rig.work, "module"))("checkout", "-q", "v1");
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "submodule");
  const left: Record<string, string[]> = { fox: [], owl: ["tag", "mine"], hen: ["status"] };
  for (const [name, afterwards] of Object.entries(left)) {
    await using session = await openSession(rig, "demo", { ...inWorktree, name });
    await at(rig.treeOf(name))(...submodule, "update", "-q", "--init");
    const sub = at(join(rig.treeOf(name), "module"));
    if (afterwards.length === 0) {
      expect(await rig.client.delete(session.path())).toEqual({ deleted: true });
      continue;
    }
    await sub("commit", "-q", "--allow-empty", "-m", "only here");
    const commit = await sub("rev-parse", "HEAD");
    await sub(...afterwards);
    await sub("checkout", "-q", "v1");
    expect(await rig.client.ask("DELETE", session.path())).toMatchObject({
      status: 409,
      body: { files: ["module"] },
    });
    const { moved = [] } = await rig.client.delete<Deleted>(`${session.path()}?force=1`);
    expect(await at(moved[0]?.to ?? "")("log", "-1", "--format=%s", commit)).toBe("only here");
  }
});

test("a bare repository among the committed files is one of them", async () => {
  await using rig = await openWorktreeRig();
  const fixture = join(rig.work, "fixture");
  await rig.git("init", "-q", "--bare", fixture);
  for (const name of ["objects", "refs"]) await writeFile(join(fixture, name, ".gitkeep"), "");
  await rig.git("add", "-A");
  await rig.git("commit", "-q", "-m", "fixture");
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  expect(await readdir(join(rig.treeOf("fox"), "fixture"))).toContain("HEAD");
  expect(await rig.client.delete(session.path())).toEqual({ deleted: true });
});

test("the command line says what it moved, and where the work is", async () => {
  await using rig = await openWorktreeRig();
  await using _session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const tree = rig.treeOf("fox");
  await repositoryAt(rig, join(tree, "lib"));
  const refused = await drover(rig.home, "rm", "fox");
  expect(refused.stderr).toContain("lib");
  expect(refused.stderr).toContain(join(rig.work, ".drover-worktrees", ".kept"));
  const { stderr } = await drover(rig.home, "rm", "fox", "--force");
  expect(stderr).toMatch(/the repository lib .*\.drover-worktrees\/\.kept\/fox-\d+T\d+Z\/lib/);
  expect(stderr).not.toContain("refs/drover/kept");
});
