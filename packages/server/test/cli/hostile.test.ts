// Every command that prints what others wrote, on a terminal, against a server whose every string is hostile.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { harmless } from "../../src/cli/terminal/harmless.ts";
import { identify } from "../../src/process/identity.ts";
import { anApproval, aQuestion, aSession, done, turnId, turnOf } from "./fake-server.ts";
import { allHostileWords, colours, hostileWords, poisoned, strays } from "./hostile-words.ts";
import type { Started } from "./run-cli.ts";
import { pressUntil, suite } from "./suite.ts";

const t = suite();
const at = "2026-02-18T14:30:00.000Z";

const item = (seq: number, fields: Record<string, unknown>) =>
  poisoned({ id: `itm_${seq}`, turnId, status: "complete", at, seq, ...fields });

const tool = (status: string, parentToolCallId?: string) => ({
  ...{
    toolCallId: `call-${status}`,
    toolName: "run",
    kind: "execute",
    title: "Run",
    status,
    parentToolCallId,
  },
  result: [{ type: "content", content: { type: "text", text: "output" } }],
});

const items = [
  item(1, { kind: "user", text: "do it", by: "web:page" }),
  item(2, { kind: "text", text: "words" }),
  item(3, { kind: "thinking", text: "thoughts" }),
  item(4, { kind: "tool", tool: tool("complete") }),
  item(5, { kind: "tool", tool: tool("error") }),
  item(6, { kind: "tool", tool: tool("denied", "call-error") }),
  item(7, { kind: "tasks", tasks: [{ id: "1", status: "pending", title: "a task" }] }),
  item(8, { kind: "notice", text: "a notice" }),
];

const error = { code: "AGENT_MISSING", message: "It failed", retry: "never", stderrTail: "trace\nback" };

/** Everything that can happen in a turn. */
const events = [
  ...turnOf("words", "more\u001b", "]0;split\u0007", "\u001b[3", "1m"),
  { type: "thinking_delta", turnId, itemId: "itm_2", text: "hm" },
  { type: "tool_call_start", turnId, ...tool("complete") },
  { type: "tool_result", turnId, ...tool("complete") },
  { type: "tool_result", turnId, ...tool("error") },
  { type: "tool_result", turnId, ...tool("denied") },
  {
    type: "task_update",
    turnId,
    action: "snapshot",
    tasks: [{ id: "1", status: "pending", title: "a task" }],
  },
  { type: "session_status", state: "stalled", reason: { code: "X", message: "because" } },
  { type: "notice", code: "X", message: "a notice", facts: {} },
  {
    ...{ type: "interaction_resolved", turnId, interactionId: "int_x", toolCallId: "x", kind: "question" },
    ...{ resolution: "denied", by: "web:page", reason: "no", scope: "session" },
  },
  { type: "error", turnId, ...error },
].map((event) => poisoned(event));

const [approval, question] = [anApproval(), aQuestion()];
/** An id that a path can hold: half characters cannot be sent. */
const idWords = allHostileWords.replaceAll(/\p{Cs}/gu, "");

const asks = [
  { ...approval, id: `${approval.id}${idWords}`, diffs: [{ path: "a", oldText: "b", newText: "c" }] },
  {
    ...question,
    id: `${question.id}${idWords}`,
    questions: question.questions?.map((one) => ({ ...one, id: `q1${allHostileWords}` })),
  },
].map((one) => poisoned({ ...one, deadline: at, reason: "because" }));
const [approvalId = "", questionId = ""] = asks.map(({ id }) => id);

