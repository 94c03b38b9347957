// A server whose every string is hostile.
import type { FakeServer } from "./fake-server.ts";
import { anApproval, aQuestion, aSession, turnId, turnOf } from "./fixtures.ts";
import { allHostileWords, poisoned } from "./hostile-words.ts";

export const at = "2026-02-18T14:30:00.000Z";

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
export const events = [
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

export const asks = [
  { ...approval, id: `${approval.id}${idWords}`, diffs: [{ path: "a", oldText: "b", newText: "c" }] },
  {
    ...question,
    id: `${question.id}${idWords}`,
    questions: question.questions?.map((one) => ({ ...one, id: `q1${allHostileWords}` })),
  },
].map((one) => poisoned({ ...one, deadline: at, reason: "because" }));
export const [approvalId = "", questionId = ""] = asks.map(({ id }) => id);

/** Makes every string in the answers of `server` hostile. */
export function poison(server: FakeServer): void {
  const reason = { code: "X", message: "because", until: at };
  const { workspace, connection } = aSession();
  server.session = poisoned(
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
  server.interactions = asks;
  server.items = items;
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
  Object.assign(server.routes, {
    "GET /api/agents": () => ({ body: poisoned({ agents: [agent, { ...agent, installed: false }] }) }),
    "GET /api/agents/kit/conversations": () => ({ body: poisoned({ conversations: [conversation] }) }),
    "GET /api/sessions/:id/log": () => ({ body: raw }),
    "GET /api/sessions/:id/diff": () => ({ body: `diff --git a/x b/x\n+${allHostileWords}\n-a\rb\n` }),
    "GET /api/sessions/:id/workspace": () => ({
      body: poisoned({ mode: "local", path: "/home", versioned: true, files: [file] }),
    }),
    "POST /api/sessions/:id/fork": () => ({ status: 201, body: server.session }),
    "POST /api/sessions": () => ({ status: 201, body: server.session }),
    "POST /api/sessions/:id/messages": () => ({
      status: 202,
      body: { ...poisoned({ ...receipt, degradedBecause: "idle" }), turnId, cursor: 0, applied: "started" },
    }),
    "POST /api/login/codes": () => ({
      status: 201,
      body: poisoned({ login: "http://127.0.0.1/login#CODE" }),
    }),
  });
}
