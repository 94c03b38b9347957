import { Fault } from "@drover/core";
import { type Json, record, text } from "../json.ts";
import { advised, isTime, limitFault, timeOf } from "../limits.ts";

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
    return limitFault(message, untilOf(data, now), now);
  }
  if (code === AUTH_REQUIRED || code === 401 || code === 403 || authKinds.has(errorKind)) {
    const advice = "Log in with the agent's own program or set its key, then send it again.";
    return new Fault("AUTH_FAILED", advised(message, advice));
  }
  if (code === NOT_FOUND) return new Fault("RESUME_UNKNOWN", message);
  if (code === 529 || code === 503 || errorKind === "overloaded" || codexErrorInfo === "serverOverloaded") {
    return new Fault("OVERLOADED", message, { retry: "same" });
  }
  // The model server failed, not the request: the same may well succeed.
  return new Fault("MODEL_ERROR", message, { retry: errorKind === "server_error" ? "same" : "never" });
}

/** The second is Claude's own word, which its adapter passes on (0.99). */
const authKinds = new Set<unknown>(["authentication", "authentication_failed"]);

/** What an agent says went wrong; some put the words beside a bare "Internal error". */
export function messageOf(error: Json): string {
  const words =
    text(record(error["data"])["message"]) || text(error["message"]) || "The agent gave no reason";
  return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;
}

/** In ms. `resetsAt` is epoch seconds or ISO 8601, `retryAfter` seconds from now. */
function untilOf(data: Json, now: number): number | undefined {
  const { resetsAt, retryAfter } = data;
  const wait = now + Number(retryAfter ?? Number.NaN) * 1000;
  return timeOf(resetsAt) ?? (isTime(wait) ? wait : undefined);
}
