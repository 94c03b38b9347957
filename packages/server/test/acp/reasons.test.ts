import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { messageOf } from "../../src/drivers/acp/faults.ts";
import { turnEnd } from "../../src/drivers/acp/turn-end.ts";
import { Place, type Program, RecordingHost, script } from "./support.ts";

async function failure(program: Program, startTimeoutMs = 60_000): Promise<Fault> {
  await using place = await Place.make();
  const error: unknown = await place.open(program, new RecordingHost(), { startTimeoutMs }).catch((e) => e);
  expect(error).toBeInstanceOf(Fault);
  return error as Fault;
}

test.each([
  ["message", { message: "no such model" }, "no such model"],
  ["data.message", { message: "Internal error", data: { message: "quota" } }, "quota"],
  ["data.details", { message: "Internal error", data: { details: "disk full" } }, "disk full"],
  [
    "both",
    { message: "Bad request", data: { details: "max_tokens too large" } },
    "Bad request: max_tokens too large",
  ],
  ["string data", { message: "Internal error", data: "ECONNREFUSED 1.2.3.4" }, "ECONNREFUSED 1.2.3.4"],
  [
    "errors",
    { message: "Invalid", data: { errors: ["a is missing", { message: "b is wrong" }] } },
    "Invalid: a is missing: b is wrong",
  ],
  ["errors beside data", { message: "Invalid", errors: [{ message: "c" }] }, "Invalid: c"],
  [
    "said twice",
    { message: "Internal error: boom", data: { details: "boom", message: "boom" } },
    "Internal error: boom",
  ],
  ["nothing else", { message: "Internal error" }, "Internal error"],
  ["nothing at all", { data: { details: 7 } }, "The agent gave no reason"],
])("N6 the reason of an error is found in its %s", (_, error, words) => {
  expect(messageOf(error)).toBe(words);
});

test("N6 an agent's words are cut at a length, and never through a character", () => {
  const words = messageOf({ message: `${"x".repeat(1_999)}🐑${"y".repeat(9_999)}` });
  expect(words).toBe(`${"x".repeat(1_999)}…`);
});

test("N6 a limit that names its time says it, however the agent spells it", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const limit = (data: object) =>
    turnEnd("trn_1", { error: { code: 429, message: "Too much", data } }, { now }).fault?.message;
  const hour = "Too much. Send it again after 2026-01-01 01:00 UTC.";
  for (const data of [{ resetsAt: "2026-01-01T01:00:00Z" }, { reset_at: now / 1000 + 3600 }]) {
    expect(limit(data)).toBe(hour);
  }
  for (const data of [{ retryAfter: 3600 }, { retry_after: 3600 }]) expect(limit(data)).toBe(hour);
  expect(limit({ retry_after: 20 })).toBe("Too much. Send it again in 20 s.");
});

test("N6 an agent of another protocol version says which it speaks", async () => {
  const initialize = { result: { protocolVersion: 7 } };
  const fault = await failure({ agent: "scripted", script: { initialize } });
  expect(fault.message).toBe("Could not connect to Test Agent");
  expect(fault.facts["reason"]).toBe("it speaks version 7 of the Agent Client Protocol, Drover speaks 1");
});

test("N6 an agent that does not open a conversation in time says what it did not answer", async () => {
  const fault = await failure({ agent: "scripted", script: { "session/new": "silence" } }, 2_500);
  expect(fault).toMatchObject({
    code: "AGENT_UNREACHABLE",
    message: "Could not connect to Test Agent",
    facts: { reason: 'it did not answer "session/new" within 2.5 s', stderrTail: "listening\n" },
  });
});

test("N6 an agent that ends instead of connecting says how, with its last words", async () => {
  const { message, facts } = await failure({
    agent: "does-as-told",
    args: ["--answers", '{"initialize": {"exit": 3, "words": "no licence"}}'],
  });
  expect(message).toBe("Could not connect to Test Agent");
  expect(facts).toEqual({ reason: "its process exited with code 3", stderrTail: "no licence\n" });
});

const authMethods = [
  { id: "key", name: "API key", description: "Set TEST_KEY" },
  { id: "web", name: "Browser", description: null },
];
const offered = [{ name: "API key", description: "Set TEST_KEY" }, { name: "Browser" }];
const wanted = { code: -32000, message: "Authentication required", data: { details: "token expired" } };

test("N6 an agent that wants a login keeps its own words and the ways to log in", async () => {
  const initialize = { result: { protocolVersion: 1, authMethods } };
  const fault = await failure({
    agent: "scripted",
    script: { initialize, "session/new": { error: wanted } },
  });
  expect(fault).toMatchObject({
    code: "AUTH_FAILED",
    message: "Test Agent is not logged in. Log in with its own program, then send the message again.",
    facts: { reason: "Authentication required: token expired", authMethods: offered },
  });
});

test("N6 a turn that fails for want of a login names the ways to log in, after a restart, too", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const initialize = { result: { protocolVersion: 1, authMethods } };
  const program = { agent: "scripted", script: { initialize } };
  const connection = await place.open(program, host);
  await connection.prompt("trn_1", script({ end: { error: wanted } }));
  const { fault } = await host.turnEnd("trn_1");
  expect(fault?.message).toContain("Authentication required: token expired");
  expect(fault?.facts).toEqual({ authMethods: offered });
  connection.detach();
  const next = new RecordingHost(host.process);
  const attach = { process: host.process, pending: {} };
  const again = await place.open(program, next, { attach, epoch: 2 });
  await again.prompt("trn_2", script({ end: { error: wanted } }));
  expect((await next.turnEnd("trn_2")).fault?.facts).toEqual({ authMethods: offered });
});
