import { Fault } from "@drover/core";
import { type Json, number, record, text } from "./json.ts";

/** Agents that give no time: an hour is long enough to be worth another account and short enough to try again. */
const ASSUMED_MS = 3_600_000;
/** Up to here it is worth waiting with the same account. */
const WORTH_WAITING_MS = 300_000;
/** An agent's own words go into events and onto pages. */
const MAX_MESSAGE = 2_000;

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

/**
 * An agent's error answer. Told apart by structured fields alone: its words may be quoted from anywhere. Codes that
 * are an HTTP status are the model server's (gemini 0.61).
 */
export function faultOf(error: Json, now: number): Fault {
  const data = record(error["data"]);
  const code = error["code"];
  const message = messageOf(error);
  const { errorKind, codexErrorInfo } = data;
  if (
    errorKind === "usage_limit" ||
    errorKind === "rate_limit" ||
    codexErrorInfo === "usageLimitExceeded" ||
    code === 429
  ) {
    return limit(message, untilOf(data, now), now);
  }
  if (code === AUTH_REQUIRED || code === 401 || code === 403 || errorKind === "authentication") {
    return new Fault("AUTH_FAILED", message);
  }
  if (code === NOT_FOUND) return new Fault("RESUME_UNKNOWN", message);
  if (code === 529 || code === 503 || errorKind === "overloaded" || codexErrorInfo === "serverOverloaded") {
    return new Fault("OVERLOADED", message, { retry: "same" });
  }
  return new Fault("MODEL_ERROR", message);
}

/** What an agent says went wrong; some put the words beside a bare "Internal error". */
export function messageOf(error: Json): string {
  const words =
    text(record(error["data"])["message"]) || text(error["message"]) || "The agent gave no reason";
  return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
}

function limit(message: string, told: number | undefined, now: number): Fault {
  const at = told ?? now + ASSUMED_MS;
  const until = new Date(at).toISOString();
  const afterMs = Math.max(0, at - now);
  if (afterMs <= WORTH_WAITING_MS) {
    return new Fault("RATE_LIMITED", message, { retry: { afterMs }, facts: { afterMs, until } });
  }
  const facts = told === undefined ? { until, assumed: true } : { until };
  return new Fault("USAGE_LIMIT", message, { retry: "other-account", facts });
}

/** In ms. `resetsAt` is epoch seconds or ISO 8601, `retryAfter` seconds from now. */
function untilOf(data: Json, now: number): number | undefined {
  const { resetsAt, retryAfter } = data;
  const seconds = number(resetsAt) ?? (text(resetsAt) ? Number(resetsAt) : Number.NaN);
  const times = [
    seconds * 1000,
    Date.parse(text(resetsAt) ?? ""),
    now + Number(retryAfter ?? Number.NaN) * 1000,
  ];
  return times.find((time) => Math.abs(time) <= MAX_DATE);
}

/** The last time a Date can hold. */
const MAX_DATE = 8.64e15;
