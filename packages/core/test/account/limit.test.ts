import { expect, test } from "vitest";
import { type AccountNews, accountNews } from "../../src/account/limit.ts";
import type { FaultCode } from "../../src/error.ts";

const now = Date.parse("2026-11-19T12:00:00.000Z");
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const rules = { now, rateLimitUpToMs: 300_000, assumeUntilMs: 3_600_000 };

const newsOf = (code: FaultCode, facts: Record<string, unknown> = {}) =>
  accountNews({ code, message: "Usage limit reached, 429", facts }, rules);

const exhausted = (minutes: number, assumed?: true): AccountNews => ({
  type: "exhausted",
  exhausted: { until: at(minutes), ...(assumed ? { assumed } : {}) },
});
const rateLimit: AccountNews = { type: "rate_limit" };

test.each<[code: FaultCode, facts: Record<string, unknown>, news: AccountNews | undefined]>([
  ["USAGE_LIMIT", { until: at(6) }, exhausted(6)],
  ["USAGE_LIMIT", { until: at(5) }, rateLimit],
  ["RATE_LIMITED", { until: at(6) }, exhausted(6)],
  ["RATE_LIMITED", { until: at(5) }, rateLimit],
  ["RATE_LIMITED", { afterMs: 60_000 }, rateLimit],
  ["USAGE_LIMIT", {}, exhausted(60, true)],
  ["USAGE_LIMIT", { until: "soon" }, exhausted(60, true)],
  // A driver's own assumption is replaced by the configured one.
  ["USAGE_LIMIT", { until: at(600), assumed: true }, exhausted(60, true)],
  ["AUTH_FAILED", {}, { type: "refused", reason: "Usage limit reached, 429" }],
])("%s with %j tells about its account", (code, facts, news) => {
  expect(newsOf(code, facts)).toEqual(news);
});

test.each<FaultCode>(["MODEL_ERROR", "OVERLOADED", "NETWORK", "AGENT_CRASHED"])(
  "K5 %s says nothing about its account, whatever its message says",
  (code) => {
    expect(newsOf(code)).toBeUndefined();
  },
);
