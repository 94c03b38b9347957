// A project's setup commands, which run in a new worktree before the first turn.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Project, Session } from "@drover/core";
import { expect, test } from "vitest";
import { commandOf, isAlive } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import { type Conversation, openSession, processesOfSession } from "./support.ts";
import { inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const sh = (script: string) => ["/bin/sh", "-c", script];

/** Makes these the setup commands of the rig's project. */
async function setUpWith(rig: WorktreeRig, ...setup: string[][]): Promise<Project> {
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  return rig.client.patch<Project>(`/api/projects/${id}`, { setup });
}

const rawLog = async (rig: WorktreeRig, session: Conversation) =>
  (await rig.client.ask<string>("GET", session.path("/log"))).body;

/** A command that writes its pid and waits until `released` exists in the home. */
const waiting = (home: string) =>
  sh(
    `echo x >> tries; echo $$ > ${home}/pid; while [ ! -e ${home}/released ]; do sleep 0.05; done; touch ready`,
  );

async function pidIn(rig: WorktreeRig): Promise<number> {
  return until(async () => {
    const pid = Number(await readFile(join(rig.home, "pid"), "utf8"));
    return pid > 0 && isAlive(pid) && pid;
  });
}

test("setup commands run once, in order, in the new worktree before the first turn", async () => {
  await using rig = await openWorktreeRig();
  const marked = sh('echo "$DROVER_SESSION $DROVER_PORT_COUNT" > marked; echo installing');
  const project = await setUpWith(rig, marked, sh("cat marked >> order; echo warned >&2"));
  expect(project.setup).toHaveLength(2);
  await rig.client.patch(`/api/projects/${project.id}`, { env: { SECRET: "x" } });
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  expect(existsSync(join(rig.treeOf("fox"), "marked"))).toBe(false);
  expect(await session.turn("write a.txt 1")).toMatchObject({ ok: true });
  expect(await readFile(join(rig.treeOf("fox"), "order"), "utf8")).toBe(`${session.id} 10\n`);
  expect(await rawLog(rig, session)).toContain("installing");
  const stderr = await rig.client.ask<string>("GET", session.path("/log?stream=stderr"));
  expect(stderr.body).toContain("warned");
  await session.turn("write b.txt 2");
  expect(await readFile(join(rig.treeOf("fox"), "order"), "utf8")).toBe(`${session.id} 10\n`);
  // What the setup wrote is no change of the turn.
  const [changes] = await until(() => session.all("turn_changes").length > 1 && session.all("turn_changes"));
  expect(changes).toMatchObject({ files: 1 });
  const local = await openSession(rig, "demo", { permissionMode: "never" });
  await local.turn("hello");
  await local[Symbol.asyncDispose]();
  expect(existsSync(join(rig.work, "marked"))).toBe(false);
});

test("a failed setup ends the turn with the command, its exit and its output; resume tries again", async () => {
  await using rig = await openWorktreeRig();
  await setUpWith(
    rig,
    sh("echo x >> tries"),
    sh(`echo out; echo broken >&2; test -e ${rig.home}/fixed || exit 3`),
  );
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const done = await session.turn("write a.txt 1");
  expect(done).toMatchObject({
    ok: false,
    reason: "error",
    error: {
      code: "WORKSPACE_SETUP_FAILED",
      exit: 3,
      tail: "out\nbroken",
      command: expect.stringMatching(/^\/bin\/sh -c .*exit 3/),
    },
  });
  expect(existsSync(join(rig.treeOf("fox"), "a.txt"))).toBe(false);
  expect((await session.get()).name).toBe("fox");
  const failures = () => session.all("error").filter(({ code }) => code === "WORKSPACE_SETUP_FAILED");
  expect(failures()).toHaveLength(1);
  await session.post("resume");
  await until(() => failures().length === 2);
  await writeFile(join(rig.home, "fixed"), "");
  await session.post("resume");
  expect(await session.turn("write a.txt 1")).toMatchObject({ ok: true });
  // From the first command each time.
  expect(await readFile(join(rig.treeOf("fox"), "tries"), "utf8")).toBe("x\nx\nx\n");
});

test("a program that can't be started, or takes too long, is a failed setup", async () => {
  await using rig = await openWorktreeRig({ config: { worktrees: { setupTimeout: "1s" } } });
  await setUpWith(rig, ["no-such-program", "--at-all"]);
  await using session = await openSession(rig, "demo", inWorktree);
  expect((await session.turn("hello")).error).toMatchObject({
    code: "WORKSPACE_SETUP_FAILED",
    exit: null,
    command: "no-such-program --at-all",
    message: expect.stringContaining("no-such-program was not found"),
  });
  await setUpWith(rig, waiting(rig.home));
  const { messageId } = await session.send("hello");
  const pid = await pidIn(rig);
  const { error } = await session.done(messageId);
  expect(error).toMatchObject({
    code: "WORKSPACE_SETUP_FAILED",
    message: expect.stringContaining("longer than 1 s"),
  });
  expect(isAlive(pid)).toBe(false);
  await setUpWith(rig);
  expect(await session.turn("hello")).toMatchObject({ ok: true });
});

test("kill -9 in the middle of the setup: the next server ends the command and runs the setup again", async () => {
  await using rig = await openWorktreeRig();
  await setUpWith(rig, waiting(rig.home));
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  const { messageId } = await session.send("write a.txt 1");
  const pid = await pidIn(rig);
  await rig.server.kill9();
  expect(isAlive(pid)).toBe(true);
  await rm(join(rig.home, "pid"));
  await rig.start();
  const second = await pidIn(rig);
  expect(second).not.toBe(pid);
  expect(isAlive(pid)).toBe(false);
  await writeFile(join(rig.home, "released"), "");
  expect(await session.done(messageId)).toMatchObject({ ok: true });
  expect(await readFile(join(rig.treeOf("fox"), "tries"), "utf8")).toBe("x\nx\n");
  expect(existsSync(join(rig.treeOf("fox"), "ready"))).toBe(true);
});

test.for(["stop", "interrupt", "delete", "shutdown"])(
  "%s ends the setup with everything it started",
  async (how) => {
    await using rig = await openWorktreeRig({ config: { supervision: { stopGrace: "300ms" } } });
    // The group's leader ignores the polite signal, and has a child.
    await setUpWith(rig, sh(`trap '' TERM; sleep 300 & echo $$ > ${rig.home}/pid; wait; sleep 300`));
    await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
    const { messageId } = await session.send("write a.txt 1");
    await pidIn(rig);
    const running = processesOfSession(rig, session.id);
    expect(running.length).toBeGreaterThan(1);
    if (how === "delete") await rig.client.delete(session.path());
    else if (how === "shutdown") await rig.server.term();
    else {
      await session.post(how);
      expect(await session.done(messageId)).toMatchObject({ ok: false });
    }
    await until(() => running.every(({ pid, command }) => commandOf(pid) !== command));
    if (how === "shutdown") await rig.start();
    if (how === "delete") expect(await rig.traces()).toEqual([]);
    else if (how !== "shutdown") expect((await session.get()).lastTurn).toMatchObject({ ok: false });
  },
);

test("a worktree that is made again is set up again", async () => {
  await using rig = await openWorktreeRig();
  await setUpWith(rig, sh("touch ready"));
  await using session = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await session.turn("hello");
  await rm(rig.treeOf("fox"), { recursive: true });
  await session.post("resume");
  await session.turn("hello");
  expect(existsSync(join(rig.treeOf("fox"), "ready"))).toBe(true);
  const notices = session.all("notice").filter(({ code }: EventOf<"notice">) => code === "WORKSPACE_SETUP");
  expect(notices).toHaveLength(2);
});

test("a project chooses the workspace of its sessions; a request overrides it", async () => {
  await using rig = await openWorktreeRig();
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  const modeOf = async (fields: object) => {
    const body = { agent: "demo", cwd: rig.work, ...fields };
    return (await rig.client.post<Session>("/api/sessions", body)).workspace.mode;
  };
  expect(await modeOf({})).toBe("local");
  await rig.client.patch(`/api/projects/${id}`, { workspace: "worktree" });
  expect(await modeOf({})).toBe("worktree");
  expect(await modeOf({ workspace: "local" })).toBe("local");
  await rig.client.patch(`/api/projects/${id}`, { workspace: null });
  expect(await rig.client.get(`/api/projects/${id}`)).not.toHaveProperty("workspace");
  expect(await modeOf({})).toBe("local");
});
