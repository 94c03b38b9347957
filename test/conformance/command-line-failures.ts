// How Drover reports failures of programs that are started for every turn.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { Conversation } from "../e2e/support.ts";
import { until } from "../kit/until.ts";
import { programOf, release, started, waiting } from "./command-line-turns.ts";
import { assertFailure, type Expected, failsWith, networkFailure } from "./failures.ts";
import { nowhere, patience, type Scene } from "./stage.ts";
import type { Step } from "./subjects.ts";

/** Some programs retry for more than a minute, and this cannot be configured. */
const atLength = { deadline: 240_000 };

/** One session's model drops its connection and another's is unreachable. Both run at once, because they take long. */
export async function brokenConnections(scene: Scene): Promise<void> {
  const { rig, subject } = scene;
  const cwd = `${scene.cwd}-refused`;
  const home = join(cwd, "home");
  await mkdir(home, { recursive: true });
  const { id, projectId } = await rig.client.post<Session>("/api/sessions", { agent: subject.name, cwd });
  await using refused = new Conversation(rig, id);
  const modelAt = async (baseUrl: string) => {
    const { env } = (await subject.home?.({ home, baseUrl })) ?? { env: {} };
    await rig.client.patch(`/api/projects/${projectId}`, { env: { ...env, HOME: home } });
  };
  await modelAt(nowhere);
  const [cut, away] = await Promise.all([
    scene.session.turn(scene.prompt({ drop: true }), atLength),
    refused.turn(scene.prompt({ say: "Never said." }), atLength),
  ]);
  assertFailure(cut, networkFailure);
  assertFailure(away, networkFailure);
  await scene.assertUsable();
  await modelAt(scene.modelUrl);
  assert.equal((await refused.turn(scene.prompt({ say: "Here again." }), patience)).reason, "end_turn");
  await rig.client.delete(`/api/sessions/${id}`);
}

/** It works and writes text, then its model fails and its output says so. */
export async function calledFailed(scene: Scene): Promise<void> {
  const { session, rig } = scene;
  const steps: Step[] = [{ say: "So far so good.", run: "true" }, { fail: { status: 500 } }];
  const done = await session.turn(scene.prompt(...steps), patience);
  const { body: raw } = await rig.client.ask("GET", session.path("/log"));
  assert.match(String(raw), /^\{"type":"turn\.failed"/m);
  assert.deepEqual({ ok: done.ok, reason: done.reason }, { ok: false, reason: "error" });
  assert.ok(session.follower.text().includes("So far so good."), "its text is kept");
  await scene.assertUsable();
}

/** An exhausted account. Only some vendors say when it resets. */
export async function usedUp(scene: Scene): Promise<void> {
  const { usedUp: exhausted } = scene.subject.commandLine ?? {};
  assert.ok(exhausted);
  await scene.setEnvironment(exhausted.env);
  const expected: Expected = {
    code: "USAGE_LIMIT",
    reason: "usage_limit",
    retry: "other-account",
    words: /[Ss]end it again (?:in|after) /,
  };
  const done = await failsWith(scene, expected, { fail: exhausted.fail });
  assert.ok(Date.parse(done.error?.until ?? "") > Date.now());
  await scene.assertUsable();
}

/** Runs with other fields in this agent's drover.yaml entry, and restores them afterwards. */
async function configured(scene: Scene, fields: object, play: () => Promise<void>): Promise<void> {
  const { rig, subject } = scene;
  const file = join(rig.home, ".drover", "drover.yaml");
  const before = await readFile(file, "utf8");
  const { agents, ...rest } = JSON.parse(before) as { agents: Record<string, object> };
  const changed = { ...rest, agents: { ...agents, [subject.name]: { ...agents[subject.name], ...fields } } };
  await rig.server.term();
  await writeFile(file, JSON.stringify(changed));
  await rig.start();
  try {
    await play();
  } finally {
    await rig.server.term();
    await writeFile(file, before);
    await rig.start();
  }
}

export async function missingProgram(scene: Scene): Promise<void> {
  const expected: Expected = {
    ...{ code: "AGENT_MISSING", reason: "error", retry: "never" },
    words: /^Could not start .*\. Check that it's installed\.$/,
  };
  await configured(scene, { command: join(scene.cwd, "not-there") }, async () => {
    await failsWith(scene, expected, { say: "Never said." });
  });
  await scene.assertUsable();
}

/** The shipped arguments turn off its trust check; without them the error must explain the problem. */
export async function untrusted(scene: Scene): Promise<void> {
  const expected: Expected = {
    ...{ code: "AGENT_UNREACHABLE", reason: "error", retry: "never" },
    words: /does not trust this directory\. Run it there once by hand and trust it/,
  };
  await configured(scene, { nonInteractive: [] }, async () => {
    await failsWith(scene, expected, { say: "Never said." });
  });
  await scene.assertUsable();
}

/** However a terminated program exits, its turn has failed. */
export async function terminated(scene: Scene): Promise<void> {
  const { session, subject } = scene;
  const messageId = await scene.letRun([{ say: "I begin.", run: waiting }, { say: "Never said." }]);
  await started(scene);
  process.kill(await programOf(scene), "SIGTERM");
  const { ok, reason, error } = await scene.done(messageId);
  assert.deepEqual([ok, reason, error?.code], [false, "crashed", subject.commandLine?.terminated]);
  await until(async () => (await session.get()).connection.pid === undefined, patience);
  assert.equal(await scene.notes(), undefined);
  await release(scene);
  await scene.assertUsable();
}
