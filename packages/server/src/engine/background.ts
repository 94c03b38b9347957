import { setTimeout as pause } from "node:timers/promises";
import { Fault } from "@drover/core";
import { StoreError } from "../ports.ts";
import type { EngineDeps } from "./deps.ts";

type Storage = Pick<EngineDeps, "logger" | "storageAvailable">;

/**
 * Retries changes that the engine itself has to store while the store is full or busy: the end of an agent or of a turn
 * is a fact, whether or not there is room for it. `task` looks everything up again each time, and keeps nothing between
 * two tries. Client requests are not retried: they are rejected, and the client repeats them.
 */
export async function untilStored<T>(
  { logger, storageAvailable }: Storage,
  task: () => Promise<T>,
): Promise<T> {
  for (let hasWarned = false; ; hasWarned = true) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StoreError) || !error.isTemporary) throw error;
      if (!hasWarned) logger.warn("The store rejected a change; retrying", { code: error.code });
      await storageAvailable();
    }
  }
}

/**
 * Work that runs in the background; a server that shuts down waits for all of it. It survives a full or busy store
 * (`untilStored`), and logs a Fault. Any other error is a bug: it surfaces as an unhandled rejection and ends the
 * process, and recovery starts from the log.
 */
export class Background {
  private readonly storage: Storage;
  private readonly tasks = new Set<Promise<void>>();
  private readonly closing = Promise.withResolvers<never>();
  private isClosed = false;

  constructor(storage: Storage) {
    this.storage = storage;
    // Avoid an unhandled rejection when nothing is waiting for the store.
    this.closing.promise.catch(() => undefined);
  }

  run(task: () => Promise<unknown>): void {
    // The store is closed, or about to be.
    if (this.isClosed) return;
    const { logger, storageAvailable } = this.storage;
    const storage = {
      logger,
      storageAvailable: () => Promise.race([storageAvailable(), this.closing.promise]),
    };
    const running = untilStored(storage, task)
      .then(
        () => undefined,
        (error: unknown) => {
          if (error === shutDown) return;
          if (!(error instanceof Fault)) throw error;
          const { code, message, facts } = error;
          logger.error("Background task failed", { ...facts, code, error: message });
        },
      )
      .finally(() => this.tasks.delete(running));
    this.tasks.add(running);
  }

  /**
   * Waits for running tasks. Those the store keeps rejecting are abandoned; the next server recovers them from the log.
   */
  async close(): Promise<void> {
    this.closing.reject(shutDown);
    const patience = new AbortController();
    let isOver = false;
    const timeout = pause(patienceMs, undefined, { signal: patience.signal }).then(
      () => {
        isOver = true;
      },
      () => undefined,
    );
    while (this.tasks.size > 0 && !isOver) await Promise.race([Promise.allSettled(this.tasks), timeout]);
    patience.abort();
    if (this.tasks.size > 0) {
      this.storage.logger.warn("Background tasks are still running", { tasks: this.tasks.size });
    }
    this.isClosed = true;
  }
}

/** The longest a shutdown waits. */
const patienceMs = 1_000;

const shutDown = new Error("The server is shutting down");
