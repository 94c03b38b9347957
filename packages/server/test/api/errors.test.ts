import { type RejectionCode, rejectionStatus } from "@drover/core";
import { describe, expect, test } from "vitest";
import { api as client } from "../../../../test/kit/http.ts";
import { openSocket } from "../../../../test/kit/socket.ts";
import { callerRefusal } from "../../src/operations/admission.ts";
import { StoreError } from "../../src/ports.ts";
import {
  newKey,
  newSession,
  type RawAnswer,
  type RawRequest,
  raw,
  startApi,
  type TestApi,
  token,
} from "./harness.ts";

const ask = (api: TestApi, path: string, request: Omit<RawRequest, "body"> & { json?: unknown } = {}) => {
  const { json, headers, ...rest } = request;
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  return raw(api.port, path, { ...rest, ...body, headers: { authorization: `Bearer ${token}`, ...headers } });
};
const post = (api: TestApi, path: string, json: unknown) => ask(api, path, { method: "POST", json });

/** A session whose agent asks to run something. */
async function asking(api: TestApi): Promise<string> {
  const id = await newSession(api);
  api.service.append(id, [
    {
      ...{
        type: "approval_required",
        id: "int_1",
        sessionId: id,
        sessionName: "x",
        agent: "demo",
        kind: "approval",
      },
      ...{
        toolCallId: "c1",
        inputHash: "h",
        scopes: ["once"],
        createdAt: "2026-01-01T00:00:00.000Z",
        state: "open",
      },
    },
  ]);
  return id;
}

const approve = { toolCallId: "c1" };
const create = { agent: "demo", cwd: "/home/me" };

/** How each code is come by. What the engine decides is decided here by the same deciders, without an engine. */
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

/** Told before there is a request to answer, or to a server that is going away: a suite of their own has them. */
const ofConnections: readonly RejectionCode[] = ["REQUEST_TIMEOUT", "SHUTTING_DOWN", "TOO_MANY_CONNECTIONS"];

/** Codes that no request can cause yet, and the capability that brings them. */
const later: Partial<Record<RejectionCode, string>> = {
  POLICY_VIOLATION: "policy files",
  WORKSPACE_DIRTY: "worktrees",
};

