import { firstMigrations } from "./first-migrations.ts";
import type { Migration } from "./migration.ts";

/** Selects the receipts of HTTP intents. A query must use exactly this expression to use their index. */
export const isOfHttp = "key >= 'http:' AND key < 'http;'";

/**
 * Version n of the schema is what the first n of these make. A released entry is never edited: a change is a new
 * entry.
 *
 * `events` is append-only with its index on a small integer key: rows of many streams arrive interleaved, and an
 * index that holds the 30-character id is several times slower to write. A stream's key is that of its session. It is
 * never used again (AUTOINCREMENT), so a deleted session's log cannot be mistaken for a new one's.
 *
 * `session_parts` are the large pieces of a session's row, each written only when it changed. They are rows of their
 * own because SQLite rewrites a whole row, long values included, when any column of it changes.
 */
export const migrations: readonly Migration[] = [
  ...firstMigrations,
  // A log belongs to a stream: today each is a session's.
  (db) => {
    db.exec(`
      ALTER TABLE events RENAME COLUMN session TO stream;
      ALTER TABLE commits RENAME COLUMN session_id TO stream;

      -- Epoch 0 until the first claim.
      ALTER TABLE sessions ADD COLUMN owner TEXT;
      ALTER TABLE sessions ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

      ALTER TABLE receipts ADD COLUMN at TEXT NOT NULL DEFAULT '';
      CREATE INDEX receipts_of_http ON receipts (at) WHERE ${isOfHttp};
    `);
    // The time they were saved is unknown: their day starts now.
    db.prepare("UPDATE receipts SET at = ?").run(new Date().toISOString());
  },
  // Interactions that expired before this version are not brought back to the inbox.
  (db) => db.exec("CREATE INDEX interactions_expired ON interactions (number) WHERE state = 'expired'"),
  // Turns that ended before this version count as seen: their sessions don't know the number of the end.
  (db) =>
    db.exec(`
      ALTER TABLE sessions ADD COLUMN seen_seq INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE sessions ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
      CREATE INDEX sessions_unread ON sessions (archived, updated_at, id) WHERE unread = 1;
    `),
  // Every session has had the directory that a person chose.
  (db) =>
    db.exec(`
      ALTER TABLE sessions ADD COLUMN project_dir TEXT NOT NULL DEFAULT '';
      ALTER TABLE sessions ADD COLUMN workspace TEXT NOT NULL DEFAULT '{}';
      UPDATE sessions SET project_dir = cwd, workspace =
        json_object('mode', 'local', 'path', cwd, 'projectDir', cwd, 'confined', json('false'));
      DROP INDEX sessions_in_directory;
      CREATE INDEX sessions_in_directory ON sessions (project_dir, archived, updated_at, id, state_name);
      CREATE INDEX sessions_by_cwd ON sessions (cwd);
      CREATE TABLE pending_workspaces (
        session_id TEXT PRIMARY KEY,
        workspace TEXT NOT NULL,
        is_unused INTEGER NOT NULL
      ) STRICT;
    `),
  (db) => db.exec("ALTER TABLE projects ADD COLUMN settings TEXT NOT NULL DEFAULT '{\"setup\":[]}'"),
  // The state of a review; null without one.
  (db) =>
    db.exec(`
      ALTER TABLE sessions ADD COLUMN review TEXT;
      UPDATE sessions SET review = state ->> '$.review.state' WHERE state ->> '$.review.state' IS NOT NULL;
      CREATE INDEX sessions_review ON sessions (archived, updated_at, id) WHERE review IS NOT NULL;
    `),
  // The batch of a worker; null without one.
  (db) =>
    db.exec(`
      ALTER TABLE sessions ADD COLUMN batch TEXT;
      CREATE INDEX sessions_batch ON sessions (batch, archived, updated_at, id) WHERE batch IS NOT NULL;
    `),
  // The text comes last: lists, which don't need it, don't read it either.
  (db) =>
    db.exec(`
      CREATE TABLE proposals (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session INTEGER NOT NULL,
        state TEXT NOT NULL,
        data TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX proposals_by_session ON proposals (session);
    `),
  (db) => db.exec("CREATE TABLE accounts (id TEXT PRIMARY KEY, data TEXT NOT NULL) STRICT"),
];
