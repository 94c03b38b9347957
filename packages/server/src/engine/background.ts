import { Fault } from "@drover/core";
import { StoreError } from "../ports.ts";
import type { EngineDeps } from "./deps.ts";

type Storage = Pick<EngineDeps, "logger" | "storageAvailable">;

/**
 * Does what the engine itself has to store, again and again while the store is full or busy: an agent's end or a
 * turn's is a fact, whether there is room for it or not. `task` finds everything anew each time, and holds nothing
 * between two tries. What a client asks for is not done so: it is refused, and asked for again.
 */
export async function untilStored<T>(
  { logger, storageAvailable }: Storage,
  task: () => Promise<T>,
): Promise<T> {
  for (let hasTold = false; ; hasTold = true) {
    try {
      return await task();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code === "CONFLICT") throw error;
      if (!hasTold) logger.warn("the store did not take a change; it is tried again", { code: error.code });
      await storageAvailable();
    }
  }
}

/**
 * Work nobody waits for. A store that is full or busy is survived (`untilStored`), and so is a fault, which the log
 * tells of. Anything else is a bug: it surfaces as an unhandled rejection and ends the process, and recovery starts from
 * the log.
 */
export function background(storage: Storage, task: () => Promise<unknown>): void {
  untilStored(storage, task).catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    const { code, message, facts } = error;
    storage.logger.error("something was not done", { ...facts, code, error: message });
  });
}
