import { Fault, type Rejection, type Result, reject } from "@drover/core";
import type { EngineContext } from "./context.ts";

/**
 * Converts a Fault into a rejection. An obstacle outside Drover is not a bug: an agent's memory that cannot be read, a
 * program that npm cannot install, a process that cannot be ended.
 */
export async function unlessFault<T>(
  { deps }: EngineContext,
  what: "fork" | "conversations" | "add" | "delete",
  asked: Promise<Result<T, Rejection>>,
): Promise<Result<T, Rejection>> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    deps.logger.warn("An operation on an agent failed", {
      what,
      error: error.message,
      ...error.facts,
    });
    const { remedy } = error.facts;
    const next = typeof remedy === "string" ? ` \`${remedy}\` installs it.` : " Try again.";
    return reject("UNSUPPORTED", `${error.message}${next}`, { what, fault: error.code });
  }
}
