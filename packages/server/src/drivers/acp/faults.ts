import { type AuthMethod, Fault, statusFaultOf } from "@drover/core";
import { isRecord, type Json, list, record, records, text } from "../json.ts";
import { advised, isTime, limitFault, timeOf } from "../limits.ts";

/** An agent's own words go into events and onto pages. */
const MAX_MESSAGE = 2_000;

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

export interface FaultContext {
  readonly now: number;
  /** As the agent told them when it was connected to. */
  readonly authMethods?: readonly AuthMethod[] | undefined;
}

/**
 * An agent's error answer. Told apart by structured fields alone: its words may be quoted from anywhere. Codes that
 * are an HTTP status are the model server's (gemini 0.61).
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
  // The model server failed, not the request: the same may well succeed.
  return new Fault("MODEL_ERROR", message, { retry: errorKind === "server_error" ? "same" : "never" });
}

/** The second is Claude's own word, which its adapter passes on (0.99). */
const authKinds = new Set<unknown>(["authentication", "authentication_failed"]);

/** What an agent says went wrong. Many put the words beside a bare "Internal error", each in a place of its own. */
export function messageOf(error: Json): string {
  const { message, data } = error;
  const { message: own, details, error: inner, errors, reason } = record(data);
  const told = [message, data, own, details, inner, reason, ...list(errors), ...list(error["errors"])];
  const words = told.flatMap((one) => said(one) ?? []).filter((one) => !bare.test(one));
  // Of two that say the same, the first is kept; of two that overlap, the longer.
  const news = words.filter(
    (one, at) => !words.some((other, n) => other.includes(one) && (other.length > one.length || n < at)),
  );
  return wordsOf(news.join(": ") || said(message) || "The agent gave no reason");
}

const bare = /^(internal (server )?error|server error|error|unknown error)[.!]?$/i;

const said = (told: unknown): string | undefined =>
  (isRecord(told) ? text(told["message"]) : text(told))?.trim() || undefined;

/** An agent's words at a length that fits into events and onto pages. */
export const wordsOf = (words: string, max = MAX_MESSAGE): string =>
  words.length > max ? `${words.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…` : words;

const MAX_METHODS = 10;
const MAX_METHOD_WORDS = 300;

/** How people can log in, as the agent itself says. */
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

/** In ms. A time is epoch seconds or ISO 8601, a wait is in seconds from now. */
function untilOf(data: Json, now: number): number | undefined {
  const { resetsAt, resetAt, resets_at, reset_at, retryAfter, retry_after } = data;
  const wait = now + Number(retryAfter ?? retry_after ?? Number.NaN) * 1000;
  return timeOf(resetsAt ?? resetAt ?? resets_at ?? reset_at) ?? (isTime(wait) ? wait : undefined);
}
