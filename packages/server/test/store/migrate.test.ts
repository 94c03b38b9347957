import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import type { Migration } from "../../src/store/migration.ts";
import { openDatabase } from "../../src/store/open.ts";
import { migrations } from "../../src/store/schema.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const makeNotes: Migration = (db) =>
  db.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('kept')");
const addColumn: Migration = (db) => db.exec("ALTER TABLE notes ADD COLUMN at TEXT");
const fail: Migration = (db) => db.exec("DROP TABLE notes; SELECT * FROM nowhere");

async function openWith(directory: string, migrations: readonly Migration[], seconds = 0) {
  await mkdir(directory, { recursive: true });
  const at = () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
  return openDatabase({
    file: join(directory, "drover.db"),
    migrations,
    busyTimeoutMs: 0,
    now: at,
    beside: false,
  });
}

test("a migration first copies an existing database; the last two copies are kept", async () => {
  await using dir = await tempDir();
  const steps: Migration[] = [makeNotes];
  const first = await openWith(dir.path, steps);
  expect(first.report).toEqual({});
  first.db.close();
  for (let round = 1; round <= 11; round++) {
    steps.push(round === 1 ? addColumn : (db) => db.exec(`CREATE TABLE t${round} (a)`));
    const { db, report } = await openWith(dir.path, steps, round);
    expect(report.migrated).toMatchObject({ from: round, to: round + 1 });
    expect(db.prepare("SELECT text, at FROM notes").all()).toMatchObject([{ text: "kept", at: null }]);
    db.close();
  }
  expect((await readdir(dir.path)).sort()).toEqual([
    "drover.db",
    "drover.db.v10-20260101T000010000Z",
    "drover.db.v11-20260101T000011000Z",
  ]);
  const copy = new DatabaseSync(join(dir.path, "drover.db.v11-20260101T000011000Z"), { readOnly: true });
  expect(copy.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 11 });
  copy.close();
});

test("an older home's tool calls can still be found by their ids", async () => {
  await using dir = await tempDir();
  const old = await openWith(dir.path, migrations.slice(0, 1));
  const item = (id: string, more: object) => JSON.stringify({ id, ...more });
  const insert = old.db.prepare("INSERT INTO items (session, seq, id, data) VALUES (1, ?, ?, ?)");
  insert.run(1, "itm_1", item("itm_1", { text: "hello" }));
  insert.run(2, "call", item("call", { tool: { toolCallId: "call" } }));
  old.db.close();
  const { db } = await openWith(dir.path, migrations, 1);
  expect(db.prepare("SELECT seq, tool_call FROM items ORDER BY seq").all()).toEqual([
    expect.objectContaining({ seq: 1, tool_call: null }),
    expect.objectContaining({ seq: 2, tool_call: "call" }),
  ]);
  db.close();
});

test("H6 logins of an older home, which have no key, are removed; everything else is kept", async () => {
  await using dir = await tempDir();
  const old = await openWith(dir.path, migrations.slice(0, 2));
  old.db.exec(`INSERT INTO logins VALUES ('${"a".repeat(64)}')`);
  old.db.exec("INSERT INTO receipts VALUES ('http:k', 'hash', '201\\n{}')");
  old.db.close();
  await using store = await openSqliteStore({ file: join(dir.path, "drover.db") });
  expect(store.report.migrated).toMatchObject({ from: 2, to: migrations.length });
  expect(await store.logins()).toEqual([]);
  expect(await store.receipt("http:k")).toMatchObject({ hash: "hash" });
});

test("a failed migration leaves the database unchanged and reports it", async () => {
  await using dir = await tempDir();
  (await openWith(dir.path, [makeNotes])).db.close();
  await expect(openWith(dir.path, [makeNotes, addColumn, fail], 1)).rejects.toMatchObject({
    name: "StoreRefused",
    code: "MIGRATION_FAILED",
    message: expect.stringMatching(/from schema 1 to 3: no such table.*Nothing in it was changed/),
  });
  const { db } = await openWith(dir.path, [makeNotes], 2);
  expect(db.prepare("SELECT * FROM notes").all()).toEqual([expect.objectContaining({ text: "kept" })]);
  db.close();
});

