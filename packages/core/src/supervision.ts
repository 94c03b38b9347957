import { z } from "zod";
import type { SessionState } from "./session/state.ts";

export const connectionStatuses = ["idle", "starting", "connected", "disconnected", "reconnecting"] as const;

/** A session's connection to its agent's process. */
export const connectionSchema = z.object({
  status: z.enum(connectionStatuses),
  attempt: z.number(),
  gaveUp: z.boolean(),
  nextTryAt: z.string().optional(),
  pid: z.number().optional(),
  lastError: z.string().optional(),
});
export type Connection = z.infer<typeof connectionSchema>;

/** Why an agent's process ended. */
export const stopReasons = [
  "task_complete",
  "waiting_for_input",
  "error",
  "crashed",
  "user_requested",
  "idle",
  "turn_over",
  "shutdown",
] as const;
export type StopReason = (typeof stopReasons)[number];

/**
 * How an agent's process ended. `rest`: it was done or idle. `stop`: a person or the server ended it. `switch`: it was
 * ended to continue with another account. `lost`: it ended unexpectedly.
 */
export type ProcessEnding = "rest" | "stop" | "switch" | "lost";

export const idleConnection: Connection = { status: "idle", attempt: 0, gaveUp: false };

export interface SupervisionLimits {
  readonly attempts: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
}

/** Why a connection changes. */
export type ConnectionTrigger =
  | { type: "use" }
  | { type: "ready"; pid: number }
  | { type: "start_failed"; message: string; isFinal?: boolean }
  | { type: "ended"; message: string }
  | { type: "stable" }
  | { type: "reconnect" }
  | { type: "rest" };

/** What follows: start a process now, start one after a wait, or nothing. */
export type SupervisionEffect = { type: "none" } | { type: "start" } | { type: "start_after"; ms: number };

export interface SupervisionStep {
  /** Each status in the order it is announced; empty if nothing changed. */
  readonly announced: readonly Connection[];
  readonly effect: SupervisionEffect;
}

const nothing: SupervisionStep = { announced: [], effect: { type: "none" } };

/** The wait before try n: doubling from the first, never over the maximum. */
export function backoff(attempt: number, limits: SupervisionLimits): number {
  return Math.min(limits.backoffMs * 2 ** (attempt - 1), limits.maxBackoffMs);
}

/**
 * How a connection changes, as clients see it; the life of the process behind it is the table in
 * supervision/process.ts.
 */
export function supervise(
  now: Connection,
  trigger: ConnectionTrigger,
  limits: SupervisionLimits,
): SupervisionStep {
  switch (trigger.type) {
    case "use":
      if (now.status !== "idle" && now.status !== "disconnected") return nothing;
      return {
        announced: [{ status: "starting", attempt: now.gaveUp ? 0 : now.attempt, gaveUp: false }],
        effect: { type: "start" },
      };
    case "ready":
      // Announced when the agent answered.
      if (now.status === "connected") return nothing;
      return {
        announced: [{ status: "connected", attempt: now.attempt, gaveUp: false, pid: trigger.pid }],
        effect: { type: "none" },
      };
    case "start_failed":
      if (now.status === "reconnecting" && !trigger.isFinal) return retry(now, trigger.message, limits);
      return {
        announced: [
          { status: "disconnected", attempt: now.attempt, gaveUp: false, lastError: trigger.message },
        ],
        effect: { type: "none" },
      };
    case "ended": {
      // From `starting`: the agent answered and ended before its conversation was open.
      if (now.status !== "connected" && now.status !== "starting") return nothing;
      const down: Connection = {
        status: "disconnected",
        attempt: now.attempt,
        gaveUp: false,
        lastError: trigger.message,
      };
      const next = retry(down, trigger.message, limits);
      const first = next.announced[0];
      return first?.gaveUp ? next : { announced: [down, ...next.announced], effect: next.effect };
    }
    case "stable":
      if (now.status !== "connected" || now.attempt === 0) return nothing;
      return { announced: [{ ...now, attempt: 0 }], effect: { type: "none" } };
    case "reconnect":
      if (now.status !== "disconnected" && now.status !== "reconnecting") return nothing;
      return {
        announced: [{ status: "reconnecting", attempt: 1, gaveUp: false }],
        effect: { type: "start" },
      };
    case "rest":
      if (now.status === "idle") return nothing;
      return { announced: [idleConnection], effect: { type: "none" } };
  }
}

/** The connection of a session whose agent has no process: a stored session that gave up has still given up. */
export function restingConnection(state: SessionState, limits: SupervisionLimits): Connection {
  if (state.reportedState !== "crashed") return idleConnection;
  const lastError = state.reason?.message;
  return {
    ...{ status: "disconnected", attempt: limits.attempts, gaveUp: true },
    ...(lastError === undefined ? {} : { lastError }),
  };
}

/** The next try, or giving up: a program that connects and dies must not loop forever. */
function retry(now: Connection, lastError: string, limits: SupervisionLimits): SupervisionStep {
  if (now.attempt >= limits.attempts) {
    return {
      announced: [{ status: "disconnected", attempt: now.attempt, gaveUp: true, lastError }],
      effect: { type: "none" },
    };
  }
  const attempt = now.attempt + 1;
  return {
    announced: [{ status: "reconnecting", attempt, gaveUp: false, lastError }],
    effect: { type: "start_after", ms: backoff(attempt, limits) },
  };
}
