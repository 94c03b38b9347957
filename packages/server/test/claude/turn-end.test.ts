import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { startFault } from "../../src/drivers/claude/faults.ts";
import { turnEnd } from "../../src/drivers/claude/turn-end.ts";
import { factsOf, mapped, newState, now, only } from "./support.ts";

/** How a turn ends, after these messages. */
function ending(result: object, before: Record<string, unknown>[] = []) {
  const facts = mapped([...before, { type: "result", ...result }]);
  const end = only(facts, "turn_end")[0];
  return { reason: end?.reason, code: end?.fault?.code, retry: end?.fault?.retry, fault: end?.fault };
}

const apiError = (status: number | null, more: object = {}) => ({
  subtype: "success",
  is_error: true,
  terminal_reason: "api_error",
  api_error_status: status,
  result: "API Error: it did not work.",
  ...more,
});
const failed = (error: string) => ({
  type: "assistant",
  error,
  is_api_error_message: true,
  message: { id: "m", model: "<synthetic>", content: [{ type: "text", text: "API Error" }] },
});
const limit = (resetsAt: number) => ({
  type: "rate_limit_event",
  rate_limit_info: { status: "rejected", resetsAt, rateLimitType: "five_hour" },
});

test("a rejected login is a failure that a person must fix, and not an answer of the agent", async () => {
  const facts = await factsOf("unauthorized");
  expect(only(facts, "text")).toEqual([]);
  expect(only(facts, "notice").map(({ code }) => code)).toEqual(["API_RETRY"]);
  const end = only(facts, "turn_end")[0];
  expect(end).toMatchObject({ reason: "auth", fault: { code: "AUTH_FAILED", retry: "never" } });
  expect(end?.fault?.message).toBe(
    "Failed to authenticate. API Error: 401 A scripted failure. Log in to Claude Code or set its key, then send it again.",
  );
});

test.for([
  { what: "403", result: apiError(403), code: "AUTH_FAILED", reason: "auth", retry: "never" },
  {
    what: "429",
    result: apiError(429),
    code: "RATE_LIMITED",
    reason: "usage_limit",
    retry: { afterMs: 60_000 },
  },
  { what: "529", result: apiError(529), code: "OVERLOADED", reason: "error", retry: "same" },
  { what: "503", result: apiError(503), code: "OVERLOADED", reason: "error", retry: "same" },
  { what: "500", result: apiError(500), code: "MODEL_ERROR", reason: "error", retry: "same" },
  { what: "400", result: apiError(400), code: "MODEL_ERROR", reason: "error", retry: "never" },
  {
    what: "a connection that was refused or dropped",
    result: apiError(null, { api_error: "connection_failed" }),
    code: "NETWORK",
    reason: "error",
    retry: "same",
  },
])("$what from the model's server is $code", ({ result, code, reason, retry }) => {
  expect(ending(result)).toMatchObject({ code, reason, retry });
});

test("a missing login has no status and is recognized by the kind of the failure", () => {
  const end = ending(apiError(null, { result: "Not logged in · Please run /login" }), [
    failed("authentication_failed"),
  ]);
  expect(end).toMatchObject({ code: "AUTH_FAILED", reason: "auth" });
});

test("an empty balance may be retried with another account", () => {
  expect(ending(apiError(400), [failed("billing_error")])).toMatchObject({
    code: "MODEL_ERROR",
    retry: "other-account",
  });
});

test("a usage limit has its reset time; one that resets soon may be retried after a wait", () => {
  const reached = apiError(429, { api_error: "usage_limit_reached" });
  const far = ending(reached, [limit(now / 1000 + 7_200)]);
  expect(far).toMatchObject({ code: "USAGE_LIMIT", reason: "usage_limit", retry: "other-account" });
  expect(far.fault?.facts).toEqual({ until: "2026-11-15T09:00:00.000Z" });
  const near = ending(reached, [limit(now / 1000 + 120)]);
  expect(near).toMatchObject({ code: "RATE_LIMITED", retry: { afterMs: 120_000 } });
  expect(ending(reached).fault?.facts).toEqual({ until: "2026-11-15T08:00:00.000Z", assumed: true });
  const advice = [far, near, ending(reached)].map(({ fault }) => fault?.message.split(". ").at(-1));
  expect(advice).toEqual([
    "Send it again after 2026-11-15 09:00 UTC.",
    "Send it again in 120 s.",
    "It is not known when the limit ends; send it again in an hour.",
  ]);
});

test("K5 the text of an answer decides nothing", () => {
  const words = "rate limit reached, 401, No conversation found, usage_limit_reached";
  expect(
    ending({ subtype: "success", is_error: false, stop_reason: "end_turn", result: words }),
  ).toMatchObject({
    reason: "end_turn",
    fault: undefined,
  });
});

