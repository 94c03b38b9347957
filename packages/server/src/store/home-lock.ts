import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreRefused } from "./refused.ts";
import { isBusy, isCorruption } from "./sqlite-error.ts";

/** The server that holds a home, as far as it has said who it is. */
export interface Holder {
  readonly pid: number;
  readonly url?: string;
}

export interface HomeLock extends Disposable {
  release(): void;
}

/**
 * Makes this process the only one that serves the home in which the lock `file` lies, until it releases the lock or ends
 * in any way: the lock is an exclusive transaction on a database of its own, and the kernel takes such locks back even
 * after `kill -9`. No pid is ever guessed at, and children do not inherit it.
 *
 * `identify` tells who is there when it is taken; it may not know, because a server says so only once it listens.
 * Refuses with StoreRefused `IN_USE`.
 */
export function acquireHome(file: string, identify: () => Holder | undefined): HomeLock {
  const home = dirname(file);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Made first, because SQLite would make it readable for everyone; only once, because closing a file gives up the
  // locks this process has on it.
  if (!existsSync(file)) writeFileSync(file, "", { flag: "a", mode: 0o600 });
  const db = new DatabaseSync(file);
  try {
    // Without this a journal file would lie about, although nothing is ever written.
    db.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (isBusy(error)) throw new StoreRefused("IN_USE", inUse(home, identify()));
    if (isCorruption(error)) {
      throw new StoreRefused("CORRUPT", `${file} is not what Drover made. It holds nothing: remove it.`, {
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

/** Reachable from here, a lock that its owner lost sight of is not given back by the garbage collector. */
const held = new Set<DatabaseSync>();

function inUse(home: string, holder: Holder | undefined): string {
  const who = holder ? ` (pid ${holder.pid}${holder.url ? `, ${holder.url}` : ""})` : "";
  return `Another Drover server${who} is serving ${home}. Use that one, stop it with \`drover down\`, or choose another DROVER_HOME.`;
}