interface OldSession {
  readonly id: string;
  readonly runtime?: object;
  readonly state?: object;
  readonly events?: readonly object[];
}

/** A home of schema 4 with these sessions, as that version wrote them. */
function writeOldHome(file: string, sessions: readonly OldSession[]): void {
  const db = new DatabaseSync(file);
  for (const migration of migrations.slice(0, 4)) migration(db);
  db.exec("PRAGMA user_version = 4");
  const insertSession = db.prepare(
    `INSERT INTO sessions (id, name, cwd, created_at, updated_at, archived, state_name, live, open_from, runtime, state)
     VALUES (:id, :id, '/srv', '', '', 0, 'running', 1, 1, :runtime, :state)`,
  );
  const insertEvent = db.prepare(
    "INSERT INTO events (session, from_seq, seq, type, data) VALUES (?, ?, ?, ?, ?)",
  );
  for (const { id, runtime = {}, state = {}, events = [] } of sessions) {
    const { lastInsertRowid: key } = insertSession.run({
      id,
      runtime: JSON.stringify({ run: 2, stopping: false, ...runtime }),
      state: JSON.stringify({ lastSeq: events.length, told: "idle", queuePaused: false, ...state }),
    });
    for (const [index, event] of events.entries()) {
      const seq = index + 1;
      insertEvent.run(key, seq, seq, (event as { type: string }).type, JSON.stringify({ ...event, seq }));
    }
  }
  db.close();
}

async function openMigrated(sessions: readonly OldSession[]) {
  const dir = await tempDir();
  const { database } = homeAt(dir.path);
  writeOldHome(database, sessions);
  const store = await openSqliteStore({ file: database });
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir.remove();
    },
  };
}

test("E3 an older home's sessions keep their last reported state", async () => {
  const reason = { code: "AGENT_CRASHED", message: "it ended" };
  await using home = await openMigrated([
    { id: "ses_1", state: { told: "crashed", reason } },
    { id: "ses_2", state: { told: "idle" } },
  ]);
  const { state } = (await home.store.session("ses_1")) ?? {};
  expect(state).toEqual({
    ...{ lastSeq: 0, reportedState: "crashed", reason },
    ...{ queuePaused: false, queue: [], interactions: [] },
  });
  expect((await home.store.session("ses_2"))?.state.reportedState).toBe("idle");
});

test("E3 an older home's running turn has its prompt in its first attempt", async () => {
  const prompt = { turnId: "trn_1", seq: 7, phase: "written", interrupted: true, isBare: true };
  const steers = [{ messageId: "msg_1", seq: 9, isWritten: true }];
  await using home = await openMigrated([
    { id: "ses_1", runtime: { prompt: { ...prompt, steers }, agentSessionId: "conversation" } },
    { id: "ses_2" },
  ]);
  const { seq, phase, interrupted, isBare } = prompt;
  expect((await home.store.session("ses_1"))?.runtime).toEqual({
    ...{ run: 2, stopping: false, pending: {}, agentSessionId: "conversation" },
    attempt: {
      ...{ turnId: "trn_1", n: 1 },
      prompt: { kind: "message", seq, phase, interrupted, isBare, steers },
    },
  });
  expect((await home.store.session("ses_2"))?.runtime).toEqual({ run: 2, stopping: false, pending: {} });
});

test("E3 a prompt without a number gets that of its turn's last message", async () => {
  const events = [
    { type: "turn_start", turnId: "trn_1" },
    { type: "message", turnId: "trn_1" },
    { type: "done", turnId: "trn_1" },
    { type: "turn_start", turnId: "trn_2" },
    { type: "message", turnId: "trn_2" },
    { type: "notice", turnId: "trn_2" },
  ];
  const other = { id: "ses_1", events: [...events, ...events, ...events] };
  const runtime = { prompt: { turnId: "trn_1", phase: "accepted" } };
  await using home = await openMigrated([other, { id: "ses_2", runtime, events }]);
  expect((await home.store.session("ses_2"))?.runtime.attempt).toEqual({
    ...{ turnId: "trn_1", n: 1 },
    prompt: { kind: "message", seq: 2, phase: "accepted" },
  });
});
