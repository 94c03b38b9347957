// How Drover reports outside failures: in time, typed, with retry advice and a message a person can act on. Once the cause
// is gone, the session works again.
import assert from "node:assert/strict";
import { chmod, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DoneReason, EventOf, FaultCode, Retry } from "@drover/core";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";
import type { Step } from "./subjects.ts";

export interface Expected {
  code: FaultCode;
  reason: DoneReason;
  retry: Retry;
  /** Matches the message for people. */
  words: RegExp;
}

/** Agents retry on their own; only once if that can be configured. */
const inTime = { deadline: 60_000 };

/** Runs a turn that must fail as expected. */
export async function failsWith(
  scene: Scene,
  expected: Expected,
  ...steps: Step[]
): Promise<EventOf<"done">> {
  const done = await scene.session.turn(scene.prompt(...steps), inTime);
  assertFailure(done, expected);
  assert.equal((await scene.session.get()).turn, undefined);
  return done;
}

export function assertFailure(done: EventOf<"done">, expected: Expected): void {
  const { code, retry, message = "" } = done.error ?? {};
  assert.deepEqual(
    { ok: done.ok, reason: done.reason, code, retry },
    { ok: false, reason: expected.reason, code: expected.code, retry: expected.retry },
  );
  assert.match(message, expected.words);
}

export async function failedLogin(scene: Scene): Promise<void> {
  const expected: Expected = {
    code: "AUTH_FAILED",
    reason: "auth",
    retry: "never",
    words: /Log in .*, then send it again\.$/,
  };
  await failsWith(scene, expected, { fail: { status: 401 } });
  await scene.assertUsable();
}

export async function overloaded(scene: Scene): Promise<void> {
  const expected: Expected = { code: "OVERLOADED", reason: "error", retry: "same", words: /try again/ };
  await failsWith(scene, expected, {
    fail: { status: 529, headers: { "retry-after-ms": "5" } },
  });
  await scene.assertUsable();
}

export const networkFailure: Expected = {
  code: "NETWORK",
  reason: "error",
  retry: "same",
  words: /Check the connection, then send it again\.$/,
};

export async function cutOff(scene: Scene): Promise<void> {
  await failsWith(scene, networkFailure, { drop: true });
  await failsWith(scene, networkFailure, {
    say: "A sentence that is cut off before its end.",
    drop: "midway",
  });
  await scene.assertUsable();
}

export async function limited(scene: Scene): Promise<void> {
  const { limit } = scene.subject;
  assert.ok(limit);
  const { fail, code, retry } = limit;
  await failsWith(
    scene,
    { code, retry, reason: "usage_limit", words: /[Ss]end it again (?:in|after) / },
    { fail },
  );
  await scene.assertUsable();
}

/** A subscription's usage window is exhausted; an API key has no windows. */
export async function usedUp(scene: Scene): Promise<void> {
  await scene.setEnvironment({ ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "made-up" });
  const resetsAt = Math.floor(Date.now() / 1000) + 7_200;
  const headers = {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(resetsAt),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
  };
  const expected: Expected = {
    code: "USAGE_LIMIT",
    reason: "usage_limit",
    retry: "other-account",
    words: /Send it again after .* UTC\.$/,
  };
  const done = await failsWith(scene, expected, { fail: { status: 429, headers } });
  assert.equal(done.error?.until, new Date(resetsAt * 1000).toISOString());
  await scene.assertUsable();
}

/** Stops the agent, so that the next turn starts its program. */
async function stop({ session }: Scene): Promise<void> {
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped", { ...patience, what: "it stops" });
}

export async function missingDirectory(scene: Scene): Promise<void> {
  const { cwd } = scene;
  await scene.turn({ say: "The robin sings." });
  await stop(scene);
  await rename(cwd, `${cwd}-away`);
  const expected: Expected = {
    code: "WORKSPACE_MISSING",
    reason: "error",
    retry: "never",
    words: /does not exist\. Create it again/,
  };
  await failsWith(scene, expected, { say: "Never said." });
  await rename(`${cwd}-away`, cwd);
  await scene.assertUsable();
}

export async function forgottenConversation(scene: Scene): Promise<void> {
  await scene.turn({ say: "The robin sings." });
  const { agentSessionId } = await scene.session.get();
  await stop(scene);
  const { memory } = scene.subject;
  assert.ok(memory, "the subject declares where the agent keeps its conversations");
  await rm(join(scene.rig.home, memory), { recursive: true });
  const expected: Expected = {
    code: "RESUME_UNKNOWN",
    reason: "error",
    retry: "never",
    words: /Your next message starts a new one/,
  };
  // A program that gets its prompt at start reports it too late for a retry.
  if (scene.subject.commandLine) await failsWith(scene, expected, { say: "Never said." });
  await scene.assertUsable();
  assert.notEqual((await scene.session.get()).agentSessionId, agentSessionId);
  const notices = (await scene.session.items()).filter(({ kind }) => kind === "notice");
  const codes = [scene.subject.commandLine ? "RESUME_UNKNOWN" : "CONTEXT_LOST"];
  assert.deepEqual(
    notices.map(({ code }) => code),
    codes,
  );
  if (!scene.hasModel) return;
  assert.match(
    JSON.stringify(scene.conversationAt("Still here.")),
    /The robin sings\./,
    "the new conversation has the transcript",
  );
}

/** Sets the program in drover.yaml; undefined means the installed one. */
async function configure({ rig, subject }: Scene, command: string | undefined): Promise<void> {
  const file = join(rig.home, ".drover", "drover.yaml");
  const config = JSON.parse(await readFile(file, "utf8"));
  config.agents[subject.name].command = command;
  await writeFile(file, JSON.stringify(config));
}

const missing: Expected = {
  code: "AGENT_MISSING",
  reason: "error",
  retry: "never",
  words: /^Could not start Claude Code\. Check that it's installed\.$/,
};

const installedIn = ({ home }: Scene["rig"]) => join(home, ".drover", "agents", "node_modules");
const platformPackage = `claude-agent-sdk-${process.platform}-${process.arch}`;

export async function missingSdk(scene: Scene): Promise<void> {
  const { rig } = scene;
  const installed = installedIn(rig);
  await rig.server.term();
  await rename(installed, `${installed}-away`);
  // A server that has loaded the SDK keeps it, so restart.
  await rig.start();
  await failsWith(scene, missing, { say: "Never said." });
  await rename(`${installed}-away`, installed);
  await scene.assertUsable();
}

export async function missingProgram(scene: Scene): Promise<void> {
  const { rig } = scene;
  const program = join(rig.home, "bin", "claude");
  await rig.server.term();
  await configure(scene, program);
  await rig.start({ DROVER__SUPERVISION__STARTTIMEOUT: "2s" });
  try {
    await failsWith(scene, missing, { say: "Never said." });
    await mkdir(join(rig.home, "bin"));
    await writeFile(program, "#!/bin/sh\nexec tail -f /dev/null\n");
    await chmod(program, 0o755);
    const mute: Expected = {
      ...{ code: "AGENT_UNREACHABLE", reason: "error", retry: "never" },
      words: /^Could not connect to Claude Code$/,
    };
    await failsWith(scene, mute, { say: "Never said." });
    await unlink(program);
    await symlink(join(installedIn(rig), "@anthropic-ai", platformPackage, "claude"), program);
    // The real program may need longer than the timeout for an unresponsive one.
    await rig.server.term();
    await rig.start();
    await scene.assertUsable();
  } finally {
    await rig.server.term();
    await configure(scene, undefined);
    await rig.start();
  }
}
