import { type DoneReason, doneReasonOf, type FaultCode, faultCodes, statusFaultOf } from "@drover/core";
import { expect, test } from "vitest";

test("each fault code has one reason for ending a turn", () => {
  const reasons: Record<FaultCode, DoneReason> = {
    AGENT_MISSING: "error",
    AGENT_UNREACHABLE: "error",
    AGENT_CRASHED: "crashed",
    AGENT_PROTOCOL: "error",
    AUTH_FAILED: "auth",
    USAGE_LIMIT: "usage_limit",
    RATE_LIMITED: "usage_limit",
    OVERLOADED: "error",
    NETWORK: "error",
    MODEL_ERROR: "error",
    NO_COMPLETION: "crashed",
    RESUME_UNKNOWN: "error",
    WORKSPACE_MISSING: "error",
    WORKSPACE_SETUP_FAILED: "error",
    DELIVERY_UNCERTAIN: "uncertain",
    SIGNAL_MISSING: "error",
    SIGNAL_ERROR: "error",
    OUTPUT_MISSING: "error",
    TIMEOUT: "timeout",
  };
  expect(Object.fromEntries(faultCodes.map((code) => [code, doneReasonOf(code)]))).toEqual(reasons);
});

test.for<[number, FaultCode]>([
  [400, "MODEL_ERROR"],
  [401, "AUTH_FAILED"],
  [403, "AUTH_FAILED"],
  [404, "MODEL_ERROR"],
  [429, "RATE_LIMITED"],
  [500, "MODEL_ERROR"],
  [503, "OVERLOADED"],
  [529, "OVERLOADED"],
])("status %i from a model's server means %s", ([status, code]) => {
  expect(statusFaultOf(status)).toBe(code);
});
