// Programs without a protocol that answer a prompt with lines of JSON, described by configuration alone.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { kitAgent, openRig, openSession, processesOfSession, type Rig, readJson } from "./support.ts";

const jsonl = (program: string, ...args: string[]) => ({ ...kitAgent(program, ...args), driver: "jsonl" });

/** Ten lines of YAML, and no code. */
const madeUp = (home: string) => ({
  ...jsonl("jsonl-echo.mjs", "--started", join(home, "started")),
  name: "Made Up",
  nonInteractive: ["--batch"],
  systemFlag: "--tell",
  resume: ["--continue", "{sessionId}"],
  sessionId: ["opened", "talk", "id"],
  text: [{ type: "word", at: ["payload", "said"] }],
  done: [{ type: "closed", at: ["ok"], is: true }],
});

interface Started {
  argv: string[];
  prompt: string;
  terminals: number[];
  heeds?: string;
}

const started = (rig: Rig): Promise<Started> => readJson(join(rig.home, "started"));
const hashOf = (text: string): string =>
  `${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}`;

test("P8 P10 a made-up program works with ten lines of configuration: system text once, no terminal", async () => {
  await using rig = await openRig((home) => ({ agents: { kit: madeUp(home) } }));
  await using session = await openSession(rig, "kit", { system: "Be brief." });
  expect(await session.turn("hello\nthere")).toMatchObject({ ok: true, reason: "end_turn" });
  expect(session.follower.text()).toBe(hashOf("hello\nthere"));
  const first = await started(rig);
  expect(first.terminals).toEqual([]);
  expect(first.argv).toContain("--batch");
  expect(first.argv).not.toContain("--continue");
  const told = first.argv[first.argv.indexOf("--tell") + 1] ?? "";
  expect(told.match(/Be brief\./g)).toHaveLength(1);
  expect(told).toContain("Working directory:");
  expect(first.prompt).toBe("[MESSAGE]\nhello\nthere");

  const { agentSessionId, capabilities } = await session.get();
  expect(agentSessionId).toMatch(/^talk-\d+$/);
  expect(capabilities).toEqual({
    ...{ approvals: "none", amend: false, denyReason: false, steer: false, resume: true, fork: false },
    ...{ freshContext: true, systemText: "system", reattach: true, heldByMode: false, completion: "event" },
  });
  await until(async () => (await session.get()).connection.status === "idle");
  expect(await session.turn("again")).toMatchObject({ ok: true });
  const { argv, prompt } = await started(rig);
  expect(argv[argv.indexOf("--continue") + 1]).toBe(agentSessionId);
  expect(prompt, "the agent remembers by itself").toBe("[MESSAGE]\nagain");
});

test("a conversation of a program's own is gone on with by one session, and by none of a program that has no memory", async () => {
  await using rig = await openRig((home) => ({
    agents: { kit: madeUp(home), forgetful: jsonl("jsonl-echo.mjs") },
  }));
  await using session = await openSession(rig, "kit", { agentSessionId: "talk-7" });
  expect(await session.turn("go on")).toMatchObject({ ok: true });
  const { argv } = await started(rig);
  expect(argv[argv.indexOf("--continue") + 1]).toBe("talk-7");

  const cwd = join(rig.home, "work");
  const adopt = (agent: string, agentSessionId: string) =>
    rig.client.ask("POST", "/api/sessions", { body: { agent, cwd, agentSessionId } });
  const { agentSessionId = "" } = await session.get();
  expect(await adopt("kit", agentSessionId)).toMatchObject({
    status: 400,
    body: {
      code: "BAD_REQUEST",
      issues: [{ path: "agentSessionId", message: expect.stringContaining(session.id) }],
    },
  });
  expect(await adopt("kit", "--all-is-allowed")).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", issues: [{ path: "agentSessionId" }] },
  });
  expect(await adopt("forgetful", "talk-8")).toMatchObject({
    status: 400,
    body: { code: "UNSUPPORTED", what: "agentSessionId" },
  });
});

