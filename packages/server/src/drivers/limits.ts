import { Fault } from "@drover/core";

/** For an agent that gives no time: an hour is long enough to justify another account and short enough to try again. */
const ASSUMED_MS = 3_600_000;
/** Up to here it is worth waiting with the same account. */
const WORTH_WAITING_MS = 300_000;
/** The last time a Date can hold. */
const MAX_DATE = 8.64e15;

/** Whether `ms` is a valid time: agents send all sorts of values. */
export const isTime = (ms: number): boolean => Math.abs(ms) <= MAX_DATE;

/** Epoch seconds reach this in the year 5138; anything larger is milliseconds. */
const MAX_SECONDS = 1e11;

/** A time as agents report it, in ms: seconds or milliseconds since the epoch, or ISO 8601. */
export function timeOf(value: unknown): number | undefined {
  const since = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const isNumber = typeof since === "number" && Number.isFinite(since);
  const ms = isNumber ? (since > MAX_SECONDS ? since : since * 1000) : Date.parse(String(value));
  return isTime(ms) ? ms : undefined;
}

/**
 * A limit that ends at `endsAt` (ms), or at an unknown time: wait if it ends soon enough, otherwise the account is used
 * up.
 */
export function limitFault(message: string, endsAt: number | undefined, now: number): Fault {
  const at = endsAt ?? now + ASSUMED_MS;
  const until = new Date(at).toISOString();
  const afterMs = Math.max(0, at - now);
  if (afterMs <= WORTH_WAITING_MS) return rateLimited(message, afterMs, { until });
  if (endsAt !== undefined) {
    const advice = `Send it again after ${until.slice(0, 16).replace("T", " ")} UTC.`;
    return new Fault("USAGE_LIMIT", advised(message, advice), { retry: "other-account", facts: { until } });
  }
  const facts = { until, assumed: true };
  const advice = "It is not known when the limit ends; send it again in an hour.";
  return new Fault("USAGE_LIMIT", advised(message, advice), { retry: "other-account", facts });
}

/** Too many requests: the same message may be sent again after a while. */
export function rateLimited(message: string, afterMs: number, facts: Record<string, unknown> = {}): Fault {
  const advice = `Send it again in ${Math.ceil(afterMs / 1000)} s.`;
  return new Fault("RATE_LIMITED", advised(message, advice), {
    retry: { afterMs },
    facts: { afterMs, ...facts },
  });
}

/** An agent's message, followed by what a person can do. */
export const advised = (message: string, advice: string): string =>
  `${message.replace(/[.!]?\s*$/, "")}. ${advice}`;
