import { StoreError } from "../ports.ts";

/** SQLite's primary result codes (sqlite.org/rescode.html) that matter to us. */
const BUSY = 5;
const LOCKED = 6;
const PERMISSION = 3;
const READ_ONLY = 8;
const CANNOT_OPEN = 14;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
/**
 * Extended codes: SQLite reports ENOSPC as FULL, but an exhausted quota or a shared-memory file that cannot grow as
 * these.
 */
const IOERR_WRITE = 778;
const IOERR_SHMSIZE = 4874;

function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

/** The file itself is damaged, or is not an SQLite database. */
export function isCorruption(error: unknown): boolean {
  const primary = (codeOf(error) ?? 0) & 0xff;
  return primary === CORRUPT || primary === NOT_A_DATABASE;
}

/** The file is out of reach: owned by others, on a read-only disk, or in a read-only directory. */
export function isOutOfReach(error: unknown): boolean {
  const primary = (codeOf(error) ?? 0) & 0xff;
  return primary === PERMISSION || primary === READ_ONLY || primary === CANNOT_OPEN;
}

export function isBusy(error: unknown): boolean {
  const primary = (codeOf(error) ?? 0) & 0xff;
  return primary === BUSY || primary === LOCKED;
}

/** Errors the engine can act on become a StoreError; anything else stays as it is, a bug or a broken disk. */
export function translateSqliteError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  if ((code & 0xff) === FULL || code === IOERR_WRITE || code === IOERR_SHMSIZE) {
    return new StoreError(
      "STORAGE_FULL",
      "The disk is full; free some space and Drover resumes automatically",
    );
  }
  if (isBusy(error)) {
    return new StoreError("STORE_BUSY", "Another program holds the database; try again in a moment");
  }
  return error;
}