beforeEach(() => {
  const reason = { code: "X", message: "because", until: at };
  const { workspace, connection } = aSession();
  t.server.session = poisoned(
    aSession({
      id: `ses_1${idWords}`,
      ...{
        state: "waiting_for_quota",
        model: "big",
        reason,
        openInteractions: 2,
        queued: 2,
        queuePaused: true,
      },
      ...{ workspace: { ...workspace, mode: "worktree" }, connection: { ...connection, lastError: "gone" } },
      turn: { id: turnId, messageId: "msg_1", startedAt: at },
    }),
  );
  t.server.interactions = asks;
  t.server.items = items;
  const file = { path: "src/a.ts", status: "modified", added: 1, removed: 2, binary: false };
  const agent = {
    ...{
      agent: "kit",
      name: "Kit",
      driver: "acp",
      command: "kit",
      installed: true,
      version: "1",
      login: "missing",
    },
    ...{
      remedy: "log in",
      connections: [{ sessionId: "ses_1", status: "connected", attempt: 0 }],
      lacks: [],
    },
    capabilities: aSession().capabilities,
  };
  const conversation = {
    agentSessionId: "uuid-1",
    title: "A talk",
    cwd: "/home/me",
    updatedAt: at,
    sessionId: "ses_1",
  };
  const raw = Buffer.concat([Buffer.from(allHostileWords), Buffer.from([0x9b, 0x32, 0x4a, 0xff, 0x1b])]);
  const receipt = {
    messageId: "msg_2",
    sessionId: "ses_1",
    queuePosition: 1,
    requested: "steer",
    applied: "queued",
  };
  Object.assign(t.server.routes, {
    "GET /api/agents": () => ({ body: poisoned({ agents: [agent, { ...agent, installed: false }] }) }),
    "GET /api/agents/kit/conversations": () => ({ body: poisoned({ conversations: [conversation] }) }),
    "GET /api/sessions/:id/log": () => ({ body: raw }),
    "GET /api/sessions/:id/diff": () => ({ body: `diff --git a/x b/x\n+${allHostileWords}\n-a\rb\n` }),
    "GET /api/sessions/:id/workspace": () => ({
      body: poisoned({ mode: "local", path: "/home", versioned: true, files: [file] }),
    }),
    "POST /api/sessions/:id/fork": () => ({ status: 201, body: t.server.session }),
    "POST /api/sessions": () => ({ status: 201, body: t.server.session }),
    "POST /api/sessions/:id/messages": () => ({
      status: 202,
      body: { ...poisoned({ ...receipt, degradedBecause: "idle" }), turnId, cursor: 0, applied: "started" },
    }),
    "POST /api/login/codes": () => ({
      status: 201,
      body: poisoned({ login: "http://127.0.0.1/login#CODE" }),
    }),
  });
});

const run = (args: readonly string[]): Started => t.drover(args, { terminal: true });

/** What a terminal got: there must be something hostile to see in it. */
function expectHarmless(cli: Started): void {
  expect(strays(cli.stdout()), "standard output").toEqual([]);
  expect(strays(cli.stderr()), "standard error").toEqual([]);
  // No colours are on: whatever looks like one is not ours.
  expect(cli.stdout() + cli.stderr()).not.toMatch(colours);
}

/** Its name in the report must not steer the terminal that shows it, either. */
const named = (args: readonly string[]) => ({ args, name: harmless(args.join(" ")).slice(0, 40) });

