import type { DatabaseSync } from "node:sqlite";
import { awaitsFollowUp, type Interaction } from "@drover/core";
import type { InteractionFilter, SettledQuery } from "../ports.ts";

/** Interactions by the key of their session. Writes run inside the writer's transactions. */
export interface Interactions {
  find(id: string): Interaction | undefined;
  list(state: InteractionFilter, session: number | undefined): Interaction[];
  settled(session: number, which: Omit<SettledQuery, "sessionId">): Interaction | undefined;
  put(session: number, interaction: Interaction): void;
}

/** Settled interactions are listed back to this total number of characters. */
const MAX_LIST = 16 * 1024 * 1024;

/** The list of all open interactions has at most this many bytes; the largest inputs are left out of it. */
const MAX_OPEN_LIST = 32 * 1024 * 1024;

interface Size {
  readonly id: string;
  readonly bytes: number;
}

/** The interactions that fit into the list, the smallest first: a flood of large ones must not hide the others. */
function fitting(sizes: readonly Size[]): ReadonlySet<string> {
  let total = 0;
  const smallestFirst = sizes.toSorted((a, b) => a.bytes - b.bytes);
  const first = smallestFirst.findIndex(({ bytes }) => {
    total += bytes;
    return total > MAX_OPEN_LIST;
  });
  return new Set(smallestFirst.slice(0, first < 0 ? undefined : first).map(({ id }) => id));
}

function newestOf(rows: Iterable<Record<string, unknown>>): Record<string, unknown>[] {
  const newest: Record<string, unknown>[] = [];
  let size = 0;
  for (const row of rows) {
    size += (row["data"] as string).length;
    if (size > MAX_LIST && newest.length > 0) break;
    newest.push(row);
  }
  return newest;
}

export function prepareInteractions(db: DatabaseSync): Interactions {
  // With the session's current name, under which it is answered; a deleted session keeps the name it had.
  const select = "SELECT i.data, s.name FROM interactions i LEFT JOIN sessions s ON s.key = i.session";
  const oneInteraction = db.prepare(`${select} WHERE i.id = ?`);
  const openSizes = db.prepare(
    "SELECT id, octet_length(data) AS bytes FROM interactions WHERE state = 'open' ORDER BY number",
  );
  const outline = db.prepare(
    `SELECT json_remove(i.data, '$.input', '$.diffs', '$.questions') AS data, s.name
       FROM interactions i LEFT JOIN sessions s ON s.key = i.session WHERE i.id = ?`,
  );
  const expiredOnes = db.prepare(`${select} WHERE i.state = 'expired' ORDER BY i.number DESC`);
  const isListed = "(?1 IN ('all', i.state) OR (?1 = 'resolved' AND i.state = 'expired'))";
  const inState = db.prepare(`${select} WHERE ${isListed} ORDER BY i.number DESC`);
  const ofSession = db.prepare(`${select} WHERE i.session = ?2 AND ${isListed} ORDER BY i.number DESC`);
  // Searches a session's rows from the newest, and decodes only the one that is found.
  const settledOne = db.prepare(
    `${select} WHERE i.session = ? AND i.state <> 'open' AND i.data ->> 'kind' = ?
       AND ? IN (i.id, i.data ->> 'toolCallId') ORDER BY i.number DESC LIMIT 1`,
  );
  const putInteraction = db.prepare(
    `INSERT INTO interactions (id, session, state, data) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, data = excluded.data`,
  );

  return {
    find(id) {
      const row = oneInteraction.get(id);
      return row && decodeInteraction(row);
    },
    list(state, session) {
      if (session === undefined && state === "open") {
        const sizes = openSizes.all() as unknown as Size[];
        const whole = fitting(sizes);
        return sizes.flatMap(({ id }) => {
          const row = whole.has(id) ? oneInteraction.get(id) : outline.get(id);
          if (!row) return [];
          return whole.has(id) ? decodeInteraction(row) : { ...decodeInteraction(row), inputOmitted: true };
        });
      }
      const ofAll = () => (state === "expired" ? expiredOnes.iterate() : inState.iterate(state));
      const rows = session === undefined ? ofAll() : ofSession.iterate(state, session);
      const listed = state === "open" ? [...rows] : newestOf(rows);
      return listed.map(decodeInteraction).reverse();
    },
    settled(session, { kind, id }) {
      const row = settledOne.get(session, kind, id);
      return row && decodeInteraction(row);
    },
    put(session, interaction) {
      const { id } = interaction;
      const state = awaitsFollowUp(interaction) ? "expired" : interaction.state;
      putInteraction.run(id, session, state, JSON.stringify(interaction));
    },
  };
}

function decodeInteraction(row: Record<string, unknown>): Interaction {
  const stored = JSON.parse(row["data"] as string) as Interaction;
  return { ...stored, sessionName: (row["name"] as string | null) ?? stored.sessionName };
}
