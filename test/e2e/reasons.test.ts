// The reason for a failure is shown in events, in sessions and on the command line.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { drover, kitAgent, openRig, openSession, type Rig } from "./support.ts";

const authMethods = [{ id: "key", name: "API key", description: "Set KIT_KEY" }];
const wantsLogin = {
  initialize: { result: { protocolVersion: 1, authMethods } },
  "session/new": { error: { code: -32000, message: "Authentication required", data: "token expired" } },
};
const agent = (answers: object) => kitAgent("follows-script.mjs", "--answers", JSON.stringify(answers));

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({
    agents: {
      kit: agent({}),
      ends: agent({ initialize: { exit: 3, words: "no licence found" } }),
      silent: agent({ "session/new": "silence" }),
      login: agent(wantsLogin),
    },
    config: { supervision: { startTimeout: "2s" } },
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const message = "Could not connect to Kit";

test("N6 when an agent exits instead of connecting, every interface shows how it ended", async () => {
  await using session = await openSession(rig, "ends");
  const reason = "its process exited with code 3";
  const fault = { code: "AGENT_UNREACHABLE", message, reason, stderrTail: "no licence found\n" };
  expect(await session.turn("hello")).toMatchObject({ reason: "error", error: fault });
  expect(session.all("error")).toMatchObject([fault]);
  expect(await session.get()).toMatchObject({
    lastTurn: { message: `${message}: ${reason}` },
    connection: { lastError: `${message}: ${reason}` },
  });
  expect((await session.items()).at(-1)).toMatchObject({
    text: message,
    fault: { reason, stderrTail: "no licence found\n" },
  });
  const { stderr, code } = await drover(rig.home, "run", "ends", "hello", "--cwd", join(rig.home, "work"));
  expect(code).toBe(1);
  expect(stderr).toContain(`✗ ${message}: ${reason}\n  no licence found\n`);
});

test("N6 when an agent does not start a conversation in time, the error names the unanswered request", async () => {
  await using session = await openSession(rig, "silent");
  expect(await session.turn("hello")).toMatchObject({
    error: { message, reason: 'it did not answer "session/new" within 2 s' },
  });
});

test("N6 when an agent is not logged in, the error has the agent's message and the ways to log in", async () => {
  await using session = await openSession(rig, "login");
  expect(await session.turn("hello")).toMatchObject({
    reason: "auth",
    error: {
      code: "AUTH_FAILED",
      reason: "Authentication required: token expired",
      authMethods: [{ name: "API key", description: "Set KIT_KEY" }],
    },
  });
  const { stderr } = await drover(rig.home, "run", "login", "hello", "--cwd", join(rig.home, "work"));
  expect(stderr).toContain("(Authentication required: token expired)");
  expect(stderr).toContain("To log in: API key: Set KIT_KEY");
});

test("N6 a failed turn shows the details of its error, and no control characters reach the terminal", async () => {
  const fail = { code: -32603, message: "Internal error", data: { details: "model\u001b[8m is gone" } };
  await using session = await openSession(rig);
  expect(await session.turn(JSON.stringify([{ fail }]))).toMatchObject({
    error: { code: "MODEL_ERROR", message: "model\u001b[8m is gone" },
  });
  const { stderr } = await drover(rig.home, "send", session.id, JSON.stringify([{ fail }]), "--wait");
  expect(stderr).toMatch(/✗ model.* is gone/);
  expect(stderr).not.toContain("\u001b[8m");
});
