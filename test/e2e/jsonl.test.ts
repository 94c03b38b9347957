// Programs without a protocol that answer a prompt with lines of JSON, described by configuration alone.
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { jsonl, madeUp, started } from "./jsonl-programs.ts";
import { openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig((home) => {
    const { systemFlag: _flag, ...flagless } = madeUp(home);
    const { resume: _resume, sessionId: _id, ...program } = flagless;
    const trust = {
      trusted: { args: ["--heed"] },
      untrusted: { args: ["--distrust"], env: { HEEDS: "nothing" } },
    };
    return {
      agents: {
        kit: madeUp(home),
        flagless,
        wary: { ...madeUp(home), trust },
        // A shipped preset with its modes, but with another program.
        cline: { ...program, prompt: "stdin" },
        forgetful: jsonl("jsonl-transcript.mjs"),
        hangs: jsonl("jsonl-hangs.mjs", "--count", "0"),
        stateful: { ...jsonl("jsonl-stateful.mjs"), stateful: true },
      },
      // A mode that none of these programs has.
      config: { sessions: { permissionMode: "acceptEdits" }, supervision: { backoff: "50ms" } },
    };
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const hashOf = (text: string): string =>
  `${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}`;

test("P8 P10 a custom program works with ten lines of configuration, gets its system text once and has no terminal", async () => {
  await using session = await openSession(rig, "kit", { system: "Be brief." });
  expect(await session.turn("hello\nthere")).toMatchObject({ ok: true, reason: "end_turn" });
  expect(session.follower.text()).toBe(hashOf("hello\nthere"));
  const first = await started(rig);
  expect(first.terminals).toEqual([]);
  expect(first.argv).toContain("--batch");
  expect(first.argv).not.toContain("--continue");
  const system = first.argv[first.argv.indexOf("--tell") + 1] ?? "";
  expect(system.match(/Be brief\./g)).toHaveLength(1);
  expect(system).toContain("Working directory:");
  expect(first.prompt).toBe("[MESSAGE]\nhello\nthere");

  const { agentSessionId, capabilities } = await session.get();
  expect(agentSessionId).toMatch(/^talk-\d+$/);
  expect(capabilities).toEqual({
    ...{
      approvals: "none",
      amend: false,
      denyReason: false,
      steer: false,
      images: false,
      resume: true,
      fork: false,
    },
    ...{ freshContext: true, systemText: "system", reattach: true, heldByMode: false, completion: "event" },
  });
  await until(async () => (await session.get()).connection.status === "idle");
  expect(await session.turn("again")).toMatchObject({ ok: true });
  const { argv, prompt } = await started(rig);
  expect(argv[argv.indexOf("--continue") + 1]).toBe(agentSessionId);
  expect(prompt, "the agent keeps its own memory").toBe("[MESSAGE]\nagain");
});

test("only one session can continue a program's conversation, and none can if the program has no memory", async () => {
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

test("P8 P9 without a flag for it, the system text is in the prompt once, and no flag is invented", async () => {
  await using session = await openSession(rig, "flagless", { system: "Be brief." });
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const { argv, prompt } = await started(rig);
  expect(argv).not.toContain("--tell");
  expect(prompt.match(/Be brief\./g)).toHaveLength(1);
  expect(prompt).toMatch(/^\[SYSTEM\]\n<env>[\s\S]*\n\nBe brief\.\n\n\[MESSAGE\]\nhello$/);
});

test("a program's configuration decides what trusting a project means to it, starting with its next process", async () => {
  // A separate project, because trust would apply to the other tests, too.
  const cwd = join(rig.home, "judged");
  await mkdir(cwd);
  await using session = await openSession(rig, "wary", { cwd });
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
  expect(trustsAnything).toContain("kit");
  expect(trustsAnything).not.toContain("wary");
});

test("P1 200 KB and 768 KB of multi-byte text arrive whole", async () => {
  await using session = await openSession(rig);
  for (const bytes of [200 * 1024, 786_432]) {
    const prompt = multibyte(bytes);
    expect(await session.turn(prompt)).toMatchObject({ ok: true });
    expect((await session.items()).at(-1)).toMatchObject({ kind: "text", text: hashOf(prompt) });
  }
});

/** Text of exactly this many bytes, in characters of one to four bytes. */
function multibyte(bytes: number): string {
  const pattern = "aé€😀";
  return pattern.repeat(Math.floor(bytes / 10)) + "x".repeat(bytes % 10);
}

test("P3 a message that does not fit next to the system text is refused with both sizes, and nothing starts", async () => {
  await using session = await openSession(rig, "forgetful", { system: "s".repeat(10_000) });
  const { status, body } = await rig.client.ask("POST", session.path("/messages"), {
    body: { content: "m".repeat(780_000) },
  });
  expect({ status, body }).toMatchObject({
    status: 413,
    body: { code: "PROMPT_TOO_LARGE", systemBytes: 10_000, messageBytes: 780_000 },
  });
  expect((await session.get()).run).toBe(0);
});

test("P3 an edit that makes a queued message too large for its agent is refused, and the message stays unchanged", async () => {
  await using session = await openSession(rig, "hangs", { system: "s".repeat(10_000) });
  await session.send("hang");
  const { messageId } = await session.send("short");
  const edited = await rig.client.ask("PATCH", session.path(`/queue/${messageId}`), {
    body: { content: "m".repeat(780_000) },
  });
  expect(edited).toMatchObject({ status: 413, body: { code: "PROMPT_TOO_LARGE", messageBytes: 780_000 } });
  const { body } = await rig.client.ask("GET", session.path("/queue"));
  expect(body).toMatchObject({ messages: [{ messageId, content: "short" }] });
});

test("an agent without a memory gets the earlier conversation with its prompt", async () => {
  await using session = await openSession(rig, "forgetful");
  expect((await session.get()).capabilities.resume).toBe(false);
  await session.turn("my name is Ada");
  expect(session.follower.text()).not.toContain("[CONTEXT]");
  await session.turn("what is my name?");
  const said = (await session.items()).at(-1)?.text ?? "";
  // The first answer repeats its own prompt, markers and all: the real ones carry a nonce.
  expect(said).toMatch(
    /^\[SYSTEM ([0-9a-f]{6})\]\n[\s\S]*\n\n\[CONTEXT \1\]\n\[\1\] user -> forgetful: my name is Ada\n/,
  );
  expect(said).toMatch(/\n\n\[MESSAGE [0-9a-f]{6}\]\nwhat is my name\?$/);
});

test("a mode that a program has no arguments for is refused, and the default is its least permissive mode", async () => {
  const body = { agent: "cline", cwd: join(rig.home, "work") };
  const refused = { status: 400, body: { code: "UNSUPPORTED", what: "permissionMode acceptEdits" } };
  const fields = { permissionMode: "acceptEdits" };
  expect(await rig.client.ask("POST", "/api/sessions", { body: { ...body, ...fields } })).toMatchObject(
    refused,
  );
  await using session = await openSession(rig, "cline");
  expect(await session.get()).toMatchObject({ permissionMode: "ask" });
  expect(await rig.client.ask("PATCH", session.path(), { body: fields })).toMatchObject(refused);
  await rig.client.patch(session.path(), { permissionMode: "never", model: "m1" });
  expect(await session.turn("hello")).toMatchObject({ ok: true });
  const { argv } = await started(rig);
  expect(argv.join(" ")).toContain("--auto-approve true -m m1");
});

test("a model and MCP servers are refused for a program that takes none", async () => {
  await using session = await openSession(rig);
  for (const [what, fields] of [
    ["model", { model: "m1" }],
    ["mcpServers", { mcpServers: { tools: { command: "tools" } } }],
  ] as const) {
    expect(await rig.client.ask("PATCH", session.path(), { body: fields })).toMatchObject({
      status: 400,
      body: { code: "UNSUPPORTED", what },
    });
  }
});

test("a stateful program keeps one process for its session, and gets its context with the first prompt", async () => {
  await using session = await openSession(rig, "stateful");
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
  expect(third, "the new process gets the earlier conversation").toContain("user -> stateful: one\n");
  expect(third).toMatch(/^1: [\s\S]*three$/);
});
