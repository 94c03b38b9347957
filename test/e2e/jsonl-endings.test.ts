// How a turn ends if the program answers with lines of JSON: by one of its lines, by its exit, or from outside.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { jsonl, madeUp, started } from "./jsonl-programs.ts";
import { openRig, openSession, processesOfSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  const limit = [{ type: "blocked", at: ["why"], is: "quota", until: ["window", "ends"] }];
  rig = await openRig((home) => ({
    agents: {
      kit: madeUp(home),
      lines: jsonl("jsonl-lines.mjs"),
      failing: jsonl("jsonl-lines.mjs", "--count", "7"),
      limited: { ...jsonl("jsonl-lines.mjs"), limit },
      stays: jsonl("jsonl-hangs.mjs"),
      hangs: jsonl("jsonl-hangs.mjs", "--count", "0"),
      missing: { name: "Nobody", driver: "jsonl", command: "no-such-program" },
    },
    // Long enough for a program that does not exit to outlive its turn visibly, even on a slow machine.
    config: { supervision: { stopGrace: "4s" } },
  }));
});
afterAll(() => rig[Symbol.asyncDispose]());

test("X10 exit code 0 without a line that completes the turn is not a success", async () => {
  await using session = await openSession(rig, "lines");
  const done = await session.turn('{"type":"word","text":"half a"}');
  expect(done).toMatchObject({
    ok: false,
    partial: true,
    reason: "crashed",
    error: { code: "NO_COMPLETION" },
  });
  expect(session.follower.text()).toBe("half a");
  expect(await session.turn('{"type":"reuslt"}'), "a known misspelling").toMatchObject({ ok: true });
  await until(async () => (await session.get()).connection.status === "idle");
});

test("X11 a turn.failed line is a failure with its message, whatever the exit code", async () => {
  await using session = await openSession(rig, "lines");
  const failed = await session.turn('{"type":"turn.failed","error":{"message":"The model is gone"}}');
  expect(failed).toMatchObject({
    ok: false,
    reason: "error",
    error: { code: "MODEL_ERROR", message: "The model is gone" },
  });
  const refused = await session.turn('{"type":"turn.failed","error":{"message":"No","status":401}}');
  expect(refused).toMatchObject({ reason: "auth", error: { code: "AUTH_FAILED", retry: "never" } });
});

test("an exit code other than 0 is reported as a crash with that code", async () => {
  await using session = await openSession(rig, "failing");
  const done = await session.turn('{"type":"word","text":"x"}');
  expect(done).toMatchObject({ ok: false, reason: "crashed", error: { code: "AGENT_CRASHED" } });
  expect(done.error?.message).toContain("exit code 7");
});

test("S6 each invalid line gets one notice, and the turn continues", async () => {
  await using session = await openSession(rig, "lines");
  const lines = [
    '{"type":"word","text":"a"}',
    "not JSON",
    "[1]",
    '{"type":"word","text":"b"}',
    '{"type":"result"}',
  ];
  expect(await session.turn(lines.join("\n"))).toMatchObject({ ok: true });
  expect(session.follower.text()).toBe("ab");
  expect(session.all("notice").map(({ code }) => code)).toEqual(["BAD_LINE", "BAD_LINE"]);
});

test("K5 an answer that only mentions limits has no effect, and a limit rule finds out when a limit ends", async () => {
  await using session = await openSession(rig, "limited");
  const text = "429 Too Many Requests: usage limit reached, rate limit exceeded, turn.failed";
  const spoken = [
    { type: "word", text },
    { type: "blocked", why: "a door" },
    { type: "result", text },
  ];
  expect(await session.turn(spoken.map((one) => JSON.stringify(one)).join("\n"))).toMatchObject({ ok: true });

  const until = "2037-01-01T00:00:00.000Z";
  const blocked = {
    type: "blocked",
    why: "quota",
    message: "Out of quota",
    window: { ends: Date.parse(until) / 1000 },
  };
  const done = await session.turn(`${JSON.stringify(blocked)}\n{"type":"turn.failed"}`);
  expect(done).toMatchObject({
    reason: "usage_limit",
    error: { code: "USAGE_LIMIT", retry: "other-account", until },
  });
});

test("X12 a program that keeps running after its turn is stopped, and the turn still succeeds", async () => {
  await using session = await openSession(rig, "stays");
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  expect(processesOfSession(rig, session.id)).not.toEqual([]);
  await until(() => processesOfSession(rig, session.id).length === 0);
  expect(await session.turn("again")).toMatchObject({ ok: true });
});

test("an interrupt ends the process, cancels the turn and pauses the queue", async () => {
  await using session = await openSession(rig, "hangs");
  const { messageId } = await session.send("wait");
  await session.send("later");
  await until(() => session.follower.text() === "here");
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled", ok: false });
  expect(processesOfSession(rig, session.id)).toEqual([]);
  expect(await session.get()).toMatchObject({ queued: 1, queuePaused: true, state: "idle" });
});

test("X2 a missing program or directory is reported by its own code, and nothing is retried", async () => {
  await using session = await openSession(rig, "missing");
  expect(await session.turn("hello")).toMatchObject({
    reason: "error",
    error: { code: "AGENT_MISSING", message: "Could not start Nobody. Check that it's installed." },
  });
  expect((await session.get()).connection).toMatchObject({ status: "disconnected", gaveUp: false });
  const cwd = join(rig.home, "removed");
  await mkdir(cwd);
  await using other = await openSession(rig, "lines", { cwd });
  await rm(cwd, { recursive: true });
  expect(await other.turn("hello")).toMatchObject({ error: { code: "WORKSPACE_MISSING" } });
});

test("a stopped session has no process, and continues its conversation when it is resumed", async () => {
  await using hanging = await openSession(rig, "hangs");
  const { messageId } = await hanging.send("wait");
  await until(() => hanging.follower.text() === "here");
  await hanging.post("stop");
  expect(await hanging.done(messageId)).toMatchObject({ reason: "cancelled" });
  await until(async () => (await hanging.get()).state === "stopped");
  expect(processesOfSession(rig, hanging.id)).toEqual([]);

  await using session = await openSession(rig);
  await session.turn("one");
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  await session.post("resume");
  expect(await session.turn("two")).toMatchObject({ ok: true });
  expect((await started(rig)).argv).toContain("--continue");
});
