import { lstat, open, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { StoreInspection } from "../ports.ts";
import { asidePrefix, suspicion } from "./open.ts";
import { migrations } from "./schema.ts";

const magic = "SQLite format 3\0";
/** The offset of user_version, our schema version, in a database header (sqlite.org/fileformat.html). */
const schemaAt = 60;
const headerBytes = 64;

export async function inspectStore(file: string): Promise<StoreInspection> {
  const isSuspect = await lstat(suspicion(file)).then(
    () => true,
    () => false,
  );
  return { found: await lookAt(file), isSuspect, keptAside: await keptAside(file) };
}

async function lookAt(file: string): Promise<StoreInspection["found"]> {
  const main = await lstat(file).catch(() => undefined);
  if (!main) return { state: "none" };
  const wal = await lstat(`${file}-wal`).catch(() => undefined);
  try {
    await using opened = await open(file, "r");
    const { buffer } = await opened.read({ buffer: Buffer.alloc(headerBytes), position: 0 });
    const isDatabase = main.size === 0 || buffer.toString("latin1", 0, magic.length) === magic;
    if (!isDatabase) return { state: "damaged" };
    const schema = buffer.readInt32BE(schemaAt);
    const known = migrations.length;
    if (schema > known) return { state: "newer", schema, known };
    return { state: "readable", bytes: main.size + (wal?.size ?? 0) };
  } catch (error) {
    return { state: "unreadable", error: String(error) };
  }
}

async function keptAside(file: string): Promise<string[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  return names
    .filter((name) => name.startsWith(basename(asidePrefix(file))) && !/-(wal|shm)$/.test(name))
    .map((name) => join(dirname(file), name));
}