test.for([
  {
    result: { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" },
    reason: "cancelled",
  },
  {
    result: { subtype: "error_during_execution", terminal_reason: "aborted_streaming" },
    reason: "cancelled",
  },
  { result: { subtype: "error_max_turns", is_error: true }, reason: "max_turns" },
  { result: { subtype: "success", is_error: false, stop_reason: "max_tokens" }, reason: "max_tokens" },
  { result: { subtype: "success", is_error: false, stop_reason: "refusal" }, reason: "refusal" },
  { result: { subtype: "success", is_error: false, stop_reason: null }, reason: "end_turn" },
  { result: { subtype: "error_during_execution", errors: ["It broke"] }, reason: "error" },
  { result: {}, reason: "error" },
])("a turn with the result $result ends with $reason", ({ result, reason }) => {
  expect(ending(result).reason).toBe(reason);
});

test("an unknown conversation is reported as such, both before and during a turn", () => {
  const result = {
    subtype: "error_during_execution",
    is_error: true,
    errors: ["No conversation found with session ID: 99999999-2222-4333-8444-555555555555"],
  };
  const context = { name: "Claude Code", trouble: {}, now };
  expect(turnEnd("trn_1", result, context).fault).toMatchObject({ code: "RESUME_UNKNOWN", retry: "never" });
  expect(startFault("Claude Code", result, now)).toMatchObject({ code: "RESUME_UNKNOWN" });
});

test("a failed start always has the same message, with the agent's own text in its facts", () => {
  expect(startFault("Claude Code", undefined, now)).toEqual(
    new Fault("AGENT_UNREACHABLE", "Could not connect to Claude Code"),
  );
  const fault = startFault(
    "Claude Code",
    { subtype: "error_during_execution", errors: ["Bad settings"] },
    now,
  );
  expect([fault.message, fault.facts]).toEqual([
    "Could not connect to Claude Code",
    { reason: "Bad settings" },
  ]);
});

test("a turn's usage is the difference from the last turn, not the agent's total", () => {
  const usage = {
    inputTokens: 5,
    cacheReadInputTokens: 10,
    cacheCreationInputTokens: 1,
    outputTokens: 2,
    costUSD: 0.5,
  };
  const result = {
    type: "result",
    subtype: "success",
    total_cost_usd: 99,
    modelUsage: { a: { inputTokens: 9_999 } },
    model_usage_since_last_result: { a: usage, b: usage },
  };
  expect(only(mapped([result]), "turn_end")[0]?.usage).toEqual({
    inputTokens: 32,
    outputTokens: 4,
    costUsd: 1,
  });
  const { model_usage_since_last_result: _, ...older } = result;
  const own = { ...older, usage: { input_tokens: 7, cache_read_input_tokens: 1, output_tokens: 3 } };
  expect(only(mapped([own]), "turn_end")[0]?.usage).toEqual({ inputTokens: 8, outputTokens: 3 });
});

test("a turn that leaves background work reports it", () => {
  const task = { task_id: "t1", task_type: "local_agent" };
  const tasks = (...listed: object[]) => ({
    type: "system",
    subtype: "background_tasks_changed",
    tasks: listed,
  });
  const result = { type: "result", subtype: "success" };
  const endAfter = (...before: Record<string, unknown>[]) => only(mapped([...before, result]), "turn_end")[0];
  expect(endAfter(tasks(task))).toMatchObject({ lingers: true });
  expect(endAfter(tasks(task), tasks({ ...task, ambient: true }))).not.toHaveProperty("lingers");
});

test("results of background work do not end a turn", async () => {
  const state = newState();
  const facts = await factsOf("background", state);
  expect(only(facts, "turn_end")).toMatchObject([{ turnId: "trn_recorded", reason: "end_turn" }]);
  expect(only(facts, "text").map(({ text }) => text)).toEqual(["It runs.", "It is done."]);
  expect(state).toMatchObject({ background: 0, isRunning: false, unspoken: { inputTokens: 100 } });
});

test("a turn ends with the result that answers its last message", () => {
  const result = (reason: string, ...uuids: string[]) => ({
    ...{ type: "result", subtype: "success", is_error: false, terminal_reason: reason },
    ...{ user_message_uuid: uuids[0], user_message_uuids: uuids },
  });
  const steered = () => {
    const state = newState();
    for (const uuid of ["second", "third"]) state.unanswered.add(uuid);
    return { state, prompt: state.turn?.uuid ?? "" };
  };
  const one = steered();
  expect(mapped([result("completed", one.prompt, "second")], one.state)).toEqual([
    { type: "text", text: "\n\n" },
  ]);
  expect(mapped([result("completed", "third")], one.state)).toMatchObject([{ reason: "end_turn" }]);
  const folded = steered();
  const all = result("completed", folded.prompt, "second", "third");
  expect(mapped([all], folded.state)).toMatchObject([{ reason: "end_turn" }]);
  const aborted = steered();
  const stop = result("aborted_tools", aborted.prompt);
  expect(mapped([stop], aborted.state)).toMatchObject([{ reason: "cancelled" }]);
});

test("a result belongs to the prompt it answers, and a queued prompt still waits for its own", () => {
  const state = newState();
  const result = { type: "result", subtype: "success", is_error: false };
  expect(mapped([{ ...result, user_message_uuid: "another" }], state)).toEqual([]);
  expect(mapped([{ ...result, queued_turn_count: 1 }], state)).toEqual([]);
  const origin = { kind: "task-notification" };
  expect(mapped([{ ...result, origin, queued_turn_count: 0 }], state)).toEqual([]);
  expect(mapped([{ ...result, queued_turn_count: 0 }], state)).toMatchObject([{ type: "turn_end" }]);
  expect(mapped([result], state)).toEqual([]);
});
