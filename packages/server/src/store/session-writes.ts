import type { DatabaseSync } from "node:sqlite";
import {
  type Append,
  type NewSession,
  type SessionRow,
  type SessionWorkspace,
  StoreError,
} from "../ports.ts";
import type { AlarmTable } from "./alarms.ts";
import type { Interactions } from "./interactions.ts";
import type { Items } from "./items.ts";
import type { LogReads } from "./log-reads.ts";
import type { LogWrites } from "./log-writes.ts";
import type { PendingTable } from "./pending-workspaces.ts";
import type { ProposalTable } from "./proposals.ts";
import type { ReactionTables } from "./reactions.ts";
import type { RecordTables } from "./records.ts";
import { encodeRow, isEmptyPart, type Parts, partNames, partsOf } from "./session-row.ts";

/** Runs inside the writer's transactions; each operation rejects before it writes. */
export interface SessionWrites {
  /** The epoch of a node that owns the stream; undefined if it has to claim it first. Writes nothing. */
  epochOf(stream: string, node: string): number | undefined;
  claim(stream: string, node: string): number;
  append(append: Append): void;
  create(session: NewSession, node: string): void;
  remove(sessionId: string, removal: Removal): void;
  /** After a rollback: what is remembered about sessions may differ from what is stored. */
  forget(): void;
}

export interface Removal {
  readonly epoch: number;
  readonly deletedAt: string;
  readonly leaves: SessionWorkspace | undefined;
}

/** What the store last wrote for a session. Kept for live sessions only, to bound its size. */
interface Known {
  readonly key: number;
  readonly epoch: number;
  readonly lastSeq: number;
  readonly name: string;
  readonly parts: Partial<Parts>;
}

interface Identity {
  readonly key: number;
  readonly name: string;
  readonly owner: string | null;
  readonly epoch: number;
}

interface Needs {
  readonly logReads: LogReads;
  readonly logWrites: LogWrites;
  readonly items: Items;
  readonly interactions: Interactions;
  readonly records: RecordTables;
  readonly reactions: ReactionTables;
  readonly alarms: AlarmTable;
  readonly pending: PendingTable;
  readonly proposals: ProposalTable;
}

