import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { createSession, extendLog, readLog, stretch } from "../../../../test/contract/store-fixtures.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { markDamaged, refuseOldSqlite } from "../../src/store/open.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const now = () => new Date("2026-11-15T09:13:08.123Z");

/** Databases that were moved aside, without their write-ahead logs. */
async function keptAside(file: string): Promise<string[]> {
  const names = await readdir(dirname(file));
  return names.filter((name) => /\.corrupt-\w+$/.test(name)).map((name) => join(dirname(file), name));
}

test("D1 a file that is not a database is moved aside under a dated name and replaced with a new one", async () => {
  await using dir = await tempDir();
  const file = homeAt(dir.path).database;
  const damaged = "this is not a database".repeat(100);
  await writeFile(file, damaged);
  await writeFile(`${file}-wal`, "its log");
  await using store = await openSqliteStore({ file, now });
  const aside = `${file}.corrupt-20261115T091308123Z`;
  expect(store.report.keptAside).toEqual({
    file: aside,
    message: expect.stringMatching(/not a database.*kept as .*restore a backup.*\.recover/),
  });
  expect(await readFile(aside, "utf8")).toBe(damaged);
  expect(await readFile(`${aside}-wal`, "utf8")).toBe("its log");
  expect(await keptAside(file)).toEqual([aside]);
  const row = await createSession(store);
  expect(await store.session(row.id)).toEqual(row);
});

/** Fills a store and corrupts pages in its middle, as a bad disk would; SQLite opens it without an error. */
async function spoil(directory: string): Promise<string> {
  const file = homeAt(directory).database;
  await using store = await openSqliteStore({ file: homeAt(directory).database });
  let row = await createSession(store);
  for (let n = 0; n < 50; n++) {
    const seq = row.state.lastSeq + 1;
    row = await extendLog(store, row, { events: [stretch(seq, seq, "x".repeat(5_000))] });
  }
  await store[Symbol.asyncDispose]();
  const bytes = await readFile(file);
  bytes.fill(0xff, 60 * 4_096);
  await writeFile(file, bytes);
  return row.id;
}

test("D1 damage that a server encounters is detected at its next start", async () => {
  await using dir = await tempDir();
  const id = await spoil(dir.path);
  const store = await openSqliteStore({ file: homeAt(dir.path).database });
  expect(store.report).toEqual({});
  await expect(readLog(store, id)).rejects.toThrow("malformed");
  await store[Symbol.asyncDispose]();
  await using fresh = await openSqliteStore({ file: homeAt(dir.path).database, now });
  expect(fresh.report.keptAside?.file).toContain("corrupt-2026");
  expect(await fresh.sessions({ limit: 1, archived: false })).toEqual({ rows: [] });
});

test("D1 a small store that was not closed is checked when it is opened", async () => {
  await using dir = await tempDir();
  await spoil(dir.path);
  await writeFile(`${homeAt(dir.path).database}-wal`, "left by a server that was killed");
  await using store = await openSqliteStore({ file: homeAt(dir.path).database });
  expect(store.report.keptAside).toBeDefined();
});

test("a false alarm about damage is cleared and changes nothing", async () => {
  await using dir = await tempDir();
  const file = homeAt(dir.path).database;
  const before = await openSqliteStore({ file });
  const row = await createSession(before);
  await before[Symbol.asyncDispose]();
  markDamaged(file);
  await using store = await openSqliteStore({ file });
  expect(store.report).toEqual({});
  expect(await store.session(row.id)).toEqual(row);
  expect((await readdir(dir.path)).filter((name) => name.includes("suspect"))).toEqual([]);
});