describe("an error", () => {
  test.each(Object.entries(reachable))(
    "%s has its status, words that say what to do, and its facts",
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

  test("of every code is either caused by a test or named with the capability that brings it", () => {
    const known = [...Object.keys(reachable), ...ofConnections, ...Object.keys(later)];
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
  ] as [RejectionCode, string[]][])("%s tells the facts %j", async (code, facts) => {
    await using api = await startApi();
    const answer = await reachable[code]?.(api);
    expect(Object.keys(answer?.json ?? {})).toEqual(expect.arrayContaining(facts));
  });

  test("that is a bug tells the client an id and the log the rest", async () => {
    await using api = await startApi();
    const answer = await reachable["BUG"]?.(api);
    expect(answer?.body).not.toContain("secret inside");
    const [entry] = api.logged;
    expect(entry?.facts).toMatchObject({ id: answer?.json["id"], what: "GET /api/sessions/brave-otter" });
    expect(String(entry?.facts?.["error"])).toContain("secret inside");
  });
});

describe("the same error over a socket", () => {
  const frames: Partial<Record<RejectionCode, (api: TestApi) => Promise<[string, Record<string, unknown>]>>> =
    {
      BAD_REQUEST: async () => ["session:create", {}],
      INVALID_CHARACTER: async () => ["session:create", { ...create, title: "\ud800" }],
      UNSUPPORTED: async () => ["session:create", { ...create, workspace: "container" }],
      UNSUPPORTED_CLI: async () => ["session:create", { cliType: "nobody", cwd: "/home/me" }],
      OUTSIDE_BOUNDARY: async () => ["session:create", { ...create, cwd: "/etc" }],
      NULL_BYTE: async () => ["project:add", { path: "/home/\0" }],
      AGENT_CANNOT_ANSWER: async (api) => {
        api.peer = "ses_of_the_agent";
        return ["session:deny", { sessionId: await asking(api), ...approve }];
      },
      NOT_FOUND: async () => ["session:cancel", { sessionId: "no-such-one" }],
      IDEMPOTENCY_CONFLICT: async (api) => {
        const sessionId = await newSession(api);
        await post(api, `/api/sessions/${sessionId}/messages`, { content: "one", clientMessageId: "c" });
        return ["session:send", { sessionId, content: "two", clientMessageId: "c" }];
      },
      ALREADY_RESOLVED: async (api) => {
        const sessionId = await asking(api);
        await post(api, `/api/sessions/${sessionId}/deny`, approve);
        return ["session:approve", { sessionId, ...approve }];
      },
      QUEUE_FULL: async (api) => {
        api.service.queueMax = 0;
        const sessionId = await newSession(api);
        await post(api, `/api/sessions/${sessionId}/messages`, { content: "runs" });
        return ["session:send", { sessionId, content: "too many" }];
      },
      PROMPT_TOO_LARGE: async (api) => [
        "session:send",
        { sessionId: await newSession(api), content: "x".repeat(786_433) },
      ],
      STORAGE_FULL: async (api) => {
        api.service.refusal = { code: "STORAGE_FULL", message: "The disk is full" };
        return ["session:create", create];
      },
      BUG: async (api) => {
        Object.assign(api.service.projects, { list: () => Promise.reject(new Error("secret inside")) });
        return ["project:list", {}];
      },
    };

  test.each(Object.entries(frames))("%s", async (code, cause) => {
    await using api = await startApi();
    const [type, fields] = await cause(api);
    await using socket = await openSocket(api);
    const frame = await socket.request(type, fields);
    expect(frame).toMatchObject({ type: "error", code, message: expect.stringMatching(/\w+ \w+/) });
    expect(JSON.stringify(frame)).not.toContain("secret inside");
    if (fields["sessionId"]) expect(frame["sessionId"]).toBe(fields["sessionId"]);
    const agent = fields["cliType"] ?? fields["agent"];
    // Of a frame with a forbidden character nothing is read but its requestId.
    if (agent && code !== "INVALID_CHARACTER") expect(frame["cliType"]).toBe(agent);
  });

  test("leaves the socket open", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    socket.sendText("nonsense");
    await socket.until((frame) => frame.type === "error");
    expect(await socket.request("project:list")).toMatchObject({ type: "project:list" });
  });
});

test("what people are asked is listed for one session by its name or id, and for all", async () => {
  await using api = await startApi();
  const [id] = [await asking(api), await newSession(api)];
  const { get, ask: request } = client(api);
  const count = async (query: string) => {
    const { interactions } = await get<{ interactions: unknown[] }>(`/api/interactions${query}`);
    return interactions.length;
  };
  expect(await count("")).toBe(1);
  expect(await count(`?sessionId=${id}`)).toBe(1);
  expect(await count(`?sessionId=${api.service.must(id).name}&state=all`)).toBe(1);
  expect(await count("?state=resolved")).toBe(0);
  expect((await request("GET", "/api/interactions?sessionId=no-such-one")).status).toBe(404);
});

describe("what is not in this version yet", () => {
  test.each([
    ["GET", "/api/accounts", "accounts"],
    ["POST", "/api/workers", "workers"],
    ["GET", "/api/sessions/brave-otter/proposals", "proposals"],
  ])("%s %s says so by name", async (method, path, what) => {
    await using api = await startApi();
    const answer = await client(api).ask(method, path, method === "POST" ? { body: { any: "thing" } } : {});
    expect(answer).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what } });
  });
});

test("a project is read by its id; one that is not there is not found", async () => {
  await using api = await startApi();
  const { ask: request } = client(api);
  const { body: project } = await request("POST", "/api/projects", { body: { path: "/home/me" } });
  expect(await request("GET", `/api/projects/${project["id"]}`)).toMatchObject({
    status: 200,
    body: project,
  });
  expect(await request("GET", "/api/projects/prj_00000000000000000000000000")).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", what: "project" },
  });
});

