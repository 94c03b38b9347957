import { type DoneReason, Fault } from "@drover/core";

/** An agent that gives no time: an hour is long enough to be worth another account and short enough to try again. */
const ASSUMED_MS = 3_600_000;
/** Up to here it is worth waiting with the same account. */
const WORTH_WAITING_MS = 300_000;
/** The last time a Date can hold. */
const MAX_DATE = 8.64e15;

/** Whether `ms` is a time at all: agents send what they like. */
export const isTime = (ms: number): boolean => Math.abs(ms) <= MAX_DATE;

/** A limit that ends at `told` (ms), or nobody knows when: soon enough it is waited for, else the account is used up. */
export function limitFault(message: string, told: number | undefined, now: number): Fault {
  const at = told ?? now + ASSUMED_MS;
  const until = new Date(at).toISOString();
  const afterMs = Math.max(0, at - now);
  if (afterMs <= WORTH_WAITING_MS) {
    return new Fault("RATE_LIMITED", message, { retry: { afterMs }, facts: { afterMs, until } });
  }
  const facts = told === undefined ? { until, assumed: true } : { until };
  return new Fault("USAGE_LIMIT", message, { retry: "other-account", facts });
}

/** How a turn ends that the agent itself says failed. */
export function failedTurn(fault: Fault): DoneReason {
  switch (fault.code) {
    case "USAGE_LIMIT":
    case "RATE_LIMITED":
      return "usage_limit";
    case "AUTH_FAILED":
      return "auth";
    default:
      return "error";
  }
}
