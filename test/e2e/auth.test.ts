// No access without authorization: every route and every socket message, on a server as it is installed.
import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { routesFor } from "../../packages/server/src/api/routes/index.ts";
import { messagesFor } from "../../packages/server/src/api/ws/messages.ts";
import { operations } from "../../packages/server/src/operations/index.ts";
import { logInByToken, newLoginKey } from "../kit/login.ts";
import { openSocket } from "../kit/socket.ts";
import { type BareAnswer, bareAsk, upgradeAndSend } from "./bare.ts";
import { openRig, openSession, type Rig } from "./support.ts";

const routes = routesFor(operations);
const socketMessages = messagesFor(operations);

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

type Headers = Record<string, string>;
const ask = (route: string, headers: Headers = {}, body = "") =>
  bareAsk(rig.server.port, route, { headers, body });
const statusOf = async (route: string, headers?: Headers) => (await ask(route, headers)).status;
const upgrade = (headers: Headers, message = "{}") => upgradeAndSend(rig.server.port, headers, message);
const codeOf = ({ body }: BareAnswer): unknown => (JSON.parse(body) as { code?: unknown }).code;
const bearer = () => ({ authorization: `Bearer ${rig.server.token}` });
const origin = () => ({ origin: rig.server.url });

const open = ["GET /api/health", "GET /login", "POST /api/login"];
/** Every route with a sample path, from the table that the router is built from. */
const closed = routes
  .filter(({ method, path }) => !open.includes(`${method} ${path}`))
  .map(({ method, path }) => `${method} ${path.replace(/:\w+|\*/g, "x1")}`);

test("D8 every route except the open ones refuses unauthorized requests before it checks anything else", async () => {
  expect(closed.length).toBeGreaterThan(30);
  const { token, port } = rig.server;
  const strangers = [
    {},
    { authorization: "Bearer wrong" },
    { authorization: token },
    { authorization: `Basic ${btoa(`drover:${token}`)}` },
    { cookie: `drover_${port}=wrong` },
    { cookie: `drover_${port}=${token}` },
  ];
  for (const route of closed) {
    for (const headers of strangers) {
      const answer = await ask(route, headers, "{ not JSON");
      expect([answer.status, codeOf(answer)], route).toEqual([401, "UNAUTHENTICATED"]);
    }
  }
  const elsewhere = [
    "/api/none",
    "/api//sessions",
    "/api/sessions/../sessions",
    "/metrics/",
    "/%2e",
    "//login",
  ];
  for (const path of elsewhere) expect(await statusOf(`GET ${path}`), path).toBe(401);
  expect(await statusOf(`GET /api/sessions?token=${token}`), "a token in the URL is not accepted").toBe(401);
  for (const route of open) expect(await statusOf(route)).not.toBe(401);
});

test("D8 no socket message reaches the server without authorization: the upgrade itself is refused", async () => {
  const types = Object.keys(socketMessages);
  expect(types).toContain("session:approve");
  for (const type of types) {
    const answer = await upgrade({}, JSON.stringify({ type, requestId: "r1" }));
    expect([answer.status, codeOf(answer)], type).toEqual([401, "UNAUTHENTICATED"]);
  }
  const refused: [Headers, number][] = [
    [{ authorization: "Bearer wrong" }, 401],
    [{ ...bearer(), host: "evil.example" }, 421],
    [{ ...bearer(), origin: "http://evil.example" }, 403],
    [{ ...bearer(), origin: "null" }, 403],
  ];
  for (const [headers, status] of refused) expect((await upgrade(headers)).status).toBe(status);
});

test("D8 a wrong Host is refused before anything else is checked", async () => {
  const { port } = rig.server;
  const foreign = [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    "127.0.0.1:1",
    `127.0.0.1.evil:${port}`,
  ];
  for (const host of foreign) {
    for (const headers of [{}, bearer(), { origin: "http://evil.example" }]) {
      for (const route of [...open, "GET /nothing"])
        expect(await statusOf(route, { host, ...headers }), `${host} ${route}`).toBe(421);
    }
  }
  for (const host of [`localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`])
    expect(await statusOf("GET /api/health", { host })).toBe(200);
});

test("D8 a foreign Origin is refused even with valid credentials, on reads and open routes, too", async () => {
  const { port } = rig.server;
  for (const origin of ["http://evil.example", "null", `https://127.0.0.1:${port}`, "http://127.0.0.1:1"]) {
    for (const route of [...open, "GET /api/sessions"]) {
      const answer = await ask(route, { ...bearer(), origin });
      expect([answer.status, codeOf(answer)], `${origin} ${route}`).toEqual([403, "FOREIGN_ORIGIN"]);
    }
  }
  expect(await statusOf("GET /api/sessions", { ...bearer(), ...origin() })).toBe(200);
});

