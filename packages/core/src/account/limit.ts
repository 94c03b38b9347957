import type { Fault } from "../error.ts";
import type { Exhaustion } from "./choose.ts";

/** What a failed attempt says about the account that it ran on. */
export type AccountNews =
  /** The same account can go on after a short wait. */
  | { readonly type: "rate_limit" }
  | { readonly type: "exhausted"; readonly exhausted: Exhaustion }
  /** The vendor does not accept its login. */
  | { readonly type: "refused"; readonly reason: string };

export interface LimitRules {
  readonly now: number;
  /** Up to here it is worth waiting with the same account. */
  readonly rateLimitUpToMs: number;
  /** How long a limit lasts whose end the vendor did not say. */
  readonly assumeUntilMs: number;
}

/** Reads only what a driver found in structured fields, never a message. Undefined: it says nothing about the account. */
export function accountNews(
  { code, message, facts }: Pick<Fault, "code" | "message" | "facts">,
  rules: LimitRules,
): AccountNews | undefined {
  if (code === "AUTH_FAILED") return { type: "refused", reason: message };
  if (code !== "USAGE_LIMIT" && code !== "RATE_LIMITED") return undefined;
  const { now, rateLimitUpToMs, assumeUntilMs } = rules;
  const end = typeof facts["until"] === "string" ? Date.parse(facts["until"]) : Number.NaN;
  // Without an end, a server only says that there were too many requests.
  if (code === "RATE_LIMITED" && Number.isNaN(end)) return { type: "rate_limit" };
  const assumed = facts["assumed"] === true || Number.isNaN(end);
  const until = assumed ? now + assumeUntilMs : end;
  if (until - now <= rateLimitUpToMs && !assumed) return { type: "rate_limit" };
  return {
    type: "exhausted",
    exhausted: { until: new Date(until).toISOString(), ...(assumed ? { assumed } : {}) },
  };
}