describe("while nothing new is taken", () => {
  test("what writes is refused; reading, stopping and logging in go on", async () => {
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

describe("an agent at the other end of the connection", () => {
  test("can neither add, trust, rename nor forget a project", async () => {
    await using api = await startApi();
    const { ask: request } = client(api);
    const { body: project } = await request("POST", "/api/projects", { body: { path: "/home/me" } });
    const path = `/api/projects/${project["id"]}`;
    api.peer = await newSession(api);
    const refused = { status: 403, body: { code: "AGENT_CANNOT_ANSWER" } };
    expect(await request("POST", "/api/projects", { body: { path: "/home/me" } })).toMatchObject(refused);
    for (const body of [{ trusted: true }, { env: { PATH: "/evil" } }, { name: "ours" }]) {
      expect(await request("PATCH", path, { body })).toMatchObject(refused);
    }
    expect(await request("DELETE", path)).toMatchObject(refused);
    api.peer = undefined;
    expect((await request("PATCH", path, { body: { trusted: true } })).status).toBe(200);
  });

  test("cannot install a program", async () => {
    await using api = await startApi();
    api.peer = await newSession(api);
    const { ask: request } = client(api);
    const refused = { status: 403, body: { code: "AGENT_CANNOT_ANSWER" } };
    expect(await request("POST", "/api/agents/demo/add")).toMatchObject(refused);
    expect(api.service.calls).not.toContain("agents.add");
    api.peer = undefined;
    expect(await request("POST", "/api/agents/demo/add")).toMatchObject({
      status: 200,
      body: { agent: "demo", installed: true },
    });
  });

  test("can neither answer nor loosen its own mode, whatever its right", async () => {
    await using api = await startApi();
    const id = await asking(api);
    api.peer = id;
    const { ask: request } = client(api);
    for (const path of ["approve", "deny", "submit-answers"]) {
      const body = path === "submit-answers" ? { ...approve, answers: {} } : approve;
      const answer = await request("POST", `/api/sessions/${id}/${path}`, { body });
      expect(answer, path).toMatchObject({ status: 403, body: { code: "AGENT_CANNOT_ANSWER" } });
    }
    const mode = await request("PATCH", `/api/sessions/${id}`, { body: { permissionMode: "never" } });
    expect(mode).toMatchObject({ status: 403, body: { code: "AGENT_CANNOT_ANSWER" } });
    expect((await request("PATCH", `/api/sessions/${id}`, { body: { title: "mine" } })).status).toBe(200);
    expect(api.service.must(id).state.interactions).toHaveLength(1);
    api.peer = undefined;
    expect((await request("POST", `/api/sessions/${id}/approve`, { body: approve })).status).toBe(200);
  });

  test("is refused before its body is read", async () => {
    await using api = await startApi();
    api.peer = await newSession(api);
    const headers = { host: `127.0.0.1:${api.port}`, authorization: `Bearer ${token}` };
    const answer = await raw(api.port, "/api/login/codes", { method: "POST", headers, body: "not JSON" });
    expect(answer).toMatchObject({ status: 403, json: { code: "AGENT_CANNOT_ANSWER" } });
  });

  test("that has closed it may read with the token and change nothing, and is a person with a login", async () => {
    await using api = await startApi({ peerOf: async () => "gone" });
    const id = await newSession(api);
    const { ask: request } = client(api);
    const path = `/api/sessions/${id}/stop`;
    expect((await request("GET", "/api/sessions")).status).toBe(200);
    expect(await request("POST", path)).toMatchObject({ status: 403, body: { code: "AGENT_CANNOT_ANSWER" } });
    expect(api.service.calls).not.toContain("stop");
    expect(await request("POST", "/api/login", { body: { token, key: newKey() } })).toMatchObject({
      status: 403,
    });
    const right = { by: "cookie", login: "of a browser" } as const;
    expect(callerRefusal({ admission: "person" }, { peer: "gone", right })).toBeUndefined();
  });
});
