import { expect, test } from "vitest";
import { makeInteraction, makeRow } from "../../../../test/contract/store-fixtures.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { openDatabase } from "../../src/store/open.ts";
import { migrations } from "../../src/store/schema.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

/** The last schema that stored deadlines with the interactions. */
const schemaBefore = 5;

test("open interactions of an older home keep their deadlines as alarms", async () => {
  await using dir = await tempDir();
  const { database: file } = homeAt(dir.path);
  const row = makeRow({ live: true });
  const [open, endless, settled] = [
    makeInteraction(row),
    makeInteraction(row, { remainingMs: undefined }),
    makeInteraction(row, { state: "resolved", resolution: "denied" }),
  ];
  const old = await openDatabase({
    ...{ file, migrations: migrations.slice(0, schemaBefore), busyTimeoutMs: 0, beside: false },
    now: () => new Date(),
  });
  old.db
    .prepare(
      `INSERT INTO sessions (key, id, name, cwd, created_at, updated_at, archived, state_name, live, open_from,
         runtime, state)
       VALUES (7, ?, ?, '/work', '2026', '2026', 0, 'waiting_for_input', 1, 1, ?, ?)`,
    )
    .run(row.id, row.name, JSON.stringify(row.runtime), JSON.stringify(row.state));
  old.db
    .prepare("INSERT INTO session_parts (session, part, data) VALUES (7, 'interactions', ?)")
    .run(JSON.stringify([open, endless]));
  const insert = old.db.prepare(
    "INSERT INTO interactions (id, session, state, remaining_ms, data) VALUES (?, 7, ?, ?, ?)",
  );
  insert.run(open.id, "open", 1_234.5, JSON.stringify(open));
  insert.run(endless.id, "open", null, JSON.stringify(endless));
  insert.run(settled.id, "resolved", 99, JSON.stringify(settled));
  old.db.close();

  await using store = await openSqliteStore({ file });
  expect(store.report.migrated).toMatchObject({ from: schemaBefore, to: migrations.length });
  const { id, createdAt } = open;
  const due = { counts: "awake", durationMs: 600_000, remainingMs: 1_234.5 };
  expect(await store.alarms()).toEqual([{ id, sessionId: row.id, kind: "interaction", createdAt, due }]);
  expect(await store.interactions({ state: "all" })).toEqual([open, endless, settled]);
  expect((await store.session(row.id))?.state.interactions).toEqual([open, endless]);
});
