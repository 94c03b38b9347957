import type { DatabaseSync } from "node:sqlite";
import type { EncodedEvent } from "../ports.ts";

/** Streams are read by key: that of a session, or of a deleted session until its log is pruned. */
export interface LogReads {
  keyOf(stream: string): number | undefined;
  lastSeq(key: number): number;
  events(key: number, after: number, maxBytes: number): EncodedEvent[];
  eventsOfTypes(key: number, range: { after: number; seq: number }, types: readonly string[]): EncodedEvent[];
}

export function prepareLogReads(db: DatabaseSync): LogReads {
  const present = db.prepare("SELECT key FROM sessions WHERE id = ?");
  const deleted = db.prepare("SELECT key FROM deleted_sessions WHERE id = ? AND pruning = 0");
  const last = db.prepare("SELECT max(seq) AS seq FROM events WHERE stream = ?");
  const eventsAfter = db.prepare(
    "SELECT from_seq, seq, type, data FROM events WHERE stream = ? AND seq > ? ORDER BY seq",
  );
  eventsAfter.setReturnArrays(true);
  const ofTypes = db.prepare(
    `SELECT from_seq AS "from", seq, type, data FROM events
     WHERE stream = ? AND seq > ? AND seq <= ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq`,
  );

  return {
    keyOf: (stream) => (present.get(stream) ?? deleted.get(stream))?.["key"] as number | undefined,
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
  };
}