export function prepareSessionWrites(
  db: DatabaseSync,
  { logReads, logWrites, items, interactions, records, reactions, alarms, pending, proposals }: Needs,
): SessionWrites {
  const insert = db.prepare(`
    INSERT INTO sessions (id, name, cwd, project_dir, workspace, created_at, updated_at, archived, state_name, live,
      open_from, seen_seq, unread, review, batch, agent_session_id, runtime, state, owner, epoch)
    VALUES (:id, :name, :cwd, :project_dir, :workspace, :created_at, :updated_at, :archived, :state_name, :live,
      :open_from, :seen_seq, :unread, :review, :batch, :agent_session_id, :runtime, :state, :owner, 1)`);
  const update = db.prepare(`
    UPDATE sessions SET name = :name, cwd = :cwd, project_dir = :project_dir, workspace = :workspace,
      created_at = :created_at, updated_at = :updated_at, archived = :archived, state_name = :state_name,
      live = :live, open_from = :open_from, seen_seq = :seen_seq, unread = :unread, review = :review, batch = :batch,
      agent_session_id = :agent_session_id, runtime = :runtime, state = :state
    WHERE id = :id`);
  const identify = db.prepare("SELECT key, name, owner, epoch FROM sessions WHERE id = ?");
  const setOwner = db.prepare("UPDATE sessions SET owner = ?, epoch = ? WHERE id = ?");
  const named = db.prepare("SELECT 1 FROM sessions WHERE name = ?");
  const putPart = db.prepare(
    `INSERT INTO session_parts (session, part, data) VALUES (?, ?, ?)
     ON CONFLICT (session, part) DO UPDATE SET data = excluded.data`,
  );
  const dropPart = db.prepare("DELETE FROM session_parts WHERE session = ? AND part = ?");
  const bury = db.prepare("INSERT INTO deleted_sessions (key, id, deleted_at) VALUES (?, ?, ?)");
  const removals = ["sessions WHERE key", "session_parts WHERE session", "interactions WHERE session"].map(
    (what) => db.prepare(`DELETE FROM ${what} = ?`),
  );

  const known = new Map<string, Known>();

  const find = (stream: string) => identify.get(stream) as Identity | undefined;

  function recall(stream: string): Known {
    const remembered = known.get(stream);
    if (remembered) return remembered;
    const { key, name, epoch } = find(stream) ?? missing(stream);
    return { key, name, epoch, lastSeq: logReads.lastSeq(key), parts: {} };
  }

  function remember(row: SessionRow, { key, epoch }: Pick<Known, "key" | "epoch">): void {
    const { id, name, state } = row;
    if (row.live) known.set(id, { key, epoch, name, lastSeq: state.lastSeq, parts: partsOf(row) });
    else known.delete(id);
  }

  function checkName(name: string): void {
    if (named.get(name) !== undefined) {
      throw new StoreError("NAME_TAKEN", `Another session is called ${name}; choose another name`);
    }
  }

  function writeParts(row: SessionRow, key: number, before: Partial<Parts>): void {
    const parts = partsOf(row);
    for (const name of partNames) {
      const [part, was] = [parts[name], before[name]];
      if (part === was) continue;
      if (!isEmptyPart(part)) putPart.run(key, name, JSON.stringify(part));
      else if (!was || !isEmptyPart(was)) dropPart.run(key, name);
    }
  }

  return {
    epochOf(stream, node) {
      const { owner, epoch } = find(stream) ?? missing(stream);
      return owner === node ? epoch : undefined;
    },

    claim(stream, node) {
      const { owner, epoch } = find(stream) ?? missing(stream);
      if (owner === node) return epoch;
      setOwner.run(node, epoch + 1, stream);
      known.delete(stream);
      return epoch + 1;
    },

    append(append) {
      const { stream, expectedSeq, session, receipts = [] } = append;
      const { row } = session;
      const before = recall(stream);
      checkEpoch(append, before);
      const lastSeq = append.events.at(-1)?.seq ?? expectedSeq;
      if (before.lastSeq !== expectedSeq || row.state.lastSeq !== lastSeq || row.id !== stream) {
        throw new StoreError(
          "CONFLICT",
          `${stream} is at ${before.lastSeq}, not at ${expectedSeq}; its row says ${row.state.lastSeq} of ${lastSeq}`,
        );
      }
      logWrites.check(append, before);
      for (const receipt of receipts) records.checkReceipt(receipt);
      if (row.name !== before.name) checkName(row.name);

      logWrites.write(append, before);
      for (const item of session.items ?? []) items.put(before.key, item, lastSeq);
      for (const interaction of session.interactions ?? []) interactions.put(before.key, interaction);
      if (session.proposals) proposals.put(before.key, session.proposals);
      if (append.alarms) alarms.apply(stream, append.alarms);
      for (const receipt of receipts) records.putReceipt(receipt);
      if (append.isNews) reactions.record({ stream, after: expectedSeq, seq: lastSeq, removed: false });
      update.run(encodeRow(row));
      writeParts(row, before.key, before.parts);
      remember(row, before);
    },

    create({ row, events = [], items: closed = [], receipt }, node) {
      const stream = row.id;
      const lastSeq = events.at(-1)?.seq ?? 0;
      if (logReads.keyOf(stream) !== undefined || row.state.lastSeq !== lastSeq) {
        throw new StoreError("CONFLICT", `${stream} already exists, or claims events that are not stored`);
      }
      logWrites.check({ stream, events }, { key: 0, lastSeq: 0 });
      records.checkReceipt(receipt);
      checkName(row.name);
      const key = Number(insert.run({ ...encodeRow(row), owner: node }).lastInsertRowid);
      logWrites.write({ stream, events }, { key, lastSeq: 0 });
      for (const item of closed) items.put(key, item, lastSeq);
      writeParts(row, key, {});
      if (receipt) records.putReceipt(receipt);
      pending.remove(stream);
      reactions.record({ stream, after: 0, seq: lastSeq, removed: false });
      remember(row, { key, epoch: 1 });
    },

    remove(sessionId, { epoch, deletedAt, leaves }) {
      const row = find(sessionId);
      if (!row) return;
      const { key } = row;
      checkEpoch({ stream: sessionId, epoch }, row);
      bury.run(key, sessionId, deletedAt);
      reactions.record({ stream: sessionId, after: 0, seq: 0, removed: true });
      for (const removal of removals) removal.run(key);
      alarms.removeOf(sessionId);
      if (leaves) pending.put({ sessionId, workspace: leaves, isUnused: false });
      known.delete(sessionId);
    },

    forget: () => known.clear(),
  };
}

function missing(stream: string): never {
  throw new StoreError("CONFLICT", `${stream} is not stored, or was deleted`);
}

function checkEpoch({ stream, epoch }: Pick<Append, "stream" | "epoch">, stored: { epoch: number }): void {
  if (epoch === stored.epoch) return;
  throw new StoreError("STALE_OWNER", `${stream} is at epoch ${stored.epoch}, not at ${epoch}`);
}
