import { type RejectionCode, rejectionStatus } from "@drover/core";
import { describe, expect, test } from "vitest";
import { api as client } from "../../../../test/kit/http.ts";
import { StoreError } from "../../src/ports.ts";
import { approve, ask, asking, create, post } from "./asking.ts";
import { newKey, newSession, type RawAnswer, raw, startApi, type TestApi, token } from "./harness.ts";

/** How to cause each code. What the engine decides comes from the same deciders here, without an engine. */
const reachable: Partial<Record<RejectionCode, (api: TestApi) => Promise<RawAnswer>>> = {
  BAD_REQUEST: (api) => post(api, "/api/sessions", {}),
  INVALID_CHARACTER: (api) => post(api, "/api/sessions", { ...create, title: "a\0b" }),
  UNSUPPORTED: (api) => post(api, "/api/sessions", { ...create, workspace: "worktree" }),
  UNSUPPORTED_CLI: (api) => post(api, "/api/sessions", { ...create, agent: "nobody" }),
  INSTRUCTIONS_UNREADABLE: (api) => post(api, "/api/sessions", { ...create, instructionFile: "/home/me/no" }),
  UNAUTHENTICATED: (api) => raw(api.port, "/api/sessions"),
  OUTSIDE_BOUNDARY: (api) => post(api, "/api/sessions", { ...create, cwd: "/etc" }),
  PERMISSION_DENIED: (api) => post(api, "/api/sessions", { ...create, cwd: "/root/secret" }),
  NULL_BYTE: (api) => post(api, "/api/sessions", { ...create, cwd: "/home/\0" }),
  FOREIGN_ORIGIN: (api) => ask(api, "/api/sessions", { headers: { origin: "null" } }),
  AGENT_CANNOT_ANSWER: async (api) => {
    api.peer = "ses_of_the_agent";
    return post(api, `/api/sessions/${await asking(api)}/approve`, approve);
  },
  NOT_FOUND: (api) => ask(api, "/api/sessions/no-such-one"),
  SESSION_LOCKED: async (api) => {
    const path = `/api/sessions/${await newSession(api)}/messages`;
    await post(api, path, { content: "first" });
    return ask(api, path, { method: "POST", json: { content: "second" }, headers: { "x-lock": "strict" } });
  },
  IDEMPOTENCY_CONFLICT: async (api) => {
    const path = `/api/sessions/${await newSession(api)}/messages`;
    await post(api, path, { content: "one", clientMessageId: "c" });
    return post(api, path, { content: "two", clientMessageId: "c" });
  },
  ALREADY_RESOLVED: async (api) => {
    const id = await asking(api);
    await post(api, `/api/sessions/${id}/deny`, approve);
    return post(api, `/api/sessions/${id}/approve`, approve);
  },
  INPUT_CHANGED: async (api) =>
    post(api, `/api/sessions/${await asking(api)}/approve`, { ...approve, inputHash: "other" }),
  NAME_TAKEN: async (api) => {
    await post(api, "/api/sessions", { ...create, name: "taken" });
    return post(api, "/api/sessions", { ...create, name: "taken" });
  },
  NOT_QUEUED: async (api) => {
    const path = `/api/sessions/${await newSession(api)}/queue/msg_00000000000000000000000000`;
    return ask(api, path, { method: "DELETE" });
  },
  QUEUE_FULL: async (api) => {
    api.service.queueMax = 1;
    const path = `/api/sessions/${await newSession(api)}/messages`;
    await post(api, path, { content: "runs" });
    await post(api, path, { content: "waits" });
    return post(api, path, { content: "too many" });
  },
  BODY_TOO_LARGE: (api) =>
    raw(api.port, "/api/sessions", {
      method: "POST",
      body: Buffer.alloc(16 * 1024 * 1024 + 1),
      headers: { authorization: `Bearer ${token}` },
    }),
  PROMPT_TOO_LARGE: async (api) =>
    post(api, `/api/sessions/${await newSession(api)}/messages`, { content: "x".repeat(786_433) }),
  WRONG_HOST: (api) => ask(api, "/api/health", { headers: { host: "evil.example.com" } }),
  TOO_MANY_ATTEMPTS: async (api) => {
    for (let i = 0; i < 5; i++) await post(api, "/api/login", { code: "wrong", key: newKey() });
    return post(api, "/api/login", { code: "wrong", key: newKey() });
  },
  BUG: (api) => {
    api.service.failure = new Error("secret inside");
    return ask(api, "/api/sessions/brave-otter");
  },
  STORAGE_FULL: (api) => {
    api.service.refusal = { code: "STORAGE_FULL", message: "The disk is full; free some space" };
    return post(api, "/api/sessions", create);
  },
  STORE_BUSY: (api) => {
    api.service.failure = new StoreError("STORE_BUSY", "Another process holds the store; try again");
    return ask(api, "/api/sessions/brave-otter");
  },
};

