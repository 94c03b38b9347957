import type { DatabaseSync } from "node:sqlite";
import type { Item } from "@drover/core";
import type { EncodedEvent } from "../ports.ts";
import type { Items } from "./items.ts";

/** Logs are read by key: a session's, or that of a deleted session until its log is pruned. */
export interface LogReads {
  keyOf(sessionId: string): number | undefined;
  lastSeq(key: number): number;
  events(key: number, after: number, maxBytes: number): EncodedEvent[];
  eventsOfTypes(key: number, range: { after: number; seq: number }, types: readonly string[]): EncodedEvent[];
  items(key: number, before: number, limit: number): Item[];
  itemsAfter(key: number, after: number, limit: number): Item[];
  usedToolCallIds(key: number, ids: readonly string[]): ReadonlySet<string>;
}

export function prepareLogReads(db: DatabaseSync, closed: Items): LogReads {
  const present = db.prepare("SELECT key FROM sessions WHERE id = ?");
  const deleted = db.prepare("SELECT key FROM deleted_sessions WHERE id = ? AND pruning = 0");
  const last = db.prepare("SELECT max(seq) AS seq FROM events WHERE session = ?");
  const eventsAfter = db.prepare(
    "SELECT from_seq, seq, type, data FROM events WHERE session = ? AND seq > ? ORDER BY seq",
  );
  eventsAfter.setReturnArrays(true);
  const ofTypes = db.prepare(
    `SELECT from_seq AS "from", seq, type, data FROM events
     WHERE session = ? AND seq > ? AND seq <= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq`,
  );
  // Two searches, since one with OR looks at every item of the session. `~` is the last printable character of ASCII:
  // DEL ends the range of everything that begins with `ID~`.
  const sameId = db.prepare(
    `SELECT tool_call FROM items INDEXED BY items_by_tool_call WHERE session = ?1 AND tool_call = ?2
     UNION ALL
     SELECT tool_call FROM items INDEXED BY items_by_tool_call
     WHERE session = ?1 AND tool_call > ?3 AND tool_call < ?4`,
  );

  return {
    keyOf: (sessionId) => (present.get(sessionId) ?? deleted.get(sessionId))?.["key"] as number | undefined,
    lastSeq: (key) => (last.get(key)?.["seq"] as number | null) ?? 0,
    events(key, after, maxBytes) {
      const events: EncodedEvent[] = [];
      let bytes = 0;
      for (const row of eventsAfter.iterate(key, after) as Iterable<unknown>) {
        const [from, seq, type, data] = row as [number, number, string, string];
        bytes += data.length;
        if (bytes > maxBytes && events.length > 0) break;
        events.push({ from, seq, type, data });
      }
      return events;
    },
    eventsOfTypes: (key, { after, seq }, types) =>
      ofTypes.all(key, after, seq, JSON.stringify(types)) as unknown as EncodedEvent[],
    items: (key, before, limit) => closed.before(key, before, limit),
    itemsAfter: (key, after, limit) => closed.after(key, after, limit),
    usedToolCallIds(key, ids) {
      const used = new Set<string>();
      for (const id of ids) {
        for (const row of sameId.all(key, id, `${id}~`, `${id}\x7f`)) {
          const found = row["tool_call"] as string;
          if (found === id || /^~\d+$/.test(found.slice(id.length))) used.add(found);
        }
      }
      return used;
    },
  };
}