test("D8 the server listens on loopback only", async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of others) {
    const [failure] = await once(connect(rig.server.port, address), "error");
    expect((failure as NodeJS.ErrnoException).code).toBe("ECONNREFUSED");
  }
  expect(rig.server.url).toBe(`http://127.0.0.1:${rig.server.port}`);
});

const json = { "content-type": "application/json" };
const login = (secret: object, key = newLoginKey()) =>
  ask("POST /api/login", { ...json, ...origin() }, JSON.stringify({ ...secret, key }));
const cookieOf = ({ headers }: BareAnswer) => headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";

test("D8 a login link works once, and its cookie and key can read, and act only from our own page", async () => {
  const { port, login: link } = rig.server;
  const code = new URL(link).hash.slice(1);
  expect(link).toBe(`${rig.server.url}/login#${code}`);
  const key = newLoginKey();
  const answer = await login({ code }, key);
  expect(answer).toMatchObject({ status: 204, body: "" });
  expect(answer.headers["set-cookie"]?.[0]).toMatch(
    new RegExp(`^drover_${port}=[\\w-]{40,}; HttpOnly; SameSite=Strict; Path=/`),
  );
  expect((await login({ code })).status, "a code works only once").toBe(401);

  const loggedIn = { cookie: cookieOf(answer), "x-drover-key": key };
  const { cookie } = loggedIn;
  await using session = await openSession(rig, "demo");
  expect((await ask("GET /api/sessions", loggedIn)).body).toContain(session.id);
  expect(await statusOf("GET /", { cookie, accept: "text/html" })).toBe(200);
  const post = async (headers: Headers) => {
    const body = JSON.stringify({ content: "say by cookie" });
    return (await ask(`POST ${session.path("/messages")}`, { ...loggedIn, ...json, ...headers }, body))
      .status;
  };
  const evil = { origin: "http://evil.example" };
  for (const headers of [{}, { origin: "null" }, evil]) expect(await post(headers)).toBe(403);
  expect(await post(origin())).toBe(202);
  for (const headers of [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }, evil]) {
    const reading = await ask("GET /api/sessions", { ...loggedIn, ...headers });
    expect([reading.status, codeOf(reading)]).toEqual([403, "FOREIGN_ORIGIN"]);
  }
  expect(await statusOf("GET /api/sessions", { ...loggedIn, "sec-fetch-site": "same-origin" })).toBe(200);
  expect((await upgrade({ cookie })).status, "a socket by cookie needs our origin").toBe(403);
});

test("D8 a cookie survives a server restart and ends with its logout, which closes its connections", async () => {
  const { headers, protocols } = await logInByToken(rig.server);
  const { port } = rig.server;
  await rig.server.kill9();
  await rig.start({}, ["--port", String(port)]);
  expect(await statusOf("GET /api/sessions", headers)).toBe(200);

  const { cookie } = headers;
  const page = { url: rig.server.url, token: "" };
  await using socket = await openSocket(page, { cookie, ...origin() }, protocols);
  expect(await socket.request("session:list")).toMatchObject({ type: "session:list" });
  expect(await statusOf("POST /api/logout", { ...headers, ...origin() })).toBe(204);
  expect(await socket.closed).toMatchObject({ code: 1008 });
  expect(await statusOf("GET /api/sessions", headers)).toBe(401);
});

test("D8 a browser that is not logged in is redirected to the login, and a program gets a 401", async () => {
  const page = await ask("GET /sessions/brave-otter", { accept: "text/html,*/*" });
  expect([page.status, page.headers.location]).toEqual([303, "/login"]);
  for (const path of ["/api/sessions", "/trpc", "/mcp", "/metrics"])
    expect(await statusOf(`GET ${path}`, { accept: "text/html" }), path).toBe(401);
});

test("D8 logins are limited after five failures a minute, the right token always works, and a wrong bearer token is always a 401", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 6; n++) statuses.push((await login({ code: `wrong-${n}` })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await login({ token: rig.server.token })).status).toBe(204);
  for (let n = 0; n < 8; n++)
    expect(await statusOf("GET /api/sessions", { authorization: "Bearer wrong" })).toBe(401);
  expect(await statusOf("GET /api/sessions", bearer())).toBe(200);
});
