import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreRefused } from "./refused.ts";
import { isBusy, isCorruption } from "./sqlite-error.ts";

/** The server that holds a home, as far as it has identified itself. */
export interface Holder {
  readonly pid: number;
  readonly url?: string;
}

export interface HomeLock extends Disposable {
  release(): void;
}

/**
 * Makes this process the only one that serves the home containing the lock `file`, until it releases the lock or ends
 * in any way: the lock is an exclusive transaction on a separate database, and the kernel releases such locks even
 * after `kill -9`. No pid is ever guessed, and children do not inherit the lock.
 *
 * `identify` returns the current holder if the lock is taken; it may not know, because a server identifies itself only
 * once it listens. Throws StoreRefused `IN_USE`.
 */
export function acquireHome(file: string, identify: () => Holder | undefined): HomeLock {
  const home = dirname(file);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Created first, because SQLite would make it readable for everyone; only once, because closing a file releases the
  // locks this process holds on it.
  if (!existsSync(file)) writeFileSync(file, "", { flag: "a", mode: 0o600 });
  const db = new DatabaseSync(file);
  try {
    // Otherwise SQLite leaves a journal file behind, although nothing is ever written.
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new StoreRefused("IN_USE", inUse(home, identify()));
    if (isCorruption(error)) {
      throw new StoreRefused("CORRUPT", `${file} was not created by Drover. It holds no data: remove it.`, {
        cause: error,
      });
    }
    throw error;
  }
  held.add(db);
  const release = () => {
    if (held.delete(db)) db.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** Keeps a lock its owner lost track of from being released by the garbage collector. */
const held = new Set<DatabaseSync>();

function inUse(home: string, holder: Holder | undefined): string {
  const who = holder ? ` (pid ${holder.pid}${holder.url ? `, ${holder.url}` : ""})` : "";
  return `Another Drover server${who} is serving ${home}. Use that one, stop it with \`drover down\`, or choose another DROVER_HOME.`;
}
