import type { Rejection, Result } from "@drover/core";
import type { Intent } from "../ports.ts";

/** The caller. `by` is what the log records: `web:CLIENT`, `cli`, `api`, or `agent:SESSION` for a session's process. */
export interface Caller {
  readonly by: string;
  readonly clientId?: string;
  /**
   * Set if the caller may repeat this. Operations that create something store their answer for it in the same commit.
   */
  readonly intent?: Intent;
}

export type Answer<T> = Promise<Result<T, Rejection>>;
