import type { DatabaseSync } from "node:sqlite";
import { type Append, type EncodedEvent, StoreError } from "../ports.ts";

/** Where an append meets the stored log: the stream's key and the last number before it. */
export interface LogEnd {
  readonly key: number;
  readonly lastSeq: number;
}

/** The part of an append that the log needs. */
type LogAppend = Pick<Append, "stream" | "events" | "compacted">;

export interface LogWrites {
  /** Rejects anything that would leave a gap or an overlap. Writes nothing. */
  check(append: LogAppend, end: LogEnd): void;
  /** After `check`, in the same transaction. */
  write(append: LogAppend, end: LogEnd): void;
}

/**
 * The invariant maintained here: the ranges `from`…`seq` of a stream's rows follow each other from 1 to its last number
 * without gap or overlap, whatever was appended or compacted.
 */
export function prepareLogWrites(db: DatabaseSync): LogWrites {
  const insert = db.prepare("INSERT INTO events (stream, from_seq, seq, type, data) VALUES (?, ?, ?, ?, ?)");
  const dissolve = db.prepare("DELETE FROM events WHERE stream = ? AND seq BETWEEN ? AND ?");
  const rowOf = db.prepare(
    "SELECT from_seq, seq FROM events WHERE stream = ? AND seq >= ? ORDER BY seq LIMIT 1",
  );

  /** The stretch that contains a number, stored or about to be. */
  const stretchOf = (seq: number, append: LogAppend, { key, lastSeq }: LogEnd) => {
    if (seq > lastSeq) return append.events.find((event) => event.seq >= seq);
    const row = rowOf.get(key, seq);
    return row && { from: Number(row["from_seq"]), seq: Number(row["seq"]) };
  };

  return {
    check(append, end) {
      let next = end.lastSeq + 1;
      for (const { from, seq } of append.events) {
        if (from !== next || seq < from) throw conflict(append, `${from}…${seq} does not follow ${next - 1}`);
        next = seq + 1;
      }
      let free = 1;
      for (const { from, seq } of inOrder(append.compacted)) {
        const begins = stretchOf(from, append, end)?.from === from;
        const ends = stretchOf(seq, append, end)?.seq === seq;
        if (from < free || seq < from || !begins || !ends) {
          throw conflict(append, `${from}…${seq} is not a row of whole stretches`);
        }
        free = seq + 1;
      }
    },
    write({ events, compacted = [] }, { key, lastSeq }) {
      for (const event of events) {
        // A stretch that is replaced immediately need not be stored first.
        if (!compacted.some(({ from, seq }) => from <= event.from && event.seq <= seq)) put(key, event);
      }
      for (const whole of compacted) {
        if (whole.from <= lastSeq) dissolve.run(key, whole.from, whole.seq);
        put(key, whole);
      }
    },
  };

  function put(key: number, { from, seq, type, data }: EncodedEvent): void {
    insert.run(key, from, seq, type, data);
  }
}

const inOrder = (events: readonly EncodedEvent[] = []) => [...events].sort((a, b) => a.from - b.from);

function conflict({ stream }: LogAppend, what: string): StoreError {
  return new StoreError("CONFLICT", `The log of ${stream} cannot take this: ${what}`);
}
