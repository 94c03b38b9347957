import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bytes, newSession, raw, startApi, type TestApi, token } from "./harness.ts";

let api: TestApi;
let session: string;
const headers = { authorization: `Bearer ${token}` };

beforeAll(async () => {
  api = await startApi();
  session = await newSession(api);
});
afterAll(() => api.api.close());

const post = (path: string, body: string | Buffer, more: Record<string, string> = {}) =>
  raw(api.port, path, { method: "POST", body, headers: { ...headers, ...more } });
const say = (content: string) => post(`/api/sessions/${session}/messages`, JSON.stringify({ content }));

describe("a body", () => {
  test("with an unknown key is refused, and the key is named", async () => {
    const answer = await post("/api/sessions", JSON.stringify({ agent: "demo", cwd: "/x", colour: "red" }));
    expect(answer).toMatchObject({
      status: 400,
      json: { code: "BAD_REQUEST", issues: [{ path: "colour" }] },
    });
    expect(answer.json["error"]).toContain("colour");
  });

  test("with wrong values is refused, and every one of them is named", async () => {
    const answer = await post("/api/sessions", JSON.stringify({ agent: 7, name: "Not A Name" }));
    const issues = answer.json["issues"] as { path: string; message: string }[];
    expect(issues.map(({ path }) => path).sort()).toEqual(["agent", "cwd", "name"]);
  });

  test.each([
    { body: { agent: 7, cwd: "/x" }, expected: "agent: it must be a string" },
    { body: { agent: "demo" }, expected: "cwd: it is missing; it must be a string" },
    { body: { agent: "demo", cwd: "" }, expected: "cwd: it may not be empty" },
    {
      body: { agent: "demo", cwd: "/x", workspace: "moon" },
      expected: "workspace: it must be one of: local, ",
    },
    {
      body: { agent: "demo", cwd: "/x", title: "x".repeat(501) },
      expected: "title: it may have 500 characters at most",
    },
    {
      body: { agent: "demo", cwd: "/x", colour: 1 },
      expected: "colour: unknown key; remove it",
    },
    { body: [], expected: "The input: it must be an object" },
  ])("is refused with the correct form: $expected", async ({ body, expected }) => {
    expect((await post("/api/sessions", JSON.stringify(body))).json["error"]).toContain(expected);
  });

  test("that matches no form is refused with what each form lacks", async () => {
    const answer = await post("/api/login", "{}");
    expect(answer.json).toMatchObject({ code: "BAD_REQUEST", issues: [{ path: "" }] });
    expect(answer.json["error"]).toMatch(/code: .*; or token: /);
    const servers = { mcpServers: { files: { command: 7 } } };
    const nested = await post("/api/sessions", JSON.stringify({ agent: "demo", cwd: "/x", ...servers }));
    expect(nested.json).toMatchObject({ issues: [{ path: "mcpServers.files" }] });
    expect(nested.json["error"]).toMatch(/^mcpServers\.files: .*command: .*; or url: /);
  });

  test("with an answer longer than a message can be, or a variable no process could start with, is refused", async () => {
    const answer = (text: string) => JSON.stringify({ toolCallId: "c1", answers: { q1: text } });
    const long = await post(`/api/sessions/${session}/submit-answers`, answer("x".repeat(786_433)));
    expect(long.json).toMatchObject({ code: "BAD_REQUEST", issues: [{ path: "answers.q1" }] });
    const whole = await post(`/api/sessions/${session}/submit-answers`, answer("x".repeat(786_432)));
    expect(whole.json).toMatchObject({ code: "NOT_FOUND" });
    const body = JSON.stringify({ env: { LARGE: "x".repeat(200_000) } });
    const project = "/api/projects/prj_00000000000000000000000000";
    expect((await raw(api.port, project, { method: "PATCH", body, headers })).json).toMatchObject({
      issues: [{ path: "env.LARGE" }],
    });
  });

  test("that is not JSON, or not an object, is refused", async () => {
    for (const body of ["{", "nonsense", "[]", "7", '"text"', "null", '{"agent":"demo",}']) {
      expect((await post("/api/sessions", body)).json, body).toMatchObject({ code: "BAD_REQUEST" });
    }
  });

  test("nested deeper than 64 levels is refused before it is parsed; brackets inside strings do not count", async () => {
    const nested = (levels: number) => `{"agent":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect((await post("/api/sessions", nested(65))).json["error"]).toContain("64 levels");
    expect((await post("/api/sessions", nested(64))).json["error"]).not.toContain("64 levels");
    expect((await post("/api/sessions", "[".repeat(5_000_000))).json["error"]).toContain("64 levels");
    expect((await say(`\\"${"[{".repeat(500)}`)).status).toBe(202);
  });

  test("with NUL, half a character or broken UTF-8 is refused", async () => {
    for (const text of ['"a\\u0000b"', '"a\\ud800b"', '"\\udc00"']) {
      const answer = await post(`/api/sessions/${session}/messages`, `{"content":${text}}`);
      expect(answer, text).toMatchObject({
        status: 400,
        json: { code: "INVALID_CHARACTER", path: "content" },
      });
    }
    const broken = Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect((await post(`/api/sessions/${session}/messages`, broken)).json).toMatchObject({
      code: "INVALID_CHARACTER",
    });
    const key = await post("/api/sessions", '{"agent":"demo","cwd":"/x","a\\u0000":1}');
    expect(key.json).toMatchObject({ code: "INVALID_CHARACTER" });
    expect((await say("whole characters: 😀 é \u2028")).status).toBe(202);
  });

  test("with a NUL in a path gets the boundary's error", async () => {
    const answer = await post("/api/sessions", '{"agent":"demo","cwd":"/home/me\\u0000/x"}');
    expect(answer).toMatchObject({ status: 403, json: { code: "NULL_BYTE" } });
    expect((await raw(api.port, "/api/sessions?cwd=%00", { headers })).json).toMatchObject({
      code: "NULL_BYTE",
    });
  });

  test("over 16 MB is refused: at once if its length is declared, otherwise when the limit is reached", async () => {
    api.service.calls.length = 0;
    const large = Buffer.alloc(16 * 1024 * 1024 + 1, 0x20);
    expect(await post("/api/sessions", large)).toMatchObject({
      status: 413,
      json: { code: "BODY_TOO_LARGE" },
    });
    let sent = 0;
    const chunked = await fetch(`${api.url}/api/sessions`, {
      method: "POST",
      headers,
      body: new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(1024 * 1024));
          if (++sent === 32) controller.close();
        },
      }),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
    const head = `POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n`;
    const waiting = `${head}Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n`;
    expect(await bytes(api.port, waiting)).toMatch(/^HTTP\/1\.1 413/);
    expect(api.service.calls).toEqual([]);
  });

  test("without credentials may have 64 KB: enough to log in", async () => {
    const large = JSON.stringify({ code: "x".repeat(64 * 1024) });
    const answer = await raw(api.port, "/api/login", { method: "POST", body: large });
    expect(answer).toMatchObject({ status: 413, json: { code: "BODY_TOO_LARGE", limit: 65_536 } });
  });

  test("is requested with 100 Continue once its sender is authorized", async () => {
    const head = `POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n`;
    const waiting = `${head}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
    expect(await bytes(api.port, waiting)).toMatch(/^HTTP\/1\.1 100 Continue/);
  });

  test("that is compressed is refused, not misread", async () => {
    const answer = await post("/api/sessions", "{}", { "content-encoding": "gzip" });
    expect(answer.json).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("may be omitted if nothing is required", async () => {
    expect((await post(`/api/sessions/${session}/interrupt`, "")).status).toBe(202);
    expect((await post(`/api/sessions/${session}/interrupt`, "{}")).status).toBe(202);
    expect((await post(`/api/sessions/${session}/interrupt`, '{"why":1}')).status).toBe(400);
  });
});

describe("a message", () => {
  test("P5 may have exactly 786432 bytes of UTF-8; one more is refused with both sizes", async () => {
    const full = "é".repeat(786_432 / 2);
    expect((await say(full)).status).toBe(202);
    const over = await say(`${full}!`);
    expect(over).toMatchObject({
      status: 413,
      json: { code: "PROMPT_TOO_LARGE", limit: 786_432, size: 786_433 },
    });
    const queued = api.service.must(session).state.queue[0]?.messageId;
    const edit = { method: "PATCH", headers, body: JSON.stringify({ content: `${full}!` }) };
    expect((await raw(api.port, `/api/sessions/${session}/queue/${queued}`, edit)).status).toBe(413);
  });
});

describe("an address", () => {
  test("with an impossible id is not found", async () => {
    for (const id of ["ses_short", "UPPER", "a", "..", "x%2f..%2fy", "ses_", "%F0%9F%98%80"]) {
      const answer = await raw(api.port, `/api/sessions/${id}`, { headers });
      expect(answer, id).toMatchObject({ status: 404, json: { code: "NOT_FOUND", what: "session" } });
    }
    for (const id of ["%00", "a%00b", "%ff", "%zz"]) {
      const answer = await raw(api.port, `/api/sessions/${id}`, { headers });
      expect(answer, id).toMatchObject({ status: 400, json: { code: "INVALID_CHARACTER" } });
    }
  });

  test("that does not exist is not found, and a wrong method lists the allowed ones", async () => {
    const nowhere = await raw(api.port, "/api/nowhere", { headers });
    expect(nowhere).toMatchObject({ status: 404, json: { code: "NOT_FOUND", what: "route" } });
    const method = await raw(api.port, "/api/sessions", { method: "PUT", headers });
    expect(method).toMatchObject({ status: 404, json: { code: "NOT_FOUND", what: "route" } });
    expect(method.json["error"]).toMatch(/GET.*POST|POST.*GET/);
  });

  test("has its query validated; a key without a value counts as omitted", async () => {
    for (const query of [
      "limit=0",
      "limit=-1",
      "limit=x",
      "limit=1.5",
      "limit=1001",
      "state=busy",
      "archived=maybe",
    ]) {
      expect((await raw(api.port, `/api/sessions?${query}`, { headers })).json, query).toMatchObject({
        code: "BAD_REQUEST",
      });
    }
    const empty = "/api/sessions?limit=50&cwd=&state=&archived=false&before=";
    expect((await raw(api.port, empty, { headers })).status).toBe(200);
    expect((await raw(api.port, `/api/sessions/${session}/log?offset=-1`, { headers })).status).toBe(400);
  });

  test("answers HEAD like GET, without the body", async () => {
    for (const path of ["/api/health", "/api/sessions", `/api/sessions/${session}/events`]) {
      const answer = await raw(api.port, path, { method: "HEAD", headers });
      expect([answer.status, answer.body], path).toEqual([200, ""]);
    }
  });
});
