import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { migrations } from "../../src/store/schema.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

interface OldSession {
  readonly id: string;
  readonly runtime?: object;
  readonly state?: object;
  readonly events?: readonly object[];
}

/** A home of schema 4 with these sessions, written as that version wrote them. */
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

test("E3 an older home's sessions keep the state that was reported last", async () => {
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
