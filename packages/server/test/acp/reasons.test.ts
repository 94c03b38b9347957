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
    "repeated message",
    { message: "Internal error: boom", data: { details: "boom", message: "boom" } },
    "Internal error: boom",
  ],
  ["nothing else", { message: "Internal error" }, "Internal error"],
  ["nothing at all", { data: { details: 7 } }, "The agent gave no reason"],
])("N6 the reason for an error is read from its %s", (_, error, words) => {
  expect(messageOf(error)).toBe(words);
});

test("N6 an agent's message is shortened, but never inside a character", () => {
  const words = messageOf({ message: `${"x".repeat(1_999)}🐑${"y".repeat(9_999)}` });
  expect(words).toBe(`${"x".repeat(1_999)}…`);
});

test("N6 a limit's message has its reset time, however the agent writes it", () => {
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

test("N6 the fault for another protocol version names that version", async () => {
  const initialize = { result: { protocolVersion: 7 } };
  const fault = await failure({ agent: "scripted", script: { initialize } });
  expect(fault.message).toBe("Could not connect to Test Agent");
  expect(fault.facts["reason"]).toBe("it speaks version 7 of the Agent Client Protocol, Drover speaks 1");
});

test("N6 the fault for a conversation that does not open in time names the unanswered request", async () => {
  const fault = await failure({ agent: "scripted", script: { "session/new": "silence" } }, 2_500);
  expect(fault).toMatchObject({
    code: "AGENT_UNREACHABLE",
    message: "Could not connect to Test Agent",
    facts: { reason: 'it did not answer "session/new" within 2.5 s', stderrTail: "listening\n" },
  });
});

test("N6 the fault for an agent that exits instead of connecting has its exit and its last output", async () => {
  const { message, facts } = await failure({
    agent: "follows-script",
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
const loginRequired = {
  code: -32000,
  message: "Authentication required",
  data: { details: "token expired" },
};

test("N6 the fault for a missing login keeps the agent's message and its login methods", async () => {
  const initialize = { result: { protocolVersion: 1, authMethods } };
  const fault = await failure({
    agent: "scripted",
    script: { initialize, "session/new": { error: loginRequired } },
  });
  expect(fault).toMatchObject({
    code: "AUTH_FAILED",
    message: "Test Agent is not logged in. Log in with its own program, then send the message again.",
    facts: { reason: "Authentication required: token expired", authMethods: offered },
  });
});

test("N6 a turn that fails because of a missing login names the login methods, even after a restart", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const initialize = { result: { protocolVersion: 1, authMethods } };
  const program = { agent: "scripted", script: { initialize } };
  const connection = await place.open(program, host);
  await connection.prompt("trn_1", script({ end: { error: loginRequired } }));
  const { fault } = await host.turnEnd("trn_1");
  expect(fault?.message).toContain("Authentication required: token expired");
  expect(fault?.facts).toEqual({ authMethods: offered });
  connection.detach();
  const next = new RecordingHost(host.process);
  const attach = { process: host.process, pending: {} };
  const again = await place.open(program, next, { attach, epoch: 2 });
  await again.prompt("trn_2", script({ end: { error: loginRequired } }));
  expect((await next.turnEnd("trn_2")).fault?.facts).toEqual({ authMethods: offered });
});
