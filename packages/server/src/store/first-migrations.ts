import type { Migration } from "./migration.ts";

/** The first six versions of the schema; schema.ts has the others. */
export const firstMigrations: readonly Migration[] = [
  (db) =>
    db.exec(`
      CREATE TABLE sessions (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL UNIQUE,
        cwd TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        archived INTEGER NOT NULL,
        state_name TEXT NOT NULL,
        live INTEGER NOT NULL,
        open_from INTEGER NOT NULL,
        agent_session_id TEXT,
        runtime TEXT NOT NULL,
        state TEXT NOT NULL
      ) STRICT;
      CREATE INDEX sessions_listed ON sessions (archived, updated_at, id, cwd, state_name);
      CREATE INDEX sessions_by_agent_session ON sessions (agent_session_id) WHERE agent_session_id IS NOT NULL;
      CREATE INDEX sessions_live ON sessions (key) WHERE live = 1;

      CREATE TABLE session_parts (
        session INTEGER NOT NULL,
        part TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (session, part)
      ) STRICT;

      CREATE TABLE deleted_sessions (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        deleted_at TEXT NOT NULL,
        pruning INTEGER NOT NULL DEFAULT 0
      ) STRICT;

      CREATE TABLE events (
        session INTEGER NOT NULL,
        from_seq INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        type TEXT NOT NULL,
        data TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX events_by_seq ON events (session, seq);

      CREATE TABLE items (
        session INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        id TEXT NOT NULL,
        said_to INTEGER,
        data TEXT NOT NULL
      ) STRICT;
      CREATE UNIQUE INDEX items_by_seq ON items (session, seq);
      CREATE INDEX items_by_id ON items (session, id);

      CREATE TABLE interactions (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session INTEGER NOT NULL,
        state TEXT NOT NULL,
        remaining_ms REAL,
        data TEXT NOT NULL
      ) STRICT;
      CREATE INDEX interactions_by_session ON interactions (session);
      CREATE INDEX interactions_open ON interactions (number) WHERE state = 'open';

      CREATE TABLE receipts (key TEXT PRIMARY KEY, hash TEXT NOT NULL, answer TEXT NOT NULL) STRICT;
      CREATE TABLE projects (
        id TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        name TEXT NOT NULL,
        trusted INTEGER NOT NULL,
        env TEXT NOT NULL
      ) STRICT;
      CREATE TABLE logins (hash TEXT PRIMARY KEY) STRICT;
    `),
  // An item's id is no longer that of its tool call; only the latter is looked up.
  (db) =>
    db.exec(`
      ALTER TABLE items ADD COLUMN tool_call TEXT;
      UPDATE items SET tool_call = json_extract(data, '$.tool.toolCallId');
      DROP INDEX items_by_id;
      ALTER TABLE items DROP COLUMN id;
      CREATE INDEX items_by_tool_call ON items (session, tool_call) WHERE tool_call IS NOT NULL;

      -- One for every list people ask for, in its order: a page costs the same whatever else is stored.
      DROP INDEX sessions_listed;
      CREATE INDEX sessions_listed ON sessions (archived, updated_at, id);
      CREATE INDEX sessions_in_directory ON sessions (cwd, archived, updated_at, id, state_name);
      CREATE INDEX sessions_in_state ON sessions (state_name, archived, updated_at, id);
    `),
  // Logins have a key now. Older ones have none and end: people log in again.
  (db) =>
    db.exec(`
      DROP TABLE logins;
      CREATE TABLE logins (
        id TEXT PRIMARY KEY,
        cookie_hash TEXT NOT NULL,
        key_hash TEXT NOT NULL,
        token_hash TEXT NOT NULL,
        label TEXT NOT NULL,
        created_at TEXT NOT NULL,
        last_used_at TEXT NOT NULL
      ) STRICT;
    `),
  // Feed ids used to start with the time of each server start: the first one here is above them all.
  (db) => {
    db.exec(`
      CREATE TABLE commits (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL,
        after INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        removed INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE cursors (reactor TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT;
      CREATE TABLE feed (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at TEXT NOT NULL,
        type TEXT NOT NULL,
        session_id TEXT NOT NULL,
        seq INTEGER,
        facts TEXT
      ) STRICT;
    `);
    db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES ('feed', ?)").run(Date.now() * 1000);
  },
  // A turn's prompt is part of its attempt, and always has the number of its event.
  (db) =>
    db.exec(`
      UPDATE sessions
      SET state = json_set(json_remove(state, '$.told'), '$.reportedState', json_extract(state, '$.told'));

      UPDATE sessions
      SET runtime = json_set(json_remove(runtime, '$.prompt'), '$.attempt', json_object(
        'turnId', json_extract(runtime, '$.prompt.turnId'),
        'n', 1,
        'prompt', json_set(
          json_remove(json_extract(runtime, '$.prompt'), '$.turnId'),
          '$.kind', 'message',
          '$.seq', coalesce(
            json_extract(runtime, '$.prompt.seq'),
            (SELECT max(events.seq) FROM events
             WHERE events.session = sessions.key AND events.type = 'message'
               AND json_extract(events.data, '$.turnId') = json_extract(runtime, '$.prompt.turnId'))
          )
        )
      ))
      WHERE json_extract(runtime, '$.prompt') IS NOT NULL;
    `),
  // Deadlines of interactions become alarms. `session_id` is an id, not a key, as in `commits`.
  (db) =>
    db.exec(`
      CREATE TABLE alarms (
        id TEXT PRIMARY KEY,
        session_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        created_at TEXT NOT NULL,
        duration_ms REAL,
        remaining_ms REAL,
        due_at TEXT,
        CHECK ((due_at IS NULL) = (remaining_ms IS NOT NULL) AND (due_at IS NULL) = (duration_ms IS NOT NULL))
      ) STRICT;
      CREATE INDEX alarms_by_session ON alarms (session_id);
      INSERT INTO alarms (id, session_id, kind, created_at, duration_ms, remaining_ms)
        SELECT i.id, s.id, 'interaction', i.data ->> 'createdAt',
          max(i.remaining_ms, coalesce(i.data ->> 'remainingMs', 0)), i.remaining_ms
        FROM interactions i JOIN sessions s ON s.key = i.session
        WHERE i.state = 'open' AND i.remaining_ms IS NOT NULL ORDER BY i.number;
      ALTER TABLE interactions DROP COLUMN remaining_ms;
    `),
];
