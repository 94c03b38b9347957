import { StoreError } from "../ports.ts";
import type { EngineLogger } from "./deps.ts";

/**
 * Work nobody waits for. A store that is full or busy is said and survived: what was under way goes on when there
 * is room again. Anything else is a bug: it surfaces as an unhandled rejection and ends the process, and recovery
 * starts from the log.
 */
export function background(task: Promise<unknown>, logger: EngineLogger): void {
  task.catch((error: unknown) => {
    if (!(error instanceof StoreError) || error.code === "CONFLICT") throw error;
    logger.warn("the store did not take a change; it is tried again", { code: error.code });
  });
}
