import { randomBytes } from "node:crypto";
import type { Rejection } from "@drover/core";
import { type Logger, StoreError } from "../../ports.ts";

/**
 * The answer a client gets for an exception. A full or busy store will recover; anything else is a bug, logged in full
 * under an id: clients see none of its details.
 */
export function rejectionOf(error: unknown, { logger, what }: { logger: Logger; what: string }): Rejection {
  if (error instanceof StoreError && (error.code === "STORAGE_FULL" || error.code === "STORE_BUSY")) {
    return { code: error.code, message: error.message };
  }
  const id = `bug_${randomBytes(6).toString("hex")}`;
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error("A request hit a bug", { id, what, error: trace });
  return {
    code: "BUG",
    message: `Drover hit a bug; the server's log has the details under ${id}. Please report it.`,
    facts: { id },
  };
}
