import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { copyDatabase } from "./copy.ts";
import type { Migration } from "./migration.ts";
import { StoreRefused } from "./refused.ts";

export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** The database as it was before. */
  readonly copy: string;
}

const COPIES_KEPT = 2;

export function refuseNewerSchema(db: DatabaseSync, known: number, file: string): void {
  const found = schemaVersion(db);
  if (found <= known) return;
  throw new StoreRefused(
    "NEWER_SCHEMA",
    `${file} was written by a newer Drover (schema ${found}, this one knows ${known}). ` +
      "Start that version again, or put a backup made by this version in its place.",
  );
}

/** For callers that must not migrate. */
export function refuseOlderSchema(db: DatabaseSync, known: number, file: string): void {
  const found = schemaVersion(db);
  if (found >= known) return;
  throw new StoreRefused(
    "OLDER_SCHEMA",
    `${file} was written by an older Drover (schema ${found}, this one has ${known}). ` +
      "Start this version's server once to update it, then try again.",
  );
}

/**
 * Brings the database to the newest version, or refuses and leaves it as it was. An existing database is copied first;
 * an empty one has nothing to preserve.
 */
export async function migrate(
  db: DatabaseSync,
  migrations: readonly Migration[],
  { file, stamp }: { file: string; stamp: string },
): Promise<Migrated | undefined> {
  const from = schemaVersion(db);
  const to = migrations.length;
  if (from === to) return undefined;
  if (from === 0) {
    apply(db, migrations, { from, to });
    return undefined;
  }
  const copy = `${file}.v${from}-${stamp}`;
  try {
    await copyDatabase(file, copy);
    apply(db, migrations, { from, to });
  } catch (error) {
    throw new StoreRefused(
      "MIGRATION_FAILED",
      `${file} could not be migrated from schema ${from} to ${to}: ${error instanceof Error ? error.message : error}. ` +
        `Nothing in it was changed. Start the previous version again, or free some disk space and try once more.`,
      { cause: error },
    );
  }
  dropOldCopies(file);
  return { from, to, copy };
}

function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
}

function apply(
  db: DatabaseSync,
  migrations: readonly Migration[],
  { from, to }: { from: number; to: number },
): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const migration of migrations.slice(from)) migration(db);
    db.exec(`PRAGMA user_version = ${to}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Copies have the version and the time in their names; they are ordered by time alone. */
function dropOldCopies(file: string): void {
  const prefix = `${basename(file)}.v`;
  const time = (name: string) => name.slice(name.indexOf("-") + 1);
  const copies = readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^\d+-\d{8}T\d{9}Z$/.test(name.slice(prefix.length)))
    .sort((a, b) => (time(a) < time(b) ? 1 : -1));
  for (const name of copies.slice(COPIES_KEPT)) rmSync(join(dirname(file), name), { force: true });
}
