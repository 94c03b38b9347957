import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, link, lstat, readdir, rename, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** Another git is changing the index, or one that died has left its lock. */
export class IndexLocked extends Error {
  override readonly name = "IndexLocked";
  readonly lock: string;

  constructor(lock: string) {
    super(`${lock} exists`);
    this.lock = lock;
  }
}

/** Drafts of this process that are in use. */
const drafts = new Set<string>();

const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/**
 * Replaces an index while holding git's lock on it. `isStill` is asked once the lock is held; if it says no, nothing is
 * replaced. The lock is a hard link to a draft whose name says which process made it, so that the lock of a server that
 * died is known as Drover's own.
 */
export async function replaceIndex(
  index: string,
  { by, isStill = async () => true }: { readonly by: string; readonly isStill?: () => Promise<boolean> },
): Promise<boolean> {
  const lock = `${index}.lock`;
  const draft = `${index}.drover-${machine}-${process.pid}-${randomBytes(6).toString("hex")}`;
  drafts.add(draft);
  try {
    await copyFile(by, draft, constants.COPYFILE_EXCL);
    await acquire(lock, { draft, index });
    try {
      const isWanted = await isStill();
      if (isWanted) await rename(lock, index);
      else await rm(lock, { force: true });
      return isWanted;
    } catch (error) {
      await rm(lock, { force: true });
      throw error;
    }
  } finally {
    await rm(draft, { force: true });
    drafts.delete(draft);
  }
}

async function acquire(lock: string, { draft, index }: { draft: string; index: string }): Promise<void> {
  if (await linked(draft, lock)) return;
  await removeAbandonedLock(index);
  if (!(await linked(draft, lock))) throw new IndexLocked(lock);
}

async function linked(draft: string, lock: string): Promise<boolean> {
  const isThere = (error: NodeJS.ErrnoException) => {
    if (error.code === "EEXIST") return false;
    throw error;
  };
  return link(draft, lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      // Some file systems have no hard links. A lock that is left there has to be removed by hand.
      return copyFile(draft, lock, constants.COPYFILE_EXCL).then(() => true, isThere);
    },
  );
}

/** Removes the drafts of servers that died, and the lock of an index if it is one of them. */
export async function removeAbandonedLock(index: string): Promise<void> {
  const directory = dirname(index);
  const prefix = `${basename(index)}.drover-${machine}-`;
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const draft = join(directory, name);
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (pid === process.pid ? drafts.has(draft) : isAlive(pid)) continue;
    const own = `${index}.drover-${machine}-${process.pid}-${randomBytes(6).toString("hex")}`;
    // Of several servers, the one that can rename it removes the lock.
    const isOurs = await rename(draft, own).then(
      () => true,
      () => false,
    );
    if (!isOurs) continue;
    if (await areSame(own, `${index}.lock`)) await rm(`${index}.lock`, { force: true });
    await rm(own, { force: true });
  }
}

async function areSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** The number may belong to another program by now; the lock then stays. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
