import { constants } from "node:fs";
import { access, lstat, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Finding } from "@drover/core";
import type { Home } from "../home.ts";
import { broken, fine, note } from "./finding.ts";
import { bytes, shellWord } from "./words.ts";

/** Ours alone, and usable: the home holds the token and everything that was ever said. */
export async function checkHome({ directory }: Home): Promise<Finding> {
  const found = await stat(directory).catch(() => undefined);
  if (!found) return note("home", `${directory} does not exist yet; the first start makes it`);
  if (!found.isDirectory()) {
    return broken("home", `${directory} is not a directory`, "Move it away, or choose another DROVER_HOME.");
  }
  const isOthers = process.getuid !== undefined && found.uid !== process.getuid();
  if (isOthers) {
    return broken(
      "home",
      `${directory} belongs to another user`,
      `Become that user, or choose another DROVER_HOME.`,
    );
  }
  const chmod = `\`chmod 700 ${shellWord(directory)}\``;
  if ((found.mode & 0o077) !== 0) return broken("home", `Others can look into ${directory}`, chmod);
  const refused = await access(directory, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  if (refused === undefined) return fine("home", directory);
  const remedy = refused === "EROFS" ? "Make its disk writable, or choose another DROVER_HOME." : chmod;
  return broken("home", `${directory} cannot be written to`, remedy);
}

export async function checkToken({ token }: Home): Promise<Finding> {
  const found = await lstat(token).catch(() => undefined);
  if (!found) return note("token", "There is none yet; the first start makes it");
  if ((found.mode & 0o077) === 0) return fine("token", `${token} is yours alone`);
  const remedy = `\`chmod 600 ${shellWord(token)}\`, then make a new one: remove it and start the server again`;
  return broken("token", `Others can read ${token}`, remedy);
}

const sqliteHeader = "SQLite format 3\0";
/** Where a database's header (sqlite.org/fileformat.html) has its user_version, which is our schema. */
const schemaAt = 60;
const headerBytes = 64;

/** Looks without opening it: a database is opened, and if need be migrated, by the server alone. */
export async function checkDatabase({ database }: Home, schema: number): Promise<Finding[]> {
  const aside = await keptAside(database);
  const remedy = "Restore a backup, or remove it when nothing in it is missed.";
  const kept = aside.map((file) => note("database", `A damaged database was kept as ${file}`, remedy));
  return [await lookAt(database, schema), ...(await suspicion(database)), ...kept];
}

/** A server that meets damage says so for the next one, which then looks at all of it. */
async function suspicion(database: string): Promise<Finding[]> {
  if (!(await lstat(`${database}.suspect`).catch(() => undefined))) return [];
  const remedy = "`drover down && drover serve`: the start checks all of it, and keeps it aside if need be.";
  return [broken("database", `Damage was met in ${database}`, remedy)];
}

async function lookAt(database: string, schema: number): Promise<Finding> {
  const found = await lstat(database).catch(() => undefined);
  if (!found) return note("database", "There is none yet; the first start makes it");
  const wal = await lstat(`${database}-wal`).catch(() => undefined);
  try {
    await using file = await open(database, "r");
    const { buffer } = await file.read({ buffer: Buffer.alloc(headerBytes), position: 0 });
    const isDatabase = found.size === 0 || buffer.toString("latin1", 0, 16) === sqliteHeader;
    const size = found.size + (wal?.size ?? 0);
    const version = buffer.readInt32BE(schemaAt);
    if (isDatabase && version > schema) {
      const what = `${database} was written by a newer Drover (schema ${version}, this one knows ${schema})`;
      return broken("database", what, "Start that version again, or restore a backup made by this one.");
    }
    if (isDatabase) return fine("database", `${database}, ${bytes(size)}`);
    const remedy = "Start the server: it keeps the file aside and says how to get at what is in it.";
    return broken("database", `${database} is damaged`, remedy);
  } catch (error) {
    return broken(
      "database",
      `${database} cannot be read: ${String(error)}`,
      `\`chmod 600 ${shellWord(database)}\``,
    );
  }
}

async function keptAside(database: string): Promise<string[]> {
  const directory = dirname(database);
  const prefix = `${basename(database)}.corrupt-`;
  const names = await readdir(directory).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name))
    .map((name) => join(directory, name));
}
