import { randomBytes } from "node:crypto";
import { link, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { identify, isAlive, type ProcessIdentity } from "../process/identity.ts";
import { Semaphore } from "../process/semaphore.ts";
import { removeStale, textOf } from "./stale-file.ts";

/** Another server has held a repository for too long. */
export class RepositoryLocked extends Error {
  override readonly name = "RepositoryLocked";
  readonly path: string;

  constructor(path: string) {
    super(`Another Drover server holds ${path}`);
    this.path = path;
  }
}

const retryMs = 50;

/** One change of a repository's worktrees at a time, in this server and among all servers. */
export class RepositoryLocks {
  private readonly queues = new Map<string, { semaphore: Semaphore; users: number }>();

  /** Waits at most `patienceMs` for other servers; within this one, everything gets its turn. */
  async run<T>(gitDirectory: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
    const queue = this.queues.get(gitDirectory) ?? { semaphore: new Semaphore(1), users: 0 };
    this.queues.set(gitDirectory, queue);
    queue.users++;
    try {
      return await queue.semaphore.run(async () => {
        const path = join(gitDirectory, "drover.lock");
        const own = await acquire(path, patienceMs);
        try {
          return await work();
        } finally {
          await release(path, own);
        }
      });
    } finally {
      if (--queue.users === 0) this.queues.delete(gitDirectory);
    }
  }
}

/** Returns the content that proves that the lock is ours. */
async function acquire(path: string, patienceMs: number): Promise<string> {
  const own = `${JSON.stringify({ ...identify(process.pid), nonce: randomBytes(8).toString("hex") })}\n`;
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  // Linked into place as a whole, so that a half-written lock is never read.
  await writeFile(draft, own, { flag: "wx", mode: 0o600 });
  try {
    for (const until = performance.now() + patienceMs; ; await pause(retryMs)) {
      if (await linked(draft, path)) return own;
      await removeAbandoned(path);
      if (performance.now() >= until) throw new RepositoryLocked(path);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** A server that was killed leaves its lock behind. */
async function removeAbandoned(path: string): Promise<void> {
  const held = await textOf(path);
  if (held !== undefined && !isHeld(held)) await removeStale(path, held);
}

function isHeld(content: string): boolean {
  try {
    const { pid, startTime, bootId } = JSON.parse(content) as Partial<ProcessIdentity>;
    if (pid === undefined || startTime === undefined || bootId === undefined) return true;
    return isAlive({ pid, startTime, bootId });
  } catch {
    return true;
  }
}

async function release(path: string, own: string): Promise<void> {
  if ((await textOf(path)) === own) await rm(path, { force: true });
}