test("D2 a store with a newer schema is rejected and left unchanged", async () => {
  await using dir = await tempDir();
  const file = homeAt(dir.path).database;
  await (await openSqliteStore({ file }))[Symbol.asyncDispose]();
  const newer = new DatabaseSync(file);
  newer.exec("PRAGMA user_version = 99");
  newer.close();
  const bytes = await readFile(file);
  await expect(openSqliteStore({ file })).rejects.toMatchObject({
    name: "StoreRefused",
    code: "NEWER_SCHEMA",
    message: expect.stringMatching(/newer Drover \(schema 99.*Start that version/),
  });
  expect(await readFile(file)).toEqual(bytes);
  expect(await keptAside(file)).toEqual([]);
});

test("an SQLite older than 3.51.3 is rejected", () => {
  for (const old of ["3.51.2", "3.50.9", "2.99.9"]) {
    expect(() => refuseOldSqlite(old)).toThrow(expect.objectContaining({ code: "OLD_SQLITE" }));
  }
  for (const good of ["3.51.3", "3.52.0", "3.53.4", "4.0.0"])
    expect(() => refuseOldSqlite(good)).not.toThrow();
});

test("the database is readable only by its owner", async () => {
  await using dir = await tempDir();
  await using store = await openSqliteStore({ file: homeAt(join(dir.path, "home")).database });
  await createSession(store);
  for (const name of await readdir(join(dir.path, "home"))) {
    expect([name, (await stat(join(dir.path, "home", name))).mode & 0o077]).toEqual([name, 0]);
  }
});

test("a backup made while serving is complete, is one file, and contains no logins", async () => {
  await using dir = await tempDir();
  await using store = await openSqliteStore({ file: homeAt(join(dir.path, "home")).database });
  let row = await createSession(store, { live: true });
  const at = now().toISOString();
  const hashes = { cookieHash: "hash-of-a-cookie", keyHash: "hash-of-a-key", tokenHash: "hash-of-the-token" };
  const login = { id: "lgn_1", ...hashes, label: "Firefox on Linux", createdAt: at, lastUsedAt: at };
  await store.addLogin(login);
  const append = async () => {
    const seq = row.state.lastSeq + 1;
    row = await extendLog(store, row, { events: [stretch(seq, seq, "x".repeat(10_000))] });
  };
  for (let n = 0; n < 200; n++) await append();
  await mkdir(join(dir.path, "copy"));
  const target = homeAt(join(dir.path, "copy")).database;
  let copied = false;
  const copying = store.backup(target).then(() => {
    copied = true;
  });
  while (!copied) await append();
  await copying;

  expect(await readdir(join(dir.path, "copy"))).toEqual(["drover.db"]);
  const copiedBytes = await readFile(target);
  for (const hash of Object.values(hashes)) expect(copiedBytes.includes(hash)).toBe(false);
  expect((await stat(target)).mode & 0o077).toBe(0);
  await using restored = await openSqliteStore({ file: homeAt(join(dir.path, "copy")).database });
  const log = await readLog(restored, row.id);
  expect(log.length).toBeGreaterThanOrEqual(200);
  expect(log).toEqual((await readLog(store, row.id)).slice(0, log.length));
  expect((await restored.session(row.id))?.state.lastSeq).toBe(log.length);
  expect(await store.logins()).toEqual([login]);
});

test("a command beside a running server prunes and backs up without disturbing it", async () => {
  await using dir = await tempDir();
  await using server = await openSqliteStore({ file: homeAt(dir.path).database });
  let row = await createSession(server, { live: true });
  const deleted = await createSession(server);
  await extendLog(server, deleted, { events: [stretch(1)] });
  await server.remove(deleted.id, 1);
  {
    await using command = await openSqliteStore({ file: homeAt(dir.path).database, beside: true });
    expect(await command.prunable("9999")).toEqual([deleted.id]);
    const pruned = command.prune(deleted.id);
    row = await extendLog(server, row, { events: [stretch(1)] });
    await pruned;
    await command.backup(join(dir.path, "copy.db"));
  }
  row = await extendLog(server, row, { events: [stretch(2)] });
  expect(await readLog(server, row.id)).toHaveLength(2);
  expect(await server.lastSeq(deleted.id)).toBe(0);
});

test("a command beside a running server creates, migrates and moves nothing", async () => {
  await using dir = await tempDir();
  const file = homeAt(dir.path).database;
  const beside = () => openSqliteStore({ file, beside: true });
  await (await openSqliteStore({ file }))[Symbol.asyncDispose]();
  const set = (version: number) => {
    const db = new DatabaseSync(file);
    db.exec(`PRAGMA user_version = ${version}`);
    db.close();
  };
  set(0);
  await expect(beside()).rejects.toMatchObject({ name: "StoreRefused", code: "OLDER_SCHEMA" });
  set(99);
  await expect(beside()).rejects.toMatchObject({ code: "NEWER_SCHEMA" });
  await writeFile(file, "no database".repeat(100));
  await expect(beside()).rejects.toMatchObject({ code: "CORRUPT" });
  expect(await keptAside(file)).toEqual([]);
  expect(await readFile(file, "utf8")).toContain("no database");
  await rm(file);
  await mkdir(file);
  await expect(beside()).rejects.toMatchObject({ name: "StoreRefused", code: "OUT_OF_REACH" });
});
