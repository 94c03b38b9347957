import type { DatabaseSync } from "node:sqlite";
import type { Interaction } from "@drover/core";
import {
  type LoginRow,
  type ProjectRow,
  type Receipted,
  type SettledQuery,
  type Store,
  StoreError,
} from "../ports.ts";
import { withRemaining } from "./session-row.ts";

/** Everything small that is looked up by its own id. Writes run inside the writer's transactions. */
export interface Records {
  interaction(id: string): Interaction | undefined;
  interactions(state: "open" | "resolved" | "all", session: number | undefined): Interaction[];
  settledInteraction(session: number, which: Omit<SettledQuery, "sessionId">): Interaction | undefined;
  putInteraction(session: number, interaction: Interaction): void;
  saveRemaining(remaining: Parameters<Store["saveRemaining"]>[0]): void;

  receipt(key: string): Receipted | undefined;
  checkReceipt(receipt: Receipted | undefined): void;
  putReceipt(receipt: Receipted): void;

  projects(): ProjectRow[];
  putProject(project: ProjectRow): void;
  removeProject(id: string): void;

  logins(): LoginRow[];
  addLogin(login: LoginRow): void;
  useLogin(id: string, lastUsedAt: string): void;
  removeLogins(ids: readonly string[]): void;
}

/** Settled interactions are listed as far back as they have this many characters in all. */
const MAX_LIST = 16 * 1024 * 1024;

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

export function prepareRecords(db: DatabaseSync): Records {
  // With the name its session has now, under which it is answered; a deleted one's is the one it had.
  const select =
    "SELECT i.data, i.remaining_ms, s.name FROM interactions i LEFT JOIN sessions s ON s.key = i.session";
  const oneInteraction = db.prepare(`${select} WHERE i.id = ?`);
  const openOnes = db.prepare(`${select} WHERE i.state = 'open' ORDER BY i.number`);
  const inState = db.prepare(`${select} WHERE ?1 IN ('all', i.state) ORDER BY i.number DESC`);
  const ofSession = db.prepare(
    `${select} WHERE i.session = ?2 AND ?1 IN ('all', i.state) ORDER BY i.number DESC`,
  );
  // Looks through a session's rows from the newest on, and decodes none but the one that is found.
  const settledOne = db.prepare(
    `${select} WHERE i.session = ? AND i.state = 'resolved' AND i.data ->> 'kind' = ?
       AND ? IN (i.id, i.data ->> 'toolCallId') ORDER BY i.number DESC LIMIT 1`,
  );
  const putInteraction = db.prepare(
    `INSERT INTO interactions (id, session, state, remaining_ms, data) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, remaining_ms = excluded.remaining_ms, data = excluded.data`,
  );
  const saveRemaining = db.prepare(
    "UPDATE interactions SET remaining_ms = ? WHERE id = ? AND state = 'open'",
  );
  const receipt = db.prepare("SELECT key, hash, answer FROM receipts WHERE key = ?");
  const putReceipt = db.prepare("INSERT INTO receipts (key, hash, answer) VALUES (?, ?, ?)");
  const projects = db.prepare("SELECT id, path, name, trusted, env FROM projects ORDER BY path");
  const putProject = db.prepare(
    `INSERT INTO projects (id, path, name, trusted, env) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET path = excluded.path, name = excluded.name, trusted = excluded.trusted, env = excluded.env`,
  );
  const removeProject = db.prepare("DELETE FROM projects WHERE id = ?");
  const logins = db.prepare(
    `SELECT id, cookie_hash AS cookieHash, key_hash AS keyHash, token_hash AS tokenHash, label,
       created_at AS createdAt, last_used_at AS lastUsedAt FROM logins ORDER BY id`,
  );
  const addLogin = db.prepare(
    `INSERT INTO logins (id, cookie_hash, key_hash, token_hash, label, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const useLogin = db.prepare("UPDATE logins SET last_used_at = ? WHERE id = ?");
  const removeLogin = db.prepare("DELETE FROM logins WHERE id = ?");

  return {
    interaction(id) {
      const row = oneInteraction.get(id);
      return row && decodeInteraction(row);
    },
    interactions(state, session) {
      if (session === undefined && state === "open") return openOnes.all().map(decodeInteraction);
      const rows = session === undefined ? inState.iterate(state) : ofSession.iterate(state, session);
      const listed = state === "open" ? [...rows] : newestOf(rows);
      return listed.map(decodeInteraction).reverse();
    },
    settledInteraction(session, { kind, id }) {
      const row = settledOne.get(session, kind, id);
      return row && decodeInteraction(row);
    },
    putInteraction(session, interaction) {
      const { id, state, remainingMs = null } = interaction;
      putInteraction.run(id, session, state, remainingMs, JSON.stringify(interaction));
    },
    saveRemaining(remaining) {
      for (const { id, remainingMs } of remaining) saveRemaining.run(remainingMs, id);
    },

    receipt: (key) => receipt.get(key) as Receipted | undefined,
    checkReceipt(wanted) {
      if (wanted && receipt.get(wanted.key) !== undefined) {
        throw new StoreError("RECEIPT_TAKEN", `${wanted.key} was answered already; read its receipt`);
      }
    },
    putReceipt: ({ key, hash, answer }) => void putReceipt.run(key, hash, answer),

    projects: () =>
      projects.all().map((row) => ({
        id: row["id"] as string,
        path: row["path"] as string,
        name: row["name"] as string,
        trusted: row["trusted"] === 1,
        env: JSON.parse(row["env"] as string),
      })),
    putProject: ({ id, path, name, trusted, env }) =>
      void putProject.run(id, path, name, trusted ? 1 : 0, JSON.stringify(env)),
    removeProject: (id) => void removeProject.run(id),

    logins: () => logins.all().map((row) => ({ ...row }) as unknown as LoginRow),
    addLogin: ({ id, cookieHash, keyHash, tokenHash, label, createdAt, lastUsedAt }) =>
      void addLogin.run(id, cookieHash, keyHash, tokenHash, label, createdAt, lastUsedAt),
    useLogin: (id, lastUsedAt) => void useLogin.run(lastUsedAt, id),
    removeLogins(ids) {
      for (const id of ids) removeLogin.run(id);
    },
  };
}

function decodeInteraction(row: Record<string, unknown>): Interaction {
  const stored = JSON.parse(row["data"] as string) as Interaction;
  const interaction = { ...stored, sessionName: (row["name"] as string | null) ?? stored.sessionName };
  return withRemaining(interaction, row["remaining_ms"] as number | null);
}