describe("a command on a terminal", () => {
  test.for(
    [
      ["ls"],
      ["ls", "--json"],
      ["show", "x"],
      ["show", "x", "--json"],
      ["permit"],
      ["permit", "--json"],
      ["permit", "allow", approvalId],
      ["permit", "deny", approvalId, "--json"],
      ["answer", questionId, "red"],
      ["answer", approvalId, "red"],
      ["permit", "allow", questionId],
      ["logs", "x"],
      ["logs", "x", "--json"],
      ["logs", "x", "--raw"],
      ["logs", "x", "--stream", "stderr"],
      ["diff", "x"],
      ["diff", "x", "--stat"],
      ["diff", "x", "--json"],
      ["agents"],
      ["agents", "--json"],
      ["conversations", "kit"],
      ["conversations", "kit", "--json"],
      ["adopt", "kit", "uuid-1"],
      ["adopt", "kit", `uuid-1${allHostileWords}`],
      ["fork", "x"],
      ["send", "x", "more"],
      ["send", "x", "more", "--steer"],
      ["interrupt", "x"],
      ["stop", "x"],
      ["resume", "x"],
      ["rm", "x"],
      ["run", "demo", "x", "--detach"],
      ["wait", "x", "--no-wait"],
      ["wait", "x", "--timeout", "50ms"],
      [],
      ["--json"],
      [`no-such-command${allHostileWords}`],
      ["ls", "--server", `http://${allHostileWords}`],
    ].map(named),
  )("H5 drover $name lets no control sequence through", async ({ args }) => {
    const cli = run(args);
    await cli.ended;
    expectHarmless(cli);
    expect(cli.stdout() + cli.stderr()).not.toBe("");
  });

  test.for(
    [
      ["run", "demo", "x"],
      ["run", "demo", "x", "--json"],
      ["send", "x", "more", "--wait"],
    ].map(named),
  )("H5 drover $name lets no control sequence of a whole turn through", async ({ args }) => {
    const cli = run(args);
    await t.streaming();
    t.server.tell(
      ...events,
      done({ ok: false, ...poisoned({ reason: "error", error: { message: "It failed" } }) }),
    );
    expect(await cli.ended).toBe(1);
    expectHarmless(cli);
    expect(cli.stdout() + cli.stderr()).toContain("PAYLOAD");
  });

  test("H5 run --yes and run --no-wait show what is asked without a control sequence", async () => {
    for (const flags of [["--yes"], ["--no-wait"]]) {
      const cli = run(["run", "demo", "x", ...flags]);
      await t.streaming();
      t.server.tell(...turnOf("a"), { ...asks[0], type: "approval_required" });
      await cli.says("PAYLOAD");
      t.server.tell(done());
      await cli.ended;
      expectHarmless(cli);
    }
  });

  test("H5 attach and what it asks let no control sequence through", async () => {
    const cli = run(["attach", "x"]);
    await cli.says("y allow once");
    await pressUntil(cli, "n", () => cli.stderr().includes("Why?"));
    cli.type(`${"\u007f".repeat(99)}because \u001b[200~${allHostileWords}\u001b[201~\r`);
    await t.server.wasAsked("POST", /deny$/);
    await cli.says("a number to choose");
    t.server.tell(...events, done());
    await pressUntil(cli, "1", () => t.server.asked.some(({ path }) => path.endsWith("/submit-answers")));
    await cli.says("— end turn");
    cli.type("\u0015\u0004");
    await cli.ended;
    expectHarmless(cli);
  });

  test("H5 logs -f lets no control sequence through", async () => {
    t.server.tell(...events);
    const cli = run(["logs", "x", "-f"]);
    await cli.says("It failed");
    cli.interrupt();
    await cli.ended;
    expectHarmless(cli);
  });

  test.for([
    ["a refusal", { status: 409, body: poisoned({ error: "No", code: "NEW", files: ["a"] }) }],
    ["an answer of another program", { status: 502, body: allHostileWords }],
    ["an answer that is no JSON", { status: 200, body: allHostileWords }],
    ["an answer without what belongs in it", { status: 200, body: poisoned({ unexpected: "x" }) }],
  ] as const)("H5 %s lets no control sequence through", async ([, reply]) => {
    for (const path of ["GET /api/sessions/:id", "DELETE /api/sessions/:id"])
      t.server.routes[path] = () => reply;
    for (const args of [
      ["show", "x"],
      ["show", "x", "--json"],
      ["rm", "x"],
    ]) {
      const cli = run(args);
      await cli.ended;
      expectHarmless(cli);
      expect(cli.stdout() + cli.stderr()).not.toBe("");
    }
  });

  test("H5 what server.json says of a server lets no control sequence through", async () => {
    const about = { url: t.server.url, version: allHostileWords, startedAt: at };
    await writeFile(join(t.home, "server.json"), JSON.stringify({ ...identify(process.pid), ...about }));
    for (const args of [["ls"], ["doctor"], ["serve", "--detach"]]) {
      const cli = run(args);
      await cli.ended;
      expectHarmless(cli);
    }
  });
});

describe("without a terminal", () => {
  test("an agent's text, raw log and diff are passed on as they are", async () => {
    const cli = t.drover(["run", "demo", "x"]);
    await t.streaming();
    t.server.tell(...turnOf(allHostileWords.replaceAll(/\p{Cs}/gu, "")), done());
    await cli.ended;
    expect(cli.stdout()).toBe(`${allHostileWords.replaceAll(/\p{Cs}/gu, "")}\n`);
    const diff = t.drover(["diff", "x"]);
    await diff.ended;
    expect(diff.stdout()).toContain("\n-a\rb\n");
    expect(diff.stdout()).toContain(hostileWords["OSC 52 (clipboard)"]);
  });

  test("what Drover says about it is harmless all the same, since it may be shown later", async () => {
    for (const args of [
      ["ls"],
      ["show", "x"],
      ["permit"],
      ["wait", "x", "--no-wait"],
      ["conversations", "kit"],
    ]) {
      const cli = t.drover(args);
      await cli.ended;
      expectHarmless(cli);
    }
  });
});

test("H5 nothing in the CLI but the writer writes to a stream", async () => {
  const source = join(import.meta.dirname, "../../src");
  const inCli = (await readdir(join(source, "cli"), { recursive: true })).map((path) => `cli/${path}`);
  const writing = /\.write\(|\bprocess\s*\.\s*std(out|err)|\bconsole\b|\bWriteStream\b|\bwriteSync\b/;
  const writers: string[] = [];
  for (const path of ["serve.ts", ...inCli.filter((name) => name.endsWith(".ts"))]) {
    if (writing.test(await readFile(join(source, path), "utf8"))) writers.push(path);
  }
  expect(writers).toEqual(["cli/terminal/writer.ts"]);
  const main = await readFile(join(source, "main.ts"), "utf8");
  expect(main.match(/process\.std(out|err)\b.*/g)).toEqual([
    "process.stdout,",
    "process.stderr,",
    'process.stdout.on("error", (error: NodeJS.ErrnoException) => {',
  ]);
});
