import { emptyState, type Interaction, type Item, type SessionState } from "@drover/core";
import {
  type Append,
  type EncodedEvent,
  localWorkspace,
  type SessionRow,
  type SessionUpdate,
  type Store,
} from "../../packages/server/src/ports.ts";

let made = 0;

/** The node that owns what these functions create. */
export const node = "node-1";

/** A session id like Drover's; later ones sort after earlier ones. */
export const newSessionId = (): string => `ses_${String(++made).padStart(26, "0")}`;

export function makeRow(changes: Partial<SessionRow> = {}): SessionRow {
  const id = changes.id ?? newSessionId();
  return {
    id,
    name: `otter-${id.slice(-6).replace(/^0+/, "")}`,
    cwd: "/home/user/project",
    workspace: localWorkspace(changes.cwd ?? "/home/user/project"),
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    archived: false,
    about: {
      title: "A title",
      kind: "session",
      agent: "demo",
      driver: "acp",
      permissionMode: "ask",
      grants: [],
    },
    runtime: { run: 0, pending: {}, stopping: false },
    state: emptyState,
    stateName: "idle",
    live: false,
    openFrom: 1,
    seenSeq: 0,
    ...changes,
  };
}

export const withState = (row: SessionRow, state: Partial<SessionState>): SessionRow => ({
  ...row,
  state: { ...row.state, ...state },
});

/** A range of the log: `from`…`seq`, with the text its frame would carry. */
export function stretch(from: number, seq = from, text = `${from}-${seq}`): EncodedEvent {
  return { from, seq, type: "text_delta", data: JSON.stringify({ type: "text_delta", from, seq, text }) };
}

/** One event with one number, as the engine encodes it. */
export function encoded(seq: number, body: { type: string } & Record<string, unknown>): EncodedEvent {
  return { from: seq, seq, type: body.type, data: JSON.stringify({ seq, from: seq, ...body }) };
}

export function makeItem(seq: number, id = `itm_${seq}`): Item {
  return {
    id,
    kind: "text",
    status: "complete",
    at: "2026-01-01T00:00:00.000Z",
    seq,
    text: `item ${seq}`,
  };
}

export function makeToolItem(seq: number, toolCallId: string): Item {
  const tool = { toolCallId, toolName: "run", kind: "execute", title: "run", status: "complete" } as const;
  return { ...makeItem(seq), kind: "tool", tool };
}

export function makeInteraction(row: SessionRow, changes: Partial<Interaction> = {}): Interaction {
  return {
    id: `int_${String(++made).padStart(26, "0")}`,
    sessionId: row.id,
    sessionName: row.name,
    agent: "demo",
    kind: "approval",
    toolCallId: "call-1",
    scopes: ["once"],
    input: { command: "true" },
    createdAt: "2026-01-01T00:00:00.000Z",
    remainingMs: 600_000,
    state: "open",
    ...changes,
  };
}

/** Appends ranges to a session's log and returns the resulting row. */
export async function extendLog(
  store: Store,
  row: SessionRow,
  more: Partial<Append & SessionUpdate> & Pick<Append, "events">,
): Promise<SessionRow> {
  const { row: wanted, items = [], interactions = [], proposals, ...append } = more;
  const lastSeq = more.events.at(-1)?.seq ?? row.state.lastSeq;
  const next = wanted ?? withState(row, { lastSeq });
  await store.append({
    stream: row.id,
    epoch: 1,
    expectedSeq: row.state.lastSeq,
    durability: "output",
    session: { row: next, items, interactions, proposals },
    ...append,
  });
  return next;
}

export async function createSession(store: Store, changes: Partial<SessionRow> = {}): Promise<SessionRow> {
  const row = makeRow(changes);
  await store.create({ row }, node);
  return row;
}

/** The numbers that a log covers, as `1-3 4 5-9`. */
export const rangesOf = (events: readonly EncodedEvent[]): string =>
  events.map(({ from, seq }) => (from === seq ? `${seq}` : `${from}-${seq}`)).join(" ");

/** Every range of a log, read in pages of about `maxBytes`. */
export async function readLog(
  store: Store,
  sessionId: string,
  maxBytes = 1_000_000,
): Promise<EncodedEvent[]> {
  const all: EncodedEvent[] = [];
  for (;;) {
    const page = await store.events(sessionId, all.at(-1)?.seq ?? 0, maxBytes);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
