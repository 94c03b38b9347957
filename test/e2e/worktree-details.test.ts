// What a session in a worktree gets besides its files (ports, notices, the project's trust), and attempts to redirect it.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Project, Session, WorkspaceChanges, WorktreeInfo } from "@drover/core";
import { expect, test } from "vitest";
import { asAgent } from "./refusals.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover, openSession } from "./support.ts";
import { git, inWorktree, openWorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({});

test("W16 each worktree has its own ten ports, which its agent knows and which stay the same", async () => {
  await using rig = await openWorktreeRig({ config: { worktrees: { ports: "21000-21029" } } });
  const created = await Promise.all(
    ["fox", "owl", "elk"].map((name) => openSession(rig, "demo", { ...inWorktree, name })),
  );
  const [fox] = created;
  const portsOf = () => Promise.all(created.map(async (each) => (await each.get()).workspace.ports));
  const ports = await portsOf();
  expect(ports.map((each) => each?.[0]).sort()).toEqual([21_000, 21_010, 21_020]);
  const refused = await rig.client.ask("POST", "/api/sessions", {
    body: { agent: "demo", cwd: rig.work, ...inWorktree, name: "bat" },
  });
  expect(refused).toMatchObject({ status: 409, body: { code: "WORKSPACE_FAILED" } });
  await fox?.turn('run echo "$DROVER_PORT_BASE $DROVER_PORT_COUNT" > ports.txt');
  expect(await readFile(join(rig.treeOf("fox"), "ports.txt"), "utf8")).toBe(`${ports[0]?.[0]} 10\n`);
  await rig.server.kill9();
  await rig.start();
  expect(await portsOf()).toEqual(ports);
  // Those of a deleted worktree are free again.
  await rig.client.delete(`${fox?.path()}?force=1`);
  await using bat = await openSession(rig, "demo", { ...inWorktree, name: "bat" });
  expect((await bat.get()).workspace.ports).toEqual(ports[0]);
  for (const each of created) await each[Symbol.asyncDispose]();
});

test("uncommitted changes stay in the checkout, and a notice says so once", async () => {
  await using rig = await worktreesOn(shared);
  await writeFile(join(rig.work, "kept.txt"), "unsaved");
  await writeFile(join(rig.work, "new.txt"), "");
  await writeFile(join(rig.work, ".gitmodules"), "");
  await rig.git("add", ".gitmodules");
  await rig.git("commit", "-q", "-m", "submodules");
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const notices = (await session.items()).filter(({ kind }) => kind === "notice");
  expect(notices.map(({ code }) => code)).toEqual(["BASE_DIRTY", "SUBMODULES_MISSING"]);
  expect(session.all("notice")[0]?.facts).toEqual({ files: ["kept.txt", "new.txt"] });
  expect(await readFile(join(rig.treeOf("fox"), "kept.txt"), "utf8")).toBe("one\n");
  expect(await readFile(join(rig.work, "kept.txt"), "utf8")).toBe("unsaved");
  expect(existsSync(join(rig.treeOf("fox"), "new.txt"))).toBe(false);
});

test("a worktree belongs to the project of the directory that a person chose", async () => {
  await using rig = await worktreesOn(shared);
  const { id } = await rig.client.post<Project>("/api/projects", { path: join(rig.work, "sub") });
  await rig.client.patch(`/api/projects/${id}`, { env: { FLAVOR: "mint" } });
  await using session = await openSession(rig, "demo", {
    ...inWorktree,
    name: "fox",
    cwd: join(rig.work, "sub"),
  });
  expect((await session.get()).projectId).toBe(id);
  await session.turn('run echo "$FLAVOR" > flavor.txt');
  expect(await readFile(join(rig.treeOf("fox"), "sub", "flavor.txt"), "utf8")).toBe("mint\n");
  const { sessions } = await rig.client.get<{ sessions: Session[] }>(
    `/api/sessions?cwd=${encodeURIComponent(join(rig.work, "sub"))}`,
  );
  expect(sessions.map(({ name }) => name)).toEqual(["fox"]);
});

test("an agent that rewrites its .git or commondir is reported, and Drover's git stays in the right repository", async () => {
  await using rig = await worktreesOn(shared);
  const victim = join(rig.home, "victim");
  await mkdir(victim);
  await git(rig.home, victim, "init", "-q", "-b", "secret");
  await git(rig.home, victim, "commit", "-q", "--allow-empty", "-m", "theirs");
  const own = (name: string, file: string) => join(rig.work, ".git", "worktrees", name, file);
  const forgeries = [
    [(name: string) => join(rig.treeOf(name), ".git"), `gitdir: ${victim}/.git\n`],
    [(name: string) => own(name, "commondir"), `${victim}/.git\n`],
    [(name: string) => own(name, "gitdir"), `${victim}/.git\n`],
  ] as const;
  for (const [n, [at, text]] of forgeries.entries()) {
    const name = `fox-${n}`;
    await using session = await openSession(rig, "demo", { ...inWorktree, name });
    const tree = rig.treeOf(name);
    const file = at(name);
    await writeFile(file, text);
    await writeFile(join(tree, "kept.txt"), "two");
    const { body: changes } = await rig.client.ask<WorkspaceChanges>("GET", session.path("/workspace"));
    // Git itself follows a forged `commondir` for refs, so Drover reads nothing in that case.
    const right = { branch: `drover/${name}`, files: [{ path: "kept.txt", status: "modified" }] };
    expect(changes).toMatchObject(
      file.endsWith("commondir") ? { code: "NOT_FOUND", what: "workspace" } : right,
    );
    const { error } = await session.turn("write a.txt a");
    expect(error).toMatchObject({ code: "WORKSPACE_MISSING", message: expect.stringContaining(file) });
    await session.post("resume");
    expect(await git(rig.home, tree, "status", "--porcelain")).toBe("M kept.txt");
    expect(await session.turn("write a.txt a")).toMatchObject({ ok: true });
    await rm(join(tree, ".git"));
    expect(await rig.client.delete(`${session.path()}?force=1`)).toMatchObject({ deleted: true });
  }
  await writeFile(join(rig.work, ".git", "commondir"), `${victim}/.git\n`);
  const body = { agent: "demo", cwd: rig.work, ...inWorktree };
  expect(await rig.client.ask("POST", "/api/sessions", { body })).toMatchObject({
    body: { code: "WORKSPACE_FAILED", reason: "commondir_forged" },
  });
  expect(await git(rig.home, victim, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/secret");
  expect(existsSync(join(victim, ".git", "worktrees"))).toBe(false);
});

test("a session's process can create worktrees only in its own project", async () => {
  await using rig = await worktreesOn(shared);
  const other = join(rig.home, "other");
  await mkdir(other);
  await git(rig.home, other, "init", "-q");
  await git(rig.home, other, "commit", "-q", "--allow-empty", "-m", "1");
  await using session = await openSession(rig, "demo", { permissionMode: "never" });
  const create = (cwd: string) =>
    asAgent<{ status: number; code?: string }>(
      rig,
      session.id,
      `const answer = await fetch(process.env.SERVER + "/api/sessions", {
        method: "POST",
        headers: { authorization: "Bearer " + process.env.TOKEN },
        body: ${JSON.stringify(JSON.stringify({ agent: "demo", cwd, workspace: "worktree" }))},
      });
      const { code } = await answer.json();
      console.log(JSON.stringify({ status: answer.status, code }));`,
    );
  expect(await create(other)).toEqual({ status: 403, code: "AGENT_CANNOT_ANSWER" });
  expect(existsSync(join(other, ".drover-worktrees"))).toBe(false);
  expect(await create(rig.work)).toMatchObject({ status: 201 });
});

test("drover run --worktree --base starts a worktree from that base, and drover rm --force says where the work is kept", async () => {
  await using rig = await worktreesOn(shared);
  await rig.git("branch", "older");
  await rig.git("commit", "-q", "--allow-empty", "-m", "newer");
  const args = ["--cwd", rig.work, "--worktree", "--base", "older", "--name", "fox", "--mode", "never"];
  expect(await drover(rig.home, "run", "demo", ...args, "write a.txt a")).toMatchObject({ code: 0 });
  expect(await git(rig.home, rig.treeOf("fox"), "log", "-1", "--format=%s")).toBe("first");
  const refused = await drover(rig.home, "rm", "fox");
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain("drover rm fox --force");
  const { code, stderr } = await drover(rig.home, "rm", "fox", "--force");
  expect([code, stderr]).toEqual([0, expect.stringMatching(/is in refs\/drover\/kept\/fox\//)]);
  const local = ["--cwd", rig.work, "--base", "older"];
  expect((await drover(rig.home, "run", "demo", ...local, "hi")).stderr).toContain("for worktrees only");
});

test("worktrees are listed with their sessions, changes and commits, including those without a session", async () => {
  await using rig = await worktreesOn(shared);
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using owl = await openSession(rig, "demo", { ...inWorktree, name: "owl" });
  await git(rig.home, rig.treeOf("fox"), "commit", "-q", "--allow-empty", "-m", "work");
  await writeFile(join(rig.treeOf("fox"), "new.txt"), "12345");
  await rm(rig.treeOf("owl"), { recursive: true });
  await rig.git("worktree", "add", "-q", "-b", "drover/lost", rig.treeOf("lost"));
  const { workspaces } = await rig.client.get<{ workspaces: WorktreeInfo[] }>("/api/workspaces");
  const shown = workspaces.map(({ path, size: _, repository, ...rest }) => {
    expect(repository).toBe(rig.work);
    return { name: basename(path), ...rest };
  });
  expect(shown).toEqual(
    expect.arrayContaining([
      {
        ...{ name: "fox", session: { id: fox.id, name: "fox" }, orphaned: false, state: "ready" },
        ...{ branch: "drover/fox", dirty: 1, ahead: 1, merged: false },
      },
      { name: "owl", session: { id: owl.id, name: "owl" }, orphaned: false, state: "missing", merged: false },
      {
        ...{ name: "lost", orphaned: true, state: "ready" },
        ...{ branch: "drover/lost", dirty: 0, ahead: 0, merged: false },
      },
    ]),
  );
  expect(shown).toHaveLength(3);
  const printed = await drover(rig.home, "workspaces");
  expect(printed.stdout).toMatch(/^fox +drover\/fox +1 change +1 +\d+ B +\S+fox$/m);
  expect(printed.stderr).toContain("drover workspaces rm PATH");
});
