// A project's setup commands run without asking, so a session's process must not make them run.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { asked } from "./asking.ts";
import { type Attempt, inside, insideAgents, isRefused, openShell } from "./inside.ts";
import { type Conversation, openSession } from "./support.ts";
import { openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

/** Gives the rig's project a setup that notes each run, and fails until there is a file `fixed` in the home. */
async function setUp(rig: WorktreeRig): Promise<void> {
  const { id } = await rig.client.post<Project>("/api/projects", { path: rig.work });
  const script = `echo x >> ${rig.home}/ran; test -e ${rig.home}/fixed`;
  await rig.client.patch(`/api/projects/${id}`, { setup: [["/bin/sh", "-c", script]] });
}

const runsIn = async (rig: WorktreeRig): Promise<number> => {
  const path = join(rig.home, "ran");
  return existsSync(path) ? (await readFile(path, "utf8")).length / 2 : 0;
};

const failures = (session: Conversation) =>
  session.all("error").filter(({ code }) => code === "WORKSPACE_SETUP_FAILED").length;

const messageTo = (session: Conversation): Attempt => ({
  ...{ method: "POST", path: session.path("/messages"), body: { content: "say hello" } },
});

test("H7 a session's process cannot make a setup run that has failed, or that a missing worktree needs", async () => {
  await using rig = await openWorktreeRig({ agents: insideAgents });
  await setUp(rig);
  await using own = await openShell(rig);
  await using fox = await openSession(rig, "demo", { workspace: "worktree", name: "fox" });
  expect(await fox.turn("say hello")).toMatchObject({ error: { code: "WORKSPACE_SETUP_FAILED" } });
  const attempts: Attempt[] = [
    messageTo(fox),
    { method: "POST", path: fox.path("/queue"), body: { content: "say hello" } },
    { method: "POST", path: fox.path("/resume"), body: {} },
    { method: "POST", path: fox.path("/reconnect"), body: {} },
    { method: "POST", path: fox.path("/fork"), body: { workspace: "worktree" } },
    { type: "session:send", fields: { sessionId: fox.id, content: "say hello" } },
    { args: ["send", "fox", "say hello"] },
  ];
  const refused = async () => (await inside(rig, own, attempts)).map(isRefused);
  expect(await refused()).toEqual(attempts.map(() => true));
  expect(await runsIn(rig)).toBe(1);
  await fox.post("resume");
  await until(() => failures(fox) === 2);
  await writeFile(join(rig.home, "fixed"), "");
  expect(await fox.turn("say hello")).toMatchObject({ ok: true });
  const [accepted] = await inside(rig, own, [messageTo(fox)]);
  expect(accepted).toMatchObject({ status: 202 });
  await until(async () => (await fox.get()).state === "idle");
  await rm(rig.treeOf("fox"), { recursive: true });
  expect(await refused()).toEqual(attempts.map(() => true));
  expect(await runsIn(rig)).toBe(3);
});

test("H7 a message that a process has queued waits for a person while the worktree has to be set up again", async () => {
  await using rig = await openWorktreeRig({ agents: insideAgents });
  await using own = await openShell(rig);
  await using fox = await openSession(rig, "demo", { workspace: "worktree", name: "fox" });
  const { id, messageId } = await asked(fox, "run true");
  const [queued] = await inside(rig, own, [messageTo(fox)]);
  expect(queued).toMatchObject({ status: 202, body: { applied: "queued" } });
  await setUp(rig);
  await rm(rig.treeOf("fox"), { recursive: true });
  await fox.post("resume");
  await fox.post("approve", { toolCallId: id });
  await fox.done(messageId);
  await until(async () => (await fox.get()).queuePaused, { what: "the queue is paused" });
  expect([(await fox.get()).queued, await runsIn(rig)]).toEqual([1, 0]);
  await fox.post("resume");
  await until(async () => (await fox.get()).queued === 0 && (await runsIn(rig)) > 0);
});