test("P8 P9 without a flag the system text stands once in the prompt, and no flag is made up", async () => {
  await using rig = await openRig((home) => {
    const { systemFlag: _, ...preset } = madeUp(home);
    return { agents: { kit: preset } };
  });
  await using session = await openSession(rig, "kit", { system: "Be brief." });
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const { argv, prompt } = await started(rig);
  expect(argv).not.toContain("--tell");
  expect(prompt.match(/Be brief\./g)).toHaveLength(1);
  expect(prompt).toMatch(/^\[SYSTEM\]\n<env>[\s\S]*\n\nBe brief\.\n\n\[MESSAGE\]\nhello$/);
});

test("what a project's trust means to a program is what its configuration says, from its next process on", async () => {
  const trust = {
    trusted: { args: ["--heed"] },
    untrusted: { args: ["--distrust"], env: { HEEDS: "nothing" } },
  };
  await using rig = await openRig((home) => ({
    agents: { kit: { ...madeUp(home), trust }, bare: madeUp(home) },
  }));
  await using session = await openSession(rig);
  const startedWith = async () => {
    expect(await session.turn("hello")).toMatchObject({ ok: true });
    const { argv, heeds } = await started(rig);
    return { args: argv.filter((argument) => /^--(heed|distrust)$/.test(argument)), heeds };
  };
  expect(await startedWith()).toEqual({ args: ["--distrust"], heeds: "nothing" });
  const { projectId } = await session.get();
  await rig.client.patch(`/api/projects/${projectId}`, { trusted: true });
  expect(await startedWith()).toEqual({ args: ["--heed"] });
  const { agents } = await rig.client.get<{ agents: { agent: string; lacks: string[] }[] }>("/api/agents");
  const trustsAnything = agents.filter(({ lacks }) => lacks.includes("distrust")).map(({ agent }) => agent);
  expect(trustsAnything).toContain("bare");
  expect(trustsAnything).not.toContain("kit");
});

test("P1 200 KB and 768 KB of multi-byte text arrive whole", async () => {
  await using rig = await openRig((home) => ({ agents: { kit: madeUp(home) } }));
  await using session = await openSession(rig);
  for (const bytes of [200 * 1024, 786_432]) {
    const prompt = multibyte(bytes);
    expect(await session.turn(prompt)).toMatchObject({ ok: true });
    expect((await session.items()).at(-1)).toMatchObject({ kind: "text", text: hashOf(prompt) });
  }
});

/** Characters of one to four bytes, so many bytes in all. */
function multibyte(bytes: number): string {
  const pattern = "aé€😀";
  return pattern.repeat(Math.floor(bytes / 10)) + "x".repeat(bytes % 10);
}

test("P3 a message that does not fit beside the system text is refused with both sizes, and nothing starts", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-transcript.mjs") } });
  await using session = await openSession(rig, "kit", { system: "s".repeat(10_000) });
  const { status, body } = await rig.client.ask("POST", session.path("/messages"), {
    body: { content: "m".repeat(780_000) },
  });
  expect({ status, body }).toMatchObject({
    status: 413,
    body: { code: "PROMPT_TOO_LARGE", systemBytes: 10_000, messageBytes: 780_000 },
  });
  expect((await session.get()).run).toBe(0);
});

test("P3 a queued message cannot grow beyond what its agent is given, and stays as it was", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-hangs.mjs", "--count", "0") } });
  await using session = await openSession(rig, "kit", { system: "s".repeat(10_000) });
  await session.send("hang");
  const { messageId } = await session.send("short");
  const edited = await rig.client.ask("PATCH", session.path(`/queue/${messageId}`), {
    body: { content: "m".repeat(780_000) },
  });
  expect(edited).toMatchObject({ status: 413, body: { code: "PROMPT_TOO_LARGE", messageBytes: 780_000 } });
  const { body } = await rig.client.ask("GET", session.path("/queue"));
  expect(body).toMatchObject({ messages: [{ messageId, content: "short" }] });
});

