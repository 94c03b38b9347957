import type { DatabaseSync } from "node:sqlite";
import { emptyTimeline, extend, type Item, type SessionEvent } from "@drover/core";

/** Closed items by the key of their session, which is also that of its log. */
export interface Items {
  /** `last` is the log's last number: the item's own events come no later. */
  put(key: number, item: Item, last: number): void;
  before(key: number, before: number, limit: number): Item[];
  after(key: number, after: number, limit: number): Item[];
  usedToolCallIds(key: number, ids: readonly string[]): ReadonlySet<string>;
}

/** From this length on, storing a text twice costs more than reassembling it. */
const LONG = 4096;

/** Characters that are read at once. */
const MAX_PAGE = 8 * 1024 * 1024;

/**
 * An agent's text is already in its events: the row of a long text omits it and says up to which number it is found
 * there (`said_to`), as deltas or as the complete item that replaces them.
 */
export function prepareItems(db: DatabaseSync): Items {
  const insert = db.prepare(
    `INSERT INTO items (session, seq, tool_call, said_to, data) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session, seq) DO UPDATE
     SET tool_call = excluded.tool_call, said_to = excluded.said_to, data = excluded.data`,
  );
  const select = db.prepare(
    "SELECT said_to, data FROM items WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
  );
  const selectAfter = db.prepare(
    "SELECT said_to, data FROM items WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?",
  );
  const stretches = db.prepare(
    "SELECT data FROM events WHERE stream = ? AND seq BETWEEN ? AND ? ORDER BY seq",
  );

  // Two searches, since one with OR would scan every item of the session. `~` is the last printable ASCII character:
  // DEL ends the range of everything that starts with `ID~`.
  const sameId = db.prepare(
    `SELECT tool_call FROM items INDEXED BY items_by_tool_call WHERE session = ?1 AND tool_call = ?2
     UNION ALL
     SELECT tool_call FROM items INDEXED BY items_by_tool_call
     WHERE session = ?1 AND tool_call > ?3 AND tool_call < ?4`,
  );

  const wordsOf = (key: number, { id, seq }: Item, saidTo: number): string => {
    let timeline = emptyTimeline;
    let words = "";
    for (const row of stretches.iterate(key, seq, saidTo)) {
      const data = row["data"] as string;
      // Other items may have grown in the meantime.
      if (!data.includes(id)) continue;
      const step = extend(timeline, JSON.parse(data) as SessionEvent);
      timeline = step.timeline;
      words = step.changed.find(({ item }) => item.id === id)?.item.text ?? words;
    }
    return words;
  };

  const read = (key: number, row: Record<string, unknown>): Item => {
    const item = JSON.parse(row["data"] as string) as Item;
    const saidTo = row["said_to"] as number | null;
    return saidTo === null ? item : { ...item, text: wordsOf(key, item, saidTo) };
  };

  const page = (key: number, rows: Iterable<Record<string, unknown>>): Item[] => {
    const items: Item[] = [];
    let size = 0;
    for (const row of rows) {
      const item = read(key, row);
      size += (row["data"] as string).length + (item.text?.length ?? 0);
      if (size > MAX_PAGE && items.length > 0) break;
      items.push(item);
    }
    return items;
  };

  return {
    put(key, item, last) {
      const isLong = isSpeech(item) && (item.text?.length ?? 0) >= LONG;
      const kept = isLong ? { ...item, text: undefined } : item;
      insert.run(key, item.seq, item.tool?.toolCallId ?? null, isLong ? last : null, JSON.stringify(kept));
    },
    before: (key, before, limit) => page(key, select.iterate(key, before, limit)).reverse(),
    after: (key, after, limit) => page(key, selectAfter.iterate(key, after, limit)),
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

const isSpeech = ({ kind }: Item): boolean => kind === "text" || kind === "thinking";
