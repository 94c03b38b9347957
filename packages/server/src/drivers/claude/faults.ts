import { Fault, statusFaultOf } from "@drover/core";
import { SpawnError } from "../../process/executable.ts";
import { isRecord, type Json, number, record, text, texts } from "../json.ts";
import { isTime, limitFault, rateLimited } from "../limits.ts";
import { spawnFault } from "../spawn-fault.ts";
import { agentMissing } from "./sdk.ts";

/** For a server that only says "too many requests": the agent has already waited and retried by then. */
const RATE_LIMIT_MS = 60_000;
/** The agent's messages end up in events and on pages. */
const MAX_MESSAGE = 2_000;

/** What the agent reported before its result and the result does not repeat. */
export interface Trouble {
  /** `error` of its last message that was a failure instead of an answer. */
  readonly kind?: string | undefined;
  /** `rate_limit_info` of a request that was rejected because of the limit. */
  readonly limit?: Json | undefined;
}

export interface FaultContext {
  readonly name: string;
  readonly trouble: Trouble;
  /** The time the result was read, in ms. */
  readonly now: number;
}

/** Turns a result with `is_error` into a Fault. Uses structured fields only: the message may quote anything. */
export function faultOf(result: Json, { name, trouble, now }: FaultContext): Fault {
  const message = messageOf(result, name);
  const status = number(result["api_error_status"]);
  const { kind, limit } = trouble;
  if (isUnknownConversation(result)) return resumeUnknown(name);
  if (limit !== undefined || result["api_error"] === "usage_limit_reached") {
    return limitFault(message, resetOf(record(limit)), now);
  }
  const refusal = status === undefined ? undefined : statusFaultOf(status);
  if (refusal === "AUTH_FAILED" || authKinds.has(kind ?? "")) {
    return new Fault("AUTH_FAILED", `${message}. Log in to ${name} or set its key, then send it again.`, {
      facts: { remedy: "claude /login" },
    });
  }
  if (refusal === "RATE_LIMITED" || kind === "rate_limit") return rateLimited(message, RATE_LIMIT_MS);
  if (refusal === "OVERLOADED" || kind === "overloaded") {
    return new Fault("OVERLOADED", message, { retry: "same" });
  }
  if (isNetwork(result, status)) {
    return new Fault("NETWORK", `${message}. Check the connection, then send it again.`, { retry: "same" });
  }
  if (kind === "billing_error") return new Fault("MODEL_ERROR", message, { retry: "other-account" });
  return new Fault("MODEL_ERROR", message, {
    retry: status !== undefined && status >= 500 ? "same" : "never",
  });
}

const authKinds = new Set(["authentication_failed", "oauth_org_not_allowed", "account_on_hold"]);

const isNetwork = (result: Json, status: number | undefined): boolean =>
  result["api_error"] === "connection_failed" ||
  (status === undefined && result["terminal_reason"] === "api_error" && result["subtype"] === "success");

/** The only sign of it: the CLI has no code for it (2.1.325). The text is written by the CLI, not by a model. */
const isUnknownConversation = (result: Json): boolean =>
  texts(result["errors"]).some((error) => error.startsWith("No conversation found"));

export const resumeUnknown = (name: string): Fault =>
  new Fault(
    "RESUME_UNKNOWN",
    `${name} no longer knows this conversation. Your next message starts a new one with the last messages of this one.`,
  );

/** The end of a limit in ms; the agent reports epoch seconds. */
export function resetOf(limit: Json): number | undefined {
  const seconds = number(limit["resetsAt"]);
  return seconds !== undefined && isTime(seconds * 1000) ? seconds * 1000 : undefined;
}

function messageOf(result: Json, name: string): string {
  const words = text(result["result"]) || texts(result["errors"]).join("; ") || `${name} gave no reason`;
  return words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words.replace(/\.$/, "");
}

/** Why the agent's program could not be started. */
export function claudeSpawnFault(error: unknown, { name, cwd }: { name: string; cwd: string }): unknown {
  const isMissing = error instanceof SpawnError && error.code === "MISSING_EXECUTABLE";
  return isMissing ? agentMissing(name) : spawnFault(error, { name, command: "claude", cwd });
}

/** The Fault of a failed start: with the agent's own message if there was one. */
export function startFault(name: string, result: unknown, now: number): Fault {
  if (!isRecord(result)) return new Fault("AGENT_UNREACHABLE", `Could not connect to ${name}`);
  const fault = faultOf(result, { name, trouble: {}, now });
  if (fault.code !== "MODEL_ERROR") return fault;
  return new Fault("AGENT_UNREACHABLE", `Could not connect to ${name}`, { facts: { reason: fault.message } });
}
