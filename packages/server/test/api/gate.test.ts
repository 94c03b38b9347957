import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routesFor } from "../../src/api/routes/index.ts";
import { messagesFor } from "../../src/api/ws/messages.ts";
import { operations } from "../../src/operations/index.ts";
import {
  type BrowserLogin,
  bearer,
  bytes,
  login,
  newSession,
  pathOf,
  raw,
  startApi,
  type TestApi,
  token,
  upgrade,
} from "./harness.ts";

const routes = routesFor(operations);
const socketMessages = messagesFor(operations);

let api: TestApi;
let host: string;
let browser: BrowserLogin;
let cookie: string;

beforeAll(async () => {
  api = await startApi();
  host = `127.0.0.1:${api.port}`;
  browser = await login(api);
  cookie = browser.cookie;
});
afterAll(() => api.api.close());

describe("D8 access to the API", () => {
  const open = ["POST /api/login", "GET /api/health", "GET /login"];
  const all = routes.map(({ method, path }) => ({ method, path, title: `${method} ${path}` }));

  test.each(all.filter(({ title }) => !open.includes(title)))(
    "$title refuses without a token and with a wrong one",
    async ({ method, path }) => {
      const refused = { status: 401, json: { code: "UNAUTHENTICATED" } };
      expect(await raw(api.port, pathOf(path), { method })).toMatchObject(refused);
      const headers = { authorization: "Bearer wrong" };
      expect(await raw(api.port, pathOf(path), { method, headers })).toMatchObject(refused);
    },
  );

  test("is open to everyone for three routes and the login page's own files", async () => {
    expect(all.map(({ title }) => title).filter((title) => open.includes(title))).toEqual(open);
    expect((await raw(api.port, "/api/health")).status).toBe(200);
    expect((await raw(api.port, "/login")).status).toBe(200);
    expect((await raw(api.port, "/api/login", { method: "POST", body: "{}" })).status).toBe(400);
    expect((await raw(api.port, "/assets/login-abc.js")).status).toBe(404);
  });

  test.each(Object.keys(socketMessages))(
    "the socket message %s cannot be sent without a token",
    async (type) => {
      api.service.calls.length = 0;
      const socket = connect(api.port, "127.0.0.1");
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      const payload = Buffer.from(JSON.stringify({ type, requestId: "r" }));
      socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
      let got = "";
      socket.on("error", () => {});
      for await (const chunk of socket) got += chunk;
      expect(got).toMatch(/^HTTP\/1\.1 401 /);
      expect(got).toContain('"code":"UNAUTHENTICATED"');
      expect(api.service.calls).toEqual([]);
    },
  );

  test("is checked before an unknown path is reported and before a body is read", async () => {
    expect((await raw(api.port, "/api/nope")).status).toBe(401);
    expect((await raw(api.port, "/api/nope", { headers: bearer })).status).toBe(404);
    const waiting = `POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n`;
    expect(await bytes(api.port, waiting)).toMatch(/^HTTP\/1\.1 401/);
  });

  test("is not granted by a token in the address", async () => {
    for (const query of [`token=${token}`, `access_token=${token}`, `authorization=Bearer%20${token}`]) {
      expect((await raw(api.port, `/api/sessions?${query}`)).status).toBe(401);
      expect(await upgrade(api.port, {}, `/ws?${query}`)).toBe(401);
    }
  });

  test("cannot be gained by spelling a public path differently", async () => {
    for (const path of [
      "/assets/login-/../../api/sessions",
      "/assets/login-x/../../api/sessions",
      "/login/../api/sessions",
      "//api/health",
      "/api/health/",
      "/api/health/../sessions",
      "/api/%68ealth",
      "/assets/login-..%2f..%2fapi%2fsessions",
      "/login%00",
    ]) {
      expect((await raw(api.port, path)).status, path).toBe(401);
    }
  });

  test("without credentials, a browser is redirected to the login page and a program gets an error", async () => {
    const html = { accept: "text/html,application/xhtml+xml" };
    for (const path of ["/", "/sessions/brave-otter", "/nope", "/docs"]) {
      const answer = await raw(api.port, path, { headers: html });
      expect([answer.status, answer.headers.location], path).toEqual([303, "/login"]);
    }
    for (const path of ["/api/sessions", "/api", "/trpc/x", "/mcp", "/metrics"]) {
      expect((await raw(api.port, path, { headers: html })).status, path).toBe(401);
    }
    expect((await raw(api.port, "/", { headers: html, method: "POST" })).status).toBe(401);
    expect((await raw(api.port, "/")).status).toBe(401);
  });

  test("a WebSocket anywhere but at /ws is not found, after credentials are checked", async () => {
    expect(await upgrade(api.port, {}, "/elsewhere")).toBe(401);
    expect(await upgrade(api.port, bearer, "/elsewhere")).toBe(404);
  });

  test.each([
    { name: "without a key", headers: { "Sec-WebSocket-Key": "" } },
    { name: "of an unsupported version", headers: { "Sec-WebSocket-Version": "12" } },
  ])("a handshake $name is refused with a regular error", async ({ headers }) => {
    const lines = Object.entries({
      Host: host,
      Authorization: bearer.authorization,
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await bytes(api.port, `GET /ws HTTP/1.1\r\n${lines.join("")}\r\n`, /}$/);
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\n\{"error":".*","code":"BAD_REQUEST"/);
  });

  test("a client that offers another protocol gets HTTP", async () => {
    const headers = `Host: ${host}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nAuthorization: ${bearer.authorization}`;
    expect(await bytes(api.port, `GET /api/sessions HTTP/1.1\r\n${headers}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 200/,
    );
  });

  test("with cookie and key the list and the streams are accessible", async () => {
    const id = await newSession(api);
    expect((await raw(api.port, "/api/sessions", { headers: browser.headers })).status).toBe(200);
    const stream = await bytes(
      api.port,
      `GET /api/sessions/${id}/events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\nX-Drover-Key: ${browser.key}\r\n\r\n`,
      /event: snapshot/,
    );
    expect(stream).toContain("text/event-stream");
  });
});
