import type { DatabaseSync } from "node:sqlite";
import { type Append, type NewSession, type SessionRow, StoreError } from "../ports.ts";
import type { Interactions } from "./interactions.ts";
import type { Items } from "./items.ts";
import type { LogReads } from "./log-reads.ts";
import type { LogWrites } from "./log-writes.ts";
import type { ReactionTables } from "./reactions.ts";
import type { RecordTables } from "./records.ts";
import { encodeRow, isEmptyPart, type Parts, partNames, partsOf } from "./session-row.ts";

/** Runs inside the writer's transactions; each refuses before it writes. */
export interface SessionWrites {
  append(append: Append): void;
  create(session: NewSession): void;
  remove(sessionId: string, deletedAt: string): void;
  /** After a rollback: what is remembered of the sessions may not be what is stored. */
  forget(): void;
}

/** What the store last wrote of a session. Kept for live ones only, so that it grows with them alone. */
interface Known {
  readonly key: number;
  readonly lastSeq: number;
  readonly name: string;
  readonly parts: Partial<Parts>;
}

interface Needs {
  readonly logReads: LogReads;
  readonly logWrites: LogWrites;
  readonly items: Items;
  readonly interactions: Interactions;
  readonly records: RecordTables;
  readonly reactions: ReactionTables;
}

export function prepareSessionWrites(
  db: DatabaseSync,
  { logReads, logWrites, items, interactions, records, reactions }: Needs,
): SessionWrites {
  const insert = db.prepare(`
    INSERT INTO sessions (id, name, cwd, created_at, updated_at, archived, state_name, live, open_from,
      agent_session_id, runtime, state)
    VALUES (:id, :name, :cwd, :created_at, :updated_at, :archived, :state_name, :live, :open_from,
      :agent_session_id, :runtime, :state)`);
  const update = db.prepare(`
    UPDATE sessions SET name = :name, cwd = :cwd, created_at = :created_at, updated_at = :updated_at,
      archived = :archived, state_name = :state_name, live = :live, open_from = :open_from,
      agent_session_id = :agent_session_id, runtime = :runtime, state = :state
    WHERE id = :id`);
  const identify = db.prepare("SELECT key, name FROM sessions WHERE id = ?");
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

  function recall(sessionId: string): Known {
    const remembered = known.get(sessionId);
    if (remembered) return remembered;
    const row = identify.get(sessionId) as { key: number; name: string } | undefined;
    if (!row) throw new StoreError("CONFLICT", `${sessionId} is not stored, or was deleted`);
    return { ...row, lastSeq: logReads.lastSeq(row.key), parts: {} };
  }

  function remember(row: SessionRow, key: number): void {
    const { id, name, state } = row;
    if (row.live) known.set(id, { key, name, lastSeq: state.lastSeq, parts: partsOf(row) });
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
    append(append) {
      const { stream, expectedSeq, session, receipt } = append;
      const { row } = session;
      const before = recall(stream);
      const lastSeq = append.events.at(-1)?.seq ?? expectedSeq;
      if (before.lastSeq !== expectedSeq || row.state.lastSeq !== lastSeq || row.id !== stream) {
        throw new StoreError(
          "CONFLICT",
          `${stream} is at ${before.lastSeq}, not at ${expectedSeq}; its row says ${row.state.lastSeq} of ${lastSeq}`,
        );
      }
      logWrites.check(append, before);
      records.checkReceipt(receipt);
      if (row.name !== before.name) checkName(row.name);

      logWrites.write(append, before);
      for (const item of session.items ?? []) items.put(before.key, item, lastSeq);
      for (const interaction of session.interactions ?? []) interactions.put(before.key, interaction);
      if (receipt) records.putReceipt(receipt);
      if (append.isNews) reactions.record({ stream, after: expectedSeq, seq: lastSeq, removed: false });
      update.run(encodeRow(row));
      writeParts(row, before.key, before.parts);
      remember(row, before.key);
    },

    create({ row, events = [], items: closed = [], receipt }) {
      const stream = row.id;
      const lastSeq = events.at(-1)?.seq ?? 0;
      if (logReads.keyOf(stream) !== undefined || row.state.lastSeq !== lastSeq) {
        throw new StoreError("CONFLICT", `${stream} was made before, or claims events nobody stored`);
      }
      logWrites.check({ stream, events }, { key: 0, lastSeq: 0 });
      records.checkReceipt(receipt);
      checkName(row.name);
      const key = Number(insert.run(encodeRow(row)).lastInsertRowid);
      logWrites.write({ stream, events }, { key, lastSeq: 0 });
      for (const item of closed) items.put(key, item, lastSeq);
      writeParts(row, key, {});
      if (receipt) records.putReceipt(receipt);
      reactions.record({ stream, after: 0, seq: lastSeq, removed: false });
      remember(row, key);
    },

    remove(sessionId, deletedAt) {
      const row = identify.get(sessionId);
      if (!row) return;
      const key = row["key"] as number;
      bury.run(key, sessionId, deletedAt);
      reactions.record({ stream: sessionId, after: 0, seq: 0, removed: true });
      for (const removal of removals) removal.run(key);
      known.delete(sessionId);
    },

    forget: () => known.clear(),
  };
}
