import { Fault, statusFaultOf } from "@drover/core";
import { advised, rateLimited } from "./limits.ts";

/** For a server that only says "too many requests": the agent has already waited and retried by then. */
const RATE_LIMIT_MS = 60_000;

export interface Refusal {
  /** The agent's display name. */
  readonly name: string;
  readonly message: string;
  /** The HTTP status of the model server's response; undefined if it did not respond. */
  readonly status: number | undefined;
}

/** What a model server's refusal means for the turn. */
export function httpFault({ name, message, status }: Refusal): Fault {
  if (status === undefined) {
    const advice = "Check the connection, then send it again.";
    return new Fault("NETWORK", advised(message, advice), { retry: "same" });
  }
  const code = statusFaultOf(status);
  if (code === "AUTH_FAILED") return authFailed(name, message);
  if (code === "RATE_LIMITED") return rateLimited(message, RATE_LIMIT_MS);
  if (code === "OVERLOADED") return overloaded(message);
  return new Fault(code, message, { retry: status >= 500 ? "same" : "never" });
}

export const authFailed = (name: string, message: string): Fault =>
  new Fault("AUTH_FAILED", advised(message, `Log in to ${name} or set its key, then send it again.`));

export const overloaded = (message: string): Fault =>
  new Fault("OVERLOADED", advised(message, "Wait a little and try again."), { retry: "same" });

export const resumeUnknown = (name: string): Fault =>
  new Fault(
    "RESUME_UNKNOWN",
    `${name} no longer knows this conversation. Your next message starts a new one with the last messages of this one.`,
  );

export const distrusted = (name: string): Fault =>
  new Fault(
    "AGENT_UNREACHABLE",
    `${name} does not trust this directory. Run it there once by hand and trust it, then send it again.`,
  );
