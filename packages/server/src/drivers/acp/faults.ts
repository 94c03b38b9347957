import { type AuthMethod, Fault, statusFaultOf } from "@drover/core";
import { isRecord, type Json, list, record, records, text } from "../json.ts";
import { advised, isTime, limitFault, timeOf } from "../limits.ts";

/** An agent's messages end up in events and on pages. */
const MAX_MESSAGE = 2_000;

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

export interface FaultContext {
  readonly now: number;
  /** The login methods that the agent reported when it connected. */
  readonly authMethods?: readonly AuthMethod[] | undefined;
}

/**
 * Turns an agent's error response into a Fault. Uses structured fields only: the message may quote anything. Codes that
 * are HTTP statuses come from the model server (gemini 0.61).
 */
export function faultOf(error: Json, { now, authMethods = [] }: FaultContext): Fault {
  const data = record(error["data"]);
  const code = error["code"];
  const refusal = typeof code === "number" ? statusFaultOf(code) : undefined;
  const message = messageOf(error);
  const { errorKind, codexErrorInfo } = data;
  if (
    errorKind === "usage_limit" ||
    errorKind === "rate_limit" ||
    codexErrorInfo === "usageLimitExceeded" ||
    refusal === "RATE_LIMITED"
  ) {
    return limitFault(message, untilOf(data, now), now);
  }
  if (code === AUTH_REQUIRED || refusal === "AUTH_FAILED" || authKinds.has(errorKind)) {
    const advice = "Log in with the agent's own program or set its key, then send it again.";
    const own = authMethodsOf(data);
    const methods = own.length > 0 ? own : authMethods;
    const facts = methods.length > 0 ? { authMethods: methods } : {};
    return new Fault("AUTH_FAILED", advised(message, advice), { facts });
  }
  if (code === NOT_FOUND) return new Fault("RESUME_UNKNOWN", message);
  if (refusal === "OVERLOADED" || errorKind === "overloaded" || codexErrorInfo === "serverOverloaded") {
    return new Fault("OVERLOADED", message, { retry: "same" });
  }
  // The model server failed, not the request: a retry may well succeed.
  return new Fault("MODEL_ERROR", message, { retry: errorKind === "server_error" ? "same" : "never" });
}

/** The second one is Claude's own name, which its adapter passes on (0.99). */
const authKinds = new Set<unknown>(["authentication", "authentication_failed"]);

/**
 * The agent's explanation of an error. Many agents put it beside a bare "Internal error", each in a different field.
 */
export function messageOf(error: Json): string {
  const { message, data } = error;
  const { message: own, details, error: inner, errors, reason } = record(data);
  const candidates = [message, data, own, details, inner, reason, ...list(errors), ...list(error["errors"])];
  const words = candidates.flatMap((one) => said(one) ?? []).filter((one) => !bare.test(one));
  // Of two identical messages keep the first; of two overlapping ones keep the longer.
  const news = words.filter(
    (one, at) => !words.some((other, n) => other.includes(one) && (other.length > one.length || n < at)),
  );
  return wordsOf(news.join(": ") || said(message) || "The agent gave no reason");
}

const bare = /^(internal (server )?error|server error|error|unknown error)[.!]?$/i;

const said = (value: unknown): string | undefined =>
  (isRecord(value) ? text(value["message"]) : text(value))?.trim() || undefined;

/** Shortens an agent's message so that it fits into events and pages. */
export const wordsOf = (words: string, max = MAX_MESSAGE): string =>
  words.length > max ? `${words.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…` : words;

const MAX_METHODS = 10;
const MAX_METHOD_WORDS = 300;

/** How people can log in, according to the agent. */
export const authMethodsOf = ({ authMethods }: Json): AuthMethod[] =>
  records(authMethods)
    .slice(0, MAX_METHODS)
    .flatMap((method) => {
      const name = text(method["name"]) || text(method["id"]);
      const description = text(method["description"]);
      if (!name) return [];
      const more = description ? { description: wordsOf(description, MAX_METHOD_WORDS) } : {};
      return [{ name: wordsOf(name, MAX_METHOD_WORDS), ...more }];
    });

/** In ms. A time is epoch seconds or ISO 8601; a wait is in seconds from now. */
function untilOf(data: Json, now: number): number | undefined {
  const { resetsAt, resetAt, resets_at, reset_at, retryAfter, retry_after } = data;
  const wait = now + Number(retryAfter ?? retry_after ?? Number.NaN) * 1000;
  return timeOf(resetsAt ?? resetAt ?? resets_at ?? reset_at) ?? (isTime(wait) ? wait : undefined);
}
