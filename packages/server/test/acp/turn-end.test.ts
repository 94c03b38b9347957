import { expect, test } from "vitest";
import { turnEnd } from "../../src/drivers/acp/turn-end.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const failed = (error: object): ReturnType<typeof turnEnd> => turnEnd("trn_1", { error }, { now });

test("every stop reason of the protocol maps to a done reason", () => {
  const reasons = {
    end_turn: "end_turn",
    max_tokens: "max_tokens",
    max_turn_requests: "max_turns",
    refusal: "refusal",
    cancelled: "cancelled",
  };
  for (const [stopReason, reason] of Object.entries(reasons)) {
    expect(turnEnd("trn_1", { result: { stopReason } }, { now })).toEqual({
      type: "turn_end",
      turnId: "trn_1",
      reason,
    });
  }
});

test("the end of a turn has its token usage", () => {
  const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 120 };
  const end = turnEnd("trn_1", { result: { stopReason: "end_turn", usage } }, { now });
  expect(end.usage).toEqual({ inputTokens: 100, outputTokens: 20 });
});

test("an unknown stop reason is not a success", () => {
  for (const result of [{ stopReason: "bored" }, {}, null, "done"]) {
    expect(turnEnd("trn_1", { result }, { now })).toMatchObject({
      reason: "error",
      fault: { code: "AGENT_PROTOCOL" },
    });
  }
});

// The errors as claude-agent-acp 0.99, codex-acp 2.6 and gemini 0.61 send them.
test("a usage limit is recognized by structured fields, and may be retried with another account", () => {
  const limits = [
    {
      code: -32603,
      message: "Internal error: API Error: Request rejected (429)",
      data: { errorKind: "rate_limit" },
    },
    {
      code: -32603,
      message: "Internal error",
      data: { message: "hit", codexErrorInfo: "usageLimitExceeded" },
    },
    { code: 429, message: "Quota exceeded" },
    { code: -32603, message: "limit", data: { errorKind: "usage_limit" } },
  ];
  for (const error of limits) {
    expect(failed(error)).toMatchObject({
      reason: "usage_limit",
      fault: {
        code: "USAGE_LIMIT",
        retry: "other-account",
        facts: { until: "2026-01-01T01:00:00.000Z", assumed: true },
      },
    });
  }
});

test("a limit's reset time can be epoch seconds, ISO 8601 or seconds from now", () => {
  const until = (data: object): unknown =>
    failed({ code: -32603, message: "limit", data: { errorKind: "usage_limit", ...data } }).fault?.facts[
      "until"
    ];
  const at = "2026-01-01T05:00:00.000Z";
  expect(until({ resetsAt: Date.parse(at) / 1000 })).toBe(at);
  expect(until({ resetsAt: String(Date.parse(at) / 1000) })).toBe(at);
  expect(until({ resetsAt: at })).toBe(at);
  expect(until({ retryAfter: 5 * 3600 })).toBe(at);
  expect(until({ resetsAt: "tomorrow or so" })).toBe("2026-01-01T01:00:00.000Z");
});

test("a limit that resets within five minutes may be retried after a wait", () => {
  const soon = failed({ code: 429, message: "slow down", data: { retryAfter: 300 } });
  expect(soon).toMatchObject({
    reason: "usage_limit",
    fault: { code: "RATE_LIMITED", retry: { afterMs: 300_000 }, facts: { afterMs: 300_000 } },
  });
  expect(failed({ code: 429, message: "x", data: { retryAfter: 301 } }).fault?.code).toBe("USAGE_LIMIT");
  const past = failed({ code: 429, message: "x", data: { resetsAt: "2025-12-31T23:00:00Z" } });
  expect(past.fault).toMatchObject({ code: "RATE_LIMITED", retry: { afterMs: 0 } });
});

test("a rejected login, an unknown conversation and an overloaded model have different codes", () => {
  expect(failed({ code: -32000, message: "Authentication required" })).toMatchObject({
    reason: "auth",
    fault: { code: "AUTH_FAILED", retry: "never" },
  });
  expect(failed({ code: 401, message: "API key not valid" })).toMatchObject({ reason: "auth" });
  expect(failed({ code: -32002, message: "Resource not found" })).toMatchObject({
    reason: "error",
    fault: { code: "RESUME_UNKNOWN" },
  });
  expect(failed({ code: 529, message: "Overloaded" })).toMatchObject({
    reason: "error",
    fault: { code: "OVERLOADED", retry: "same" },
  });
  const kind = (errorKind: string) => ({ code: -32603, message: "Internal error", data: { errorKind } });
  expect(failed(kind("authentication_failed"))).toMatchObject({ reason: "auth" });
  expect(failed(kind("server_error"))).toMatchObject({ fault: { code: "MODEL_ERROR", retry: "same" } });
  expect(failed(kind("invalid_request"))).toMatchObject({ fault: { code: "MODEL_ERROR", retry: "never" } });
});

test("a cancelled prompt is a cancelled turn", () => {
  expect(failed({ code: -32800, message: "Request cancelled" })).toEqual({
    type: "turn_end",
    turnId: "trn_1",
    reason: "cancelled",
  });
});

test("K5 text alone does not make a limit: any other error is a model error with the agent's message", () => {
  const error = failed({ code: -32603, message: "the user asked about rate limit 429 and usage_limit" });
  expect(error).toMatchObject({ reason: "error", fault: { code: "MODEL_ERROR" } });
  expect(error.fault?.message).toContain("the user asked");
  expect(failed({}).fault?.message).toBe("The agent gave no reason");
  expect(failed({ message: "x".repeat(10_000) }).fault?.message.length).toBeLessThan(2_100);
});
