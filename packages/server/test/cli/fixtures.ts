// A session, its interactions and its events for the command tests.
import type { Interaction, Session } from "@drover/core";

/** An event as a test writes it. The fake server adds its numbers, session and time. */
export type EventFields = Record<string, unknown> & { type: string };

export const sessionId = "ses_01hv0000000000000000000001";
export const messageId = "msg_01hv0000000000000000000001";
export const turnId = "trn_01hv0000000000000000000001";

export const aSession = (fields: Partial<Session> = {}): Session => ({
  id: sessionId,
  name: "brave-otter",
  title: "Fix the test",
  kind: "session",
  agent: "demo",
  driver: "acp",
  state: "idle",
  archived: false,
  cwd: "/home/me/project",
  workspace: { mode: "local", path: "/home/me/project", projectDir: "/home/me/project", confined: false },
  permissionMode: "ask",
  run: 1,
  connection: { status: "connected", attempt: 0, gaveUp: false, pid: 4711 },
  queued: 0,
  queuePaused: false,
  openInteractions: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  capabilities: {
    approvals: "live",
    amend: false,
    denyReason: false,
    steer: false,
    images: false,
    resume: true,
    fork: false,
    freshContext: false,
    systemText: "system",
    reattach: true,
    heldByMode: true,
    completion: "event",
  },
  lastSeq: 0,
  createdAt: "2026-02-18T14:30:00.000Z",
  updatedAt: "2026-02-18T14:30:00.000Z",
  ...fields,
});

export const anApproval = (fields: Partial<Interaction> = {}): Interaction => ({
  id: "int_01hv0000000000000000000001",
  sessionId,
  sessionName: "brave-otter",
  agent: "demo",
  kind: "approval",
  toolCallId: "call-1",
  turnId,
  toolName: "run",
  toolKind: "execute",
  title: "Run npm test",
  input: { command: "npm test" },
  inputHash: "abc",
  scopes: ["once", "session"],
  createdAt: "2026-02-18T14:30:00.000Z",
  state: "open",
  ...fields,
});

const withoutTool = ({ toolName: _n, toolKind: _k, title: _t, input: _i, ...rest }: Interaction) => rest;

export const aQuestion = (fields: Partial<Interaction> = {}): Interaction => ({
  ...withoutTool(anApproval()),
  id: "int_01hv0000000000000000000002",
  kind: "question",
  toolCallId: "call-2",
  scopes: [],
  questions: [
    {
      id: "q1",
      question: "Which colour?",
      options: [{ label: "Red" }, { label: "Dark blue", description: "like the sea" }],
      multiSelect: false,
    },
  ],
  ...fields,
});

/** The `turn` of a running session. */
export const runningTurn = { id: turnId, messageId: "msg_1", startedAt: "2026-02-18T14:30:00.000Z" };

/** The events of a plain turn: the words as deltas of one item. */
export const turnOf = (...words: string[]): EventFields[] => [
  { type: "turn_start", turnId, messageId, lockedBy: "cli" },
  { type: "message", turnId, itemId: "itm_m", messageId, content: "do it", by: "cli" },
  ...words.map((text) => ({ type: "text_delta", turnId, itemId: "itm_1", text })),
];

export const done = (fields: Record<string, unknown> = {}): EventFields => ({
  type: "done",
  turnId,
  reason: "end_turn",
  ok: true,
  partial: false,
  ...fields,
});
