import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Migrated, migrate, refuseNewerSchema, refuseOlderSchema } from "./migrate.ts";
import type { Migration } from "./migration.ts";
import { StoreRefused } from "./refused.ts";
import { isCorruption, isOutOfReach } from "./sqlite-error.ts";

export interface OpenOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  readonly busyTimeoutMs: number;
  readonly now: () => Date;
  /** A server may be using it: it is opened as it is, never created, migrated or moved aside. */
  readonly beside: boolean;
}

export interface KeptAside {
  readonly file: string;
  /** What was found, and the way out. */
  readonly message: string;
}

/** What opening did besides opening: for `serve` to print and `doctor` to show. */
export interface OpenReport {
  readonly keptAside?: KeptAside;
  readonly migrated?: Migrated;
}

/**
 * 3.51.3 fixes the WAL-reset bug (sqlite.org/wal.html#walresetbug): a checkpoint concurrent with a commit could corrupt
 * the database.
 */
const oldestSqlite = [3, 51, 3] as const;

/** About 0.1 s of checking. Larger databases are checked only after damage was reported. */
const CHECKED_UP_TO = 32 * 1024 * 1024;

/**
 * Opens the database for the one process that holds the home, creating or migrating it; or `beside` that process.
 * Throws StoreRefused.
 *
 * A damaged file is moved aside and a new one is created. Damage is found by opening, and by `quick_check` in two
 * cases: the last server did not close the file (its -wal is still there) and it is small; or a server ran into damage
 * while serving, and reported it with `markDamaged`. A large database is not scanned after every crash: SQLite itself
 * survives those, and starting must stay fast.
 */
export async function openDatabase(options: OpenOptions): Promise<{ db: DatabaseSync; report: OpenReport }> {
  const stamp = options.now().toISOString().replace(/[-:.]/g, "");
  refuseOldSqlite(process.versions["sqlite"] ?? "");
  if (options.beside) return { db: openBeside(options), report: {} };
  mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
  try {
    return await openOnce(options, stamp);
  } catch (error) {
    if (!isCorruption(error) && !(error instanceof Damage)) throw explain(error, options.file);
    const found = error instanceof Error ? error.message : String(error);
    const keptAside = moveAside(options.file, { found, stamp });
    const { db, report } = await openOnce(options, stamp);
    return { db, report: { ...report, keptAside } };
  }
}

export function refuseOldSqlite(version: string): void {
  const parts = version.split(".").map(Number);
  for (const [index, least] of oldestSqlite.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new StoreRefused(
        "OLD_SQLITE",
        `This Node includes SQLite ${version}; Drover needs ${oldestSqlite.join(".")} or newer. Install a newer Node 24.`,
      );
    }
  }
}

/** Makes the next open check the whole file, whatever its size. */
export function markDamaged(file: string): void {
  writeFileSync(suspicion(file), "", { mode: 0o600 });
}

/** SQLite opened the file, but its check found damage. */
class Damage extends Error {}

export const suspicion = (file: string) => `${file}.suspect`;
/** Followed by the time at which a damaged file was moved aside. */
export const asidePrefix = (file: string) => `${file}.corrupt-`;

async function openOnce(
  { file, migrations, busyTimeoutMs }: OpenOptions,
  stamp: string,
): Promise<{ db: DatabaseSync; report: OpenReport }> {
  const existed = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (existed) inspect(file, migrations.length);
  // Created first, because SQLite would make it readable for everyone; -wal and -shm take the database's mode.
  else writeFileSync(file, "", { flag: "a", mode: 0o600 });
  const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
  try {
    configure(db);
    const migrated = await migrate(db, migrations, { file, stamp });
    rmSync(suspicion(file), { force: true });
    return { db, report: migrated ? { migrated } : {} };
  } catch (error) {
    db.close();
    throw error;
  }
}

function openBeside({ file, migrations, busyTimeoutMs }: OpenOptions): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: busyTimeoutMs });
    refuseNewerSchema(db, migrations.length, file);
    refuseOlderSchema(db, migrations.length, file);
    configure(db);
    return db;
  } catch (error) {
    db?.close();
    throw explain(error, file);
  }
}

/** Why a database cannot be used as it is, if known. */
function explain(error: unknown, file: string): unknown {
  if (isCorruption(error)) {
    const next = "Restart the server: it moves the file aside and says what can be done.";
    return new StoreRefused("CORRUPT", `${file} is damaged. ${next}`, { cause: error });
  }
  if (isOutOfReach(error)) {
    const found = error instanceof Error ? error.message : String(error);
    const next = "Its directory must be writable; if it cannot be, copy it as it is while no server runs.";
    return new StoreRefused("OUT_OF_REACH", `${file} cannot be opened (${found}). ${next}`, { cause: error });
  }
  return error;
}

/** Through a read-only connection: a file that is refused or damaged stays byte for byte as it was. */
function inspect(file: string, knownSchema: number): void {
  const mustCheck = shouldCheck(file);
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    refuseNewerSchema(db, knownSchema, file);
    if (mustCheck) check(db);
  } finally {
    db.close();
  }
}

function configure(db: DatabaseSync): void {
  db.exec(`
    -- Before the first table: lets a prune give space back to the disk.
    PRAGMA auto_vacuum = INCREMENTAL;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -8192;
    -- After a burst the log file shrinks to this again.
    PRAGMA journal_size_limit = 67108864;
  `);
}

function shouldCheck(file: string): boolean {
  if (existsSync(suspicion(file))) return true;
  const wal = statSync(`${file}-wal`, { throwIfNoEntry: false });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return wal !== undefined && wal.size > 0 && size <= CHECKED_UP_TO;
}

function check(db: DatabaseSync): void {
  const found = db.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (found !== "ok") throw new Damage(String(found));
}

/** The three files move together: the log may hold what the database does not have yet. */
function moveAside(file: string, { found, stamp }: { found: string; stamp: string }): KeptAside {
  const aside = `${asidePrefix(file)}${stamp}`;
  for (const part of ["", "-wal", "-shm"]) {
    if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  rmSync(suspicion(file), { force: true });
  return {
    file: aside,
    message:
      `The database was damaged (${found}) and is kept as ${aside}; a new, empty one is in its place. ` +
      `To get the old one back: stop the server and restore a backup, or save what can be read with ` +
      `sqlite3 '${aside}' .recover | sqlite3 '${file}'`,
  };
}
