import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

/** Pages in the write-ahead log that are worth a checkpoint, which takes two disk waits whatever its size. */
const WORTH_IT = 1_000;
/** About 64 MB: from here on this thread helps if little is left, and from twice that on in any case. */
const LONG = 16_000;
/** Querying the length of the log takes about a seventh of a small commit: not every commit does it. */
const COMMITS_PER_LOOK = 8;

/**
 * Moves the write-ahead log into the database on a separate thread, so that no commit waits for it: left to SQLite,
 * every few megabytes one commit would stall for several milliseconds, longer on slower disks.
 *
 * A log starts over only after all of it has been moved, and a writer that never pauses is always a step ahead of the
 * other thread: once the log is long, this thread moves the rest.
 */
export class Checkpointer {
  private readonly db: DatabaseSync;
  private readonly file: string;
  private readonly look: StatementSync;
  private worker: Worker | undefined;
  private busy = false;
  private broken = false;
  private commits = 0;

  constructor(db: DatabaseSync, file: string) {
    this.db = db;
    this.file = file;
    this.look = db.prepare("PRAGMA wal_checkpoint(NOOP)");
    db.exec("PRAGMA wal_autocheckpoint = 0");
  }

  committed(): void {
    if (this.broken || this.busy || ++this.commits % COMMITS_PER_LOOK !== 0) return;
    try {
      const { log, checkpointed } = this.look.get() as { log: number; checkpointed: number };
      const pending = log - checkpointed;
      if (log >= LONG && (pending < WORTH_IT || log >= 2 * LONG))
        this.db.exec("PRAGMA wal_checkpoint(PASSIVE)");
      else if (pending >= WORTH_IT) this.start();
    } catch {
      // Most likely a full disk. The log keeps what could not be moved, and later commits try again.
    }
  }

  /** Resolves when the other thread has released the database. */
  async close(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    this.worker = undefined;
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.ref();
    worker.postMessage("stop");
    await ended;
  }

  private start(): void {
    this.worker ??= this.spawn();
    this.busy = true;
    this.worker.postMessage("checkpoint");
  }

  private spawn(): Worker {
    // Its source is passed along instead of a path: it runs the same from a checkout and from one bundled file.
    const worker = new Worker(`(${moveLog})()`, {
      eval: true,
      execArgv: [],
      workerData: { file: this.file },
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    });
    worker.unref();
    worker.on("message", () => {
      this.busy = false;
    });
    worker.on("error", () => {
      this.broken = true;
      this.worker = undefined;
      if (this.db.isOpen) this.db.exec("PRAGMA wal_autocheckpoint = 1000");
    });
    return worker;
  }
}

/** The complete program of the other thread: it must not use anything defined outside itself. */
function moveLog(): void {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const db = new DatabaseSync(workerData.file);
  parentPort?.on("message", (message) => {
    if (message === "stop") {
      db.close();
      parentPort.close();
      return;
    }
    try {
      db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // As above.
    }
    parentPort.postMessage("done");
  });
}