test("an agent without a memory is given what was said before", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-transcript.mjs") } });
  await using session = await openSession(rig);
  expect((await session.get()).capabilities.resume).toBe(false);
  await session.turn("my name is Ada");
  expect(session.follower.text()).not.toContain("[CONTEXT]");
  await session.turn("what is my name?");
  const said = (await session.items()).at(-1)?.text ?? "";
  // The first answer repeats its own prompt, markers and all: the real ones carry a nonce.
  expect(said).toMatch(
    /^\[SYSTEM ([0-9a-f]{6})\]\n[\s\S]*\n\n\[CONTEXT \1\]\n\[\1\] user -> kit: my name is Ada\n/,
  );
  expect(said).toMatch(/\n\n\[MESSAGE [0-9a-f]{6}\]\nwhat is my name\?$/);
});

test("X10 exit 0 without a line that says so is no success", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-lines.mjs") } });
  await using session = await openSession(rig);
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

test("X11 a line turn.failed is a failure, with its words, whatever the exit code says", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-lines.mjs") } });
  await using session = await openSession(rig);
  const failed = await session.turn('{"type":"turn.failed","error":{"message":"The model is gone"}}');
  expect(failed).toMatchObject({
    ok: false,
    reason: "error",
    error: { code: "MODEL_ERROR", message: "The model is gone" },
  });
  const refused = await session.turn('{"type":"turn.failed","error":{"message":"No","status":401}}');
  expect(refused).toMatchObject({ reason: "auth", error: { code: "AUTH_FAILED", retry: "never" } });
});

test("an exit code other than 0 tells how it ended, with its last words", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-lines.mjs", "--count", "7") } });
  await using session = await openSession(rig);
  const done = await session.turn('{"type":"word","text":"x"}');
  expect(done).toMatchObject({ ok: false, reason: "crashed", error: { code: "AGENT_CRASHED" } });
  expect(done.error?.message).toContain("exit code 7");
});

