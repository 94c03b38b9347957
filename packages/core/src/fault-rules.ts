import type { FaultCode } from "./error.ts";
import type { DoneReason } from "./event.ts";

const doneReasons: Partial<Record<FaultCode, DoneReason>> = {
  AUTH_FAILED: "auth",
  USAGE_LIMIT: "usage_limit",
  RATE_LIMITED: "usage_limit",
  TIMEOUT: "timeout",
  DELIVERY_UNCERTAIN: "uncertain",
  AGENT_CRASHED: "crashed",
  NO_COMPLETION: "crashed",
};

/** How a turn ends when this fault ends it. */
export const doneReasonOf = (code: FaultCode): DoneReason => doneReasons[code] ?? "error";

const statusFaults: Readonly<Record<number, FaultCode>> = {
  401: "AUTH_FAILED",
  403: "AUTH_FAILED",
  429: "RATE_LIMITED",
  503: "OVERLOADED",
  529: "OVERLOADED",
};

/** What this HTTP status of a model's server means. */
export const statusFaultOf = (status: number): FaultCode => statusFaults[status] ?? "MODEL_ERROR";
