import { randomBytes } from "node:crypto";
import type { Rejection } from "@drover/core";
import { type Logger, StoreError } from "../../ports.ts";

/**
 * What a client is told of something that was thrown. A store that is full or busy can be waited out; everything
 * else is a bug, which has an id under which the log tells the rest: clients get nothing of its inside.
 */
export function rejectionOf(error: unknown, { logger, what }: { logger: Logger; what: string }): Rejection {
  if (error instanceof StoreError && (error.code === "STORAGE_FULL" || error.code === "STORE_BUSY")) {
    return { code: error.code, message: error.message };
  }
  const id = `bug_${randomBytes(6).toString("hex")}`;
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error("a request failed by a bug", { id, what, error: trace });
  return {
    code: "BUG",
    message: `Something in Drover is broken; the server's log has it under ${id}. Please report it.`,
    facts: { id },
  };
}