test("S6 garbage between good lines is told once each, and the turn goes on", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-lines.mjs") } });
  await using session = await openSession(rig);
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

test("K5 an answer that only speaks of limits changes nothing, and a limit rule tells when a limit ends", async () => {
  const limit = [{ type: "blocked", at: ["why"], is: "quota", until: ["window", "ends"] }];
  await using rig = await openRig({ agents: { kit: { ...jsonl("jsonl-lines.mjs"), limit } } });
  await using session = await openSession(rig);
  const words = "429 Too Many Requests: usage limit reached, rate limit exceeded, turn.failed";
  const spoken = [
    { type: "word", text: words },
    { type: "blocked", why: "a door" },
    { type: "result", text: words },
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

test("X12 a program that stays after the end of its turn is ended, and its turn counts as done", async () => {
  await using rig = await openRig({
    agents: { kit: jsonl("jsonl-hangs.mjs") },
    // It is still there when its turn is seen to be over, however slow the machine.
    config: { supervision: { stopGrace: "4s" } },
  });
  await using session = await openSession(rig);
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  expect(processesOfSession(rig, session.id)).not.toEqual([]);
  await until(() => processesOfSession(rig, session.id).length === 0);
  expect(await session.turn("again")).toMatchObject({ ok: true });
});

test("an interrupt ends the process and cancels the turn; what is queued waits", async () => {
  await using rig = await openRig({ agents: { kit: jsonl("jsonl-hangs.mjs", "--count", "0") } });
  await using session = await openSession(rig);
  const { messageId } = await session.send("wait");
  await session.send("later");
  await until(() => session.follower.text() === "here");
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled", ok: false });
  expect(processesOfSession(rig, session.id)).toEqual([]);
  expect(await session.get()).toMatchObject({ queued: 1, queuePaused: true, state: "idle" });
});

test("X2 a missing program and a missing directory are named, and nothing is tried again", async () => {
  const missing = { name: "Nobody", driver: "jsonl", command: "no-such-program" };
  await using rig = await openRig({ agents: { kit: missing, lines: jsonl("jsonl-lines.mjs") } });
  await using session = await openSession(rig);
  expect(await session.turn("hello")).toMatchObject({
    reason: "error",
    error: { code: "AGENT_MISSING", message: "Could not start Nobody. Check that it's installed." },
  });
  expect((await session.get()).connection).toMatchObject({ status: "disconnected", gaveUp: false });
  await using other = await openSession(rig, "lines");
  await rm(join(rig.home, "work"), { recursive: true });
  expect(await other.turn("hello")).toMatchObject({ error: { code: "WORKSPACE_MISSING" } });
});

test("a mode the program has no arguments for is refused; without a wish it runs in the least permissive it has", async () => {
  await using rig = await openRig((home) => {
    // A shipped preset with its modes, and another program in its place.
    const { systemFlag: _flag, resume: _resume, sessionId: _id, ...program } = madeUp(home);
    return {
      agents: { cline: { ...program, prompt: "stdin" } },
      config: { sessions: { permissionMode: "acceptEdits" } },
    };
  });
  const body = { agent: "cline", cwd: join(rig.home, "work") };
  const refused = { status: 400, body: { code: "UNSUPPORTED", what: "permissionMode acceptEdits" } };
  const wish = { permissionMode: "acceptEdits" };
  expect(await rig.client.ask("POST", "/api/sessions", { body: { ...body, ...wish } })).toMatchObject(
    refused,
  );
  await using session = await openSession(rig, "cline");
  expect(await session.get()).toMatchObject({ permissionMode: "ask" });
  expect(await rig.client.ask("PATCH", session.path(), { body: wish })).toMatchObject(refused);
  await rig.client.patch(session.path(), { permissionMode: "never", model: "m1" });
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const { argv } = await started(rig);
  expect(argv.join(" ")).toContain("--auto-approve true -m m1");
});

test("a model and MCP servers are refused where the program takes none", async () => {
  await using rig = await openRig((home) => ({ agents: { kit: madeUp(home) } }));
  await using session = await openSession(rig);
  for (const [what, wish] of [
    ["model", { model: "m1" }],
    ["mcpServers", { mcpServers: { tools: { command: "tools" } } }],
  ] as const) {
    expect(await rig.client.ask("PATCH", session.path(), { body: wish })).toMatchObject({
      status: 400,
      body: { code: "UNSUPPORTED", what },
    });
  }
});

test("a stateful program keeps one process for its session, and is told where it is with its first prompt", async () => {
  const stateful = { ...jsonl("jsonl-stateful.mjs"), stateful: true };
  await using rig = await openRig({
    agents: { kit: stateful },
    config: { supervision: { backoff: "50ms" } },
  });
  await using session = await openSession(rig);
  expect(await session.turn("one")).toMatchObject({ ok: true });
  const { pid } = (await session.get()).connection;
  expect(await session.turn("two\nlines")).toMatchObject({ ok: true });
  const { connection, capabilities } = await session.get();
  expect(connection).toMatchObject({ status: "connected", pid });
  expect(capabilities.freshContext).toBe(false);
  const [first, second] = (await session.items())
    .filter(({ kind }) => kind === "text")
    .map(({ text }) => text);
  expect(first).toMatch(/^1: \[SYSTEM\]\n<env>[\s\S]*\[MESSAGE\]\none$/);
  expect(second).toBe("2: two\nlines");

  expect(await session.turn("now die")).toMatchObject({ ok: false, error: { code: "AGENT_CRASHED" } });
  expect(await session.turn("three")).toMatchObject({ ok: true });
  const third = (await session.items()).at(-1)?.text;
  expect(third, "the new process is told what was said").toContain("user -> kit: one\n");
  expect(third).toMatch(/^1: [\s\S]*three$/);
});

test("a stopped session has no process, and goes on with its conversation", async () => {
  await using rig = await openRig((home) => ({
    agents: {
      kit: madeUp(home),
      hangs: jsonl("jsonl-hangs.mjs", "--count", "0"),
    },
  }));
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