/** Caused by connections, by a shutdown, or by the engine: other suites have them. */
const elsewhere: readonly RejectionCode[] = [
  "REQUEST_TIMEOUT",
  "SHUTTING_DOWN",
  "TOO_MANY_CONNECTIONS",
  "ATTACHMENT_TOO_LARGE",
  "ACCOUNT_EXISTS",
  "ACCOUNT_IN_USE",
  "REVERT_CONFLICT",
  "DISCARD_CONFLICT",
  "COMMIT_REFUSED",
  "NOTHING_TO_COMMIT",
  "NO_IDENTITY",
  "MERGE_CONFLICT",
  "CHECKOUT_IN_THE_WAY",
  "NOTHING_TO_MERGE",
  "MERGE_REFUSED",
  "PUSH_REFUSED",
  "WORKSPACE_DIRTY",
  "WORKSPACE_FAILED",
];

/** Codes that no request can cause yet, and the feature that will. */
const later: Partial<Record<RejectionCode, string>> = {
  POLICY_VIOLATION: "policy files",
};

describe("an error", () => {
  test.each(Object.entries(reachable))(
    "%s has its status, a message that says what to do, and its facts",
    async (code, cause) => {
      await using api = await startApi();
      const answer = await cause(api);
      expect(answer.status).toBe(rejectionStatus[code as RejectionCode]);
      expect(answer.json).toMatchObject({ code, error: expect.stringMatching(/\w+ \w+/) });
      expect(answer.headers["retry-after"] !== undefined).toBe(
        answer.status === 503 || answer.status === 429,
      );
    },
  );

  test("of every code is either caused by a test or listed with the feature that will cause it", () => {
    const known = [...Object.keys(reachable), ...elsewhere, ...Object.keys(later)];
    expect(known.sort()).toEqual(Object.keys(rejectionStatus).sort());
  });

  test.each([
    ["SESSION_LOCKED", ["lockedBy", "lockedAt"]],
    ["ALREADY_RESOLVED", ["resolution", "by", "at"]],
    ["QUEUE_FULL", ["limit"]],
    ["PROMPT_TOO_LARGE", ["limit", "size"]],
    ["UNSUPPORTED", ["what"]],
    ["UNSUPPORTED_CLI", ["allowed"]],
    ["NOT_FOUND", ["what"]],
    ["BAD_REQUEST", ["issues"]],
    ["BUG", ["id"]],
  ] as [RejectionCode, string[]][])("%s includes the facts %j", async (code, facts) => {
    await using api = await startApi();
    const answer = await reachable[code]?.(api);
    expect(Object.keys(answer?.json ?? {})).toEqual(expect.arrayContaining(facts));
  });

  test("that is a bug gives the client only an id and logs the details", async () => {
    await using api = await startApi();
    const answer = await reachable["BUG"]?.(api);
    expect(answer?.body).not.toContain("secret inside");
    const [entry] = api.logged;
    expect(entry?.facts).toMatchObject({ id: answer?.json["id"], what: "GET /api/sessions/brave-otter" });
    expect(String(entry?.facts?.["error"])).toContain("secret inside");
  });
});

describe("a feature that is not in this version yet", () => {
  test.each([["POST", "/api/proposals/prp_x/accept", "plans"]])(
    "%s %s is named in the error",
    async (method, path, what) => {
      await using api = await startApi();
      const answer = await client(api).ask(method, path, method === "POST" ? { body: { any: "thing" } } : {});
      expect(answer).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what } });
    },
  );
});

describe("while the server accepts no changes", () => {
  test("writes are refused; reading, stopping and logging in still work", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.refusal = { code: "STORAGE_FULL", message: "The disk is full" };
    const { ask: request } = client(api);
    for (const [method, path, body] of [
      ["POST", "/api/sessions", create],
      ["POST", `/api/sessions/${id}/messages`, { content: "x" }],
      ["PATCH", `/api/sessions/${id}`, { title: "x" }],
      ["DELETE", `/api/sessions/${id}`, undefined],
      ["POST", "/api/projects", { path: "/x" }],
    ] as const) {
      expect(await request(method, path, { body }), path).toMatchObject({
        status: 503,
        body: { code: "STORAGE_FULL" },
      });
    }
    expect((await request("GET", "/api/sessions")).status).toBe(200);
    expect((await request("POST", `/api/sessions/${id}/stop`)).status).toBe(202);
    expect((await request("POST", "/api/login", { body: { token, key: newKey() } })).status).toBe(204);
    expect((await request("GET", "/api/health")).body).toMatchObject({ status: "storage_full" });
  });
});
