import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createSession, extendLog, readLog, stretch } from "../../../../test/contract/store-fixtures.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { homeAt } from "../../src/home.ts";
import { Checkpointer } from "../../src/store/checkpoint.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const megabyte = 1024 * 1024;

test("a long write-ahead log is checkpointed while the store is in use", async () => {
  await using dir = await tempDir();
  const file = homeAt(dir.path).database;
  await using store = await openSqliteStore({ file });
  let row = await createSession(store, { live: true });
  await until(async () => {
    const seq = row.state.lastSeq + 1;
    row = await extendLog(store, row, { events: [stretch(seq, seq, "x".repeat(100_000))] });
    return statSync(file).size > 3 * megabyte;
  });
  expect(await readLog(store, row.id)).toHaveLength(row.state.lastSeq);
});

test("without its own thread the log is checkpointed by commits, as SQLite does by default", async () => {
  await using dir = await tempDir();
  const db = new DatabaseSync(join(dir.path, "test.db"));
  try {
    db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    const checkpointer = new Checkpointer(db, join(dir.path, "no-such-directory", "test.db"));
    const every = () => db.prepare("PRAGMA wal_autocheckpoint").get()?.["wal_autocheckpoint"];
    expect(every()).toBe(0);
    await until(() => {
      db.prepare("INSERT INTO t VALUES (?)").run("x".repeat(megabyte));
      checkpointer.committed();
      return every() === 1_000;
    });
    await checkpointer.close();
  } finally {
    db.close();
  }
});
