// What a repository, or an agent in it, can do to mislead Drover, over HTTP.
import { execFile } from "node:child_process";
import { mkdir, readFile, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, kitAgent, openRig, openSession } from "./support.ts";

/** Paths that lead below .git. */
const links = { linked: "link/config", dangling: "nothing" };
const edits = Object.entries({ ...links, plain: "kept.txt" });

const rig = sharedRig({
  agents: Object.fromEntries(
    edits.map(([name, path]) => [name, kitAgent("asks-permission.mjs", "--edit", path)]),
  ),
});

const run = promisify(execFile);

async function git(directory: string, ...args: string[]): Promise<void> {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.test"];
  await run("git", [...who, ...args], { cwd: directory });
}

async function repositoryAt(directory: string, content: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await git(directory, "init", "-q", "-b", "main");
  await writeFile(join(directory, "kept.txt"), content);
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "-m", "first");
}

/** A directory of this server for one test. */
const below = (name: string) => join(rig.home, "work", name);

test("H1 H3 a filter whose name has odd bytes never runs, at the start of a turn or for the page, and hides nothing", async () => {
  const directory = below("filtered");
  await repositoryAt(directory, "one\n");
  const canary = join(rig.home, "canary");
  const filter = Buffer.from(
    `[filter "caf\xe9=x"]\n\tclean = touch '${canary}'; cat\n\trequired = true\n`,
    "latin1",
  );
  await writeFile(join(directory, ".git/config"), filter, { flag: "a" });
  await mkdir(join(directory, ".git/info"), { recursive: true });
  await writeFile(join(directory, ".git/info/attributes"), Buffer.from("* filter=caf\xe9=x\n", "latin1"));
  await utimes(join(directory, "kept.txt"), 1, 1);
  await writeFile(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from("new\xe9", "latin1")]), "new\n");
  await using session = await openSession(rig, "demo", { cwd: directory });
  await session.turn("say hello");
  const changes = await rig.client.get<WorkspaceChanges>(session.path("/workspace"));
  expect(changes.files.map(({ path }) => path)).toContain("new⟨0xE9⟩");
  const listed = encodeURIComponent("new⟨0xE9⟩");
  const diff = await rig.client.ask<string>("GET", session.path(`/diff?path=${listed}`));
  expect(diff).toMatchObject({
    status: 200,
    body: expect.stringContaining('+++ "b/new\\351"\n@@ -0,0 +1 @@\n+new\n'),
  });
  await expect(readFile(canary)).rejects.toThrow("ENOENT");
  await git(directory, "status");
  await expect(readFile(canary)).resolves.toHaveLength(0);
});

test("H1 an edit below .git needs approval in every mode, and an approval for the session does not cover it", async () => {
  const cwd = below("edited");
  await repositoryAt(cwd, "one\n");
  for (const permissionMode of ["acceptEdits", "never"]) {
    await using session = await openSession(rig, "demo", { permissionMode, cwd });
    expect(await session.turn("write kept.txt two")).toMatchObject({ reason: "end_turn" });
    const { messageId } = await session.send("write .git/config planted");
    await denyAsked(session);
    await session.done(messageId);
  }
  expect(await readFile(join(cwd, ".git/config"), "utf8")).not.toContain("planted");
});

test("H1 an edit that reaches .git through a link needs approval, even if the target of the link does not exist yet", async () => {
  const cwd = below("linked");
  await repositoryAt(cwd, "one\n");
  await symlink(".git", join(cwd, "link"));
  await symlink(".git/hooks/none", join(cwd, "nothing"));
  await using plain = await openSession(rig, "plain", { permissionMode: "never", cwd });
  expect(await plain.turn("go")).toMatchObject({ reason: "end_turn" });
  for (const agent of Object.keys(links)) {
    await using session = await openSession(rig, agent, { permissionMode: "never", cwd });
    const { messageId } = await session.send("go");
    await denyAsked(session);
    await session.done(messageId);
  }
});

/** Denies the one requested approval, which can only be given once. */
async function denyAsked(session: Conversation): Promise<void> {
  const [asked] = await until(async () => {
    const open = await session.openInteractions();
    return open.length > 0 && open;
  });
  expect(asked).toMatchObject({ toolKind: "edit", scopes: ["once"] });
  await session.post("deny", { toolCallId: asked?.toolCallId });
}

test("a link that replaces a session's directory does not expose another repository, and no agent starts there", async () => {
  const [mine, other] = [below("mine"), below("other")];
  await repositoryAt(mine, "mine\n");
  await repositoryAt(other, "secret\n");
  await writeFile(join(other, "kept.txt"), "more secret\n");
  await using session = await openSession(rig, "demo", { cwd: mine });
  expect(await rig.client.get<WorkspaceChanges>(session.path("/workspace"))).toMatchObject({ files: [] });
  await rename(mine, `${mine}-moved`);
  await symlink(other, mine);
  const refused = {
    status: 404,
    body: { code: "NOT_FOUND", what: "workspace", error: expect.stringContaining(`leads to ${other}`) },
  };
  expect(await rig.client.ask("GET", session.path("/workspace"))).toMatchObject(refused);
  expect(await rig.client.ask("GET", session.path("/diff"))).toMatchObject(refused);
  const ended = await session.turn("say hello");
  expect(ended).toMatchObject({ reason: "error", error: { code: "WORKSPACE_MISSING" } });
});

test("a repository below a trusted project is a separate project with its own path, whatever its settings say", async () => {
  const directory = below("trusted");
  await mkdir(directory);
  const trusted = await rig.client.post<{ id: string }>("/api/projects", { path: directory });
  await rig.client.patch(`/api/projects/${trusted.id}`, { trusted: true });
  const clone = join(directory, "clone");
  await repositoryAt(clone, "one\n");
  await mkdir(join(clone, "deep"));
  await git(clone, "config", "core.worktree", directory);
  const { projectId } = await rig.client.post<Session>("/api/sessions", {
    agent: "demo",
    cwd: join(clone, "deep"),
  });
  expect(await rig.client.get(`/api/projects/${projectId}`)).toMatchObject({ path: clone, trusted: false });
  const plain = join(directory, "plain");
  await mkdir(plain);
  const beside = await rig.client.post<Session>("/api/sessions", { agent: "demo", cwd: plain });
  expect(beside.projectId).toBe(trusted.id);
});

test("a repository in the home directory does not make the home directory a project", async () => {
  await using own = await openRig();
  await git(own.home, "init", "-q");
  const cwd = join(own.home, "work");
  const { projectId } = await own.client.post<Session>("/api/sessions", { agent: "demo", cwd });
  expect(await own.client.get(`/api/projects/${projectId}`)).toMatchObject({ path: cwd });
});
