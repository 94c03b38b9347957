import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSession, extendLog, stretch } from "../../../../test/contract/store-fixtures.ts";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { StoreError } from "../../src/ports.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { GroupWriter } from "../../src/store/writer.ts";

let dir: TempDir;
let db: DatabaseSync;
let undone: number;
let commits: number;
let failures: unknown[];
let writer: GroupWriter;

beforeEach(async () => {
  dir = await tempDir();
  db = new DatabaseSync(join(dir.path, "test.db"), { timeout: 0 });
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
  undone = 0;
  commits = 0;
  failures = [];
  const hooks = {
    undone: () => undone++,
    failed: (error: unknown) => failures.push(error),
    committed: () => commits++,
  };
  writer = new GroupWriter(db, hooks, 5_000);
});
afterEach(async () => {
  db.close();
  await dir.remove();
});

const add = (value: string) => () => void db.prepare("INSERT INTO t VALUES (?)").run(value);
const stored = () =>
  db
    .prepare("SELECT a FROM t")
    .all()
    .map((row) => row["a"]);

/** What another program sees: only committed rows. */
function seenByOthers(): number {
  const other = new DatabaseSync(join(dir.path, "test.db"), { readOnly: true });
  const count = Number(other.prepare("SELECT count(*) AS n FROM t").get()?.["n"]);
  other.close();
  return count;
}

test("a promise resolves only after the commit, which all writes of a tick share", async () => {
  const transactions: boolean[] = [];
  const writes = [1, 2, 3].map((n) =>
    writer.write("output", () => {
      add(`${n}`)();
      transactions.push(db.isTransaction);
      return seenByOthers();
    }),
  );
  const first = writes[0]?.then(() => seenByOthers());
  expect(await Promise.all(writes)).toEqual([0, 0, 0]);
  expect(await first).toBe(3);
  expect(transactions).toEqual([true, true, true]);
  expect(commits).toBe(1);
});

test("a group of writes with a command waits for the disk; output alone does not", async () => {
  const level = () => db.prepare("PRAGMA synchronous").get()?.["synchronous"];
  const [NORMAL, FULL] = [1, 2];
  expect(await writer.write("output", level)).toBe(NORMAL);
  expect(await Promise.all([writer.write("output", level), writer.write("command", level)])).toEqual([
    FULL,
    FULL,
  ]);
  expect(await writer.write("output", level)).toBe(NORMAL);
});

test("a rejected or failed write affects only its own caller; the others are stored", async () => {
  const outcomes = await Promise.allSettled([
    writer.write("output", add("a")),
    writer.write("output", () => {
      throw new StoreError("CONFLICT", "no");
    }),
    writer.write("output", () => {
      add("half")();
      throw new Error("a bug");
    }),
    writer.write("output", add("b")),
  ]);
  expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual([
    false,
    "StoreError: no",
    "Error: a bug",
    false,
  ]);
  expect(stored()).toEqual(["a", "b"]);
  expect(failures).toEqual([new Error("a bug")]);
  expect(undone).toBe(2);
});

test("with a full disk writes fail with STORAGE_FULL, reads work, and writes work again once there is space", async () => {
  db.exec("PRAGMA max_page_count = 10");
  const big = () => add("x".repeat(100_000))();
  await expect(writer.write("output", big)).rejects.toMatchObject({
    name: "StoreError",
    code: "STORAGE_FULL",
  });
  expect(stored()).toEqual([]);
  db.exec("PRAGMA max_page_count = 10000");
  await writer.write("output", big);
  expect(stored()).toHaveLength(1);
  expect(failures).toEqual([]);
});

test("writes to a database that another program locks fail with STORE_BUSY, and nothing is lost", async () => {
  await using store = await openSqliteStore({ file: homeAt(dir.path).database, busyTimeoutMs: 10 });
  const row = await createSession(store);
  const other = new DatabaseSync(homeAt(dir.path).database);
  other.exec("BEGIN IMMEDIATE");
  await expect(extendLog(store, row, { events: [stretch(1)] })).rejects.toMatchObject({ code: "STORE_BUSY" });
  other.close();
  await extendLog(store, row, { events: [stretch(1)] });
  expect(await store.lastSeq(row.id)).toBe(1);
});

test("writes wait in order while another program locks the database, and reads continue", async () => {
  const other = new DatabaseSync(join(dir.path, "test.db"));
  other.exec("BEGIN IMMEDIATE");
  const written = ["one", "two"].map((value) => writer.write("command", add(value)));
  // The first attempt is made before this resolves; if it blocked, the lock could never be released.
  await setImmediate();
  written.push(writer.write("output", add("three")));
  expect(stored()).toEqual([]);
  other.exec("COMMIT");
  other.close();
  await Promise.all(written);
  expect(stored()).toEqual(["one", "two", "three"]);
  expect(failures).toEqual([]);
});

test("closing a store commits the writes of the same tick", async () => {
  const store = await openSqliteStore({ file: homeAt(dir.path).database });
  const row = await createSession(store);
  const appended = extendLog(store, row, { events: [stretch(1)] });
  await store[Symbol.asyncDispose]();
  await appended;
  await using again = await openSqliteStore({ file: homeAt(dir.path).database });
  expect(await again.lastSeq(row.id)).toBe(1);
});
