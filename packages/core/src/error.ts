import type { AuthMethod } from "./fault-details.ts";
import { err, type Result } from "./result.ts";

/** Every rejection of the domain, with its HTTP status: the one table for all faces. */
export const rejectionStatus = {
  BAD_REQUEST: 400,
  INVALID_CHARACTER: 400,
  UNSUPPORTED: 400,
  UNSUPPORTED_CLI: 400,
  INSTRUCTIONS_UNREADABLE: 400,
  UNAUTHENTICATED: 401,
  OUTSIDE_BOUNDARY: 403,
  PERMISSION_DENIED: 403,
  NULL_BYTE: 403,
  FOREIGN_ORIGIN: 403,
  AGENT_CANNOT_ANSWER: 403,
  POLICY_VIOLATION: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  SESSION_LOCKED: 409,
  IDEMPOTENCY_CONFLICT: 409,
  ALREADY_RESOLVED: 409,
  INPUT_CHANGED: 409,
  NAME_TAKEN: 409,
  ACCOUNT_EXISTS: 409,
  ACCOUNT_IN_USE: 409,
  WORKSPACE_DIRTY: 409,
  WORKSPACE_FAILED: 409,
  NOT_QUEUED: 409,
  QUEUE_FULL: 409,
  REVERT_CONFLICT: 409,
  DISCARD_CONFLICT: 409,
  COMMIT_REFUSED: 409,
  NOTHING_TO_COMMIT: 409,
  NO_IDENTITY: 409,
  MERGE_CONFLICT: 409,
  CHECKOUT_IN_THE_WAY: 409,
  NOTHING_TO_MERGE: 409,
  MERGE_REFUSED: 409,
  PUSH_REFUSED: 409,
  BODY_TOO_LARGE: 413,
  PROMPT_TOO_LARGE: 413,
  ATTACHMENT_TOO_LARGE: 413,
  WRONG_HOST: 421,
  TOO_MANY_ATTEMPTS: 429,
  BUG: 500,
  STORAGE_FULL: 503,
  STORE_BUSY: 503,
  SHUTTING_DOWN: 503,
  TOO_MANY_CONNECTIONS: 503,
} as const satisfies Record<string, number>;
export type RejectionCode = keyof typeof rejectionStatus;

/** `message` says what happened and what to do next; `facts` are for programs. */
export interface Rejection {
  readonly code: RejectionCode;
  readonly message: string;
  readonly facts?: Readonly<Record<string, unknown>>;
}

export function reject(
  code: RejectionCode,
  message: string,
  facts?: Readonly<Record<string, unknown>>,
): Result<never, Rejection> {
  return err(facts ? { code, message, facts } : { code, message });
}

export const faultCodes = [
  "AGENT_MISSING",
  "AGENT_UNREACHABLE",
  "AGENT_CRASHED",
  "AGENT_PROTOCOL",
  "AUTH_FAILED",
  "USAGE_LIMIT",
  "RATE_LIMITED",
  "OVERLOADED",
  "NETWORK",
  "MODEL_ERROR",
  "NO_COMPLETION",
  "RESUME_UNKNOWN",
  "WORKSPACE_MISSING",
  "WORKSPACE_SETUP_FAILED",
  "DELIVERY_UNCERTAIN",
  "SIGNAL_MISSING",
  "SIGNAL_ERROR",
  "OUTPUT_MISSING",
  "TIMEOUT",
] as const;
export type FaultCode = (typeof faultCodes)[number];

/** What may help after a fault. Failover reads this, never a message. */
export type Retry = "never" | "same" | "other-account" | { readonly afterMs: number };

/** A fault as `error` and `done` carry it: its facts are beside its message. */
export interface WireFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly retry: Retry;
  /** When a usage limit ends. */
  readonly until?: string | undefined;
  readonly afterMs?: number | undefined;
  readonly reason?: string | undefined;
  readonly authMethods?: AuthMethod[] | undefined;
  /** The end of stderr of an agent that could not be reached or crashed. */
  readonly stderrTail?: string | undefined;
  /** The signal that ended an agent. */
  readonly endedBy?: string | undefined;
  /** A program that could not be started, or a setup command that failed. */
  readonly command?: string | undefined;
  readonly exit?: number | null | undefined;
  readonly tail?: string | undefined;
}

/** A failure outside the domain. Adapters translate their errors into this. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly retry: Retry;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: FaultCode,
    message: string,
    more: { retry?: Retry; facts?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.code = code;
    this.retry = more.retry ?? "never";
    this.facts = more.facts ?? {};
  }

  toWire(): WireFault {
    return { ...this.facts, code: this.code, message: this.message, retry: this.retry };
  }
}
