import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { browserLabel } from "../../src/api/gate/browser-label.ts";
import {
  type BrowserLogin,
  bearer,
  login,
  newKey,
  newSession,
  raw,
  startApi,
  type TestApi,
  token,
} from "./harness.ts";
import { dayMs, type Listed, list, statusOf } from "./login-list.ts";

const fromPage = ({ port }: TestApi, { headers }: BrowserLogin) => ({
  ...headers,
  origin: `http://127.0.0.1:${port}`,
});
const revoke = (api: TestApi, id: string, headers: Record<string, string> = bearer) =>
  raw(api.port, `/api/logins/${id}`, { method: "DELETE", headers });

test("H6 logins are listed with browser and times, the caller's own marked; nothing in the list grants access", async () => {
  await using api = await startApi();
  const own = await login(api);
  api.nowMs += dayMs;
  const key = newKey();
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const headers = { "user-agent": firefox };
  const made = await raw(api.port, "/api/login", {
    method: "POST",
    headers,
    body: JSON.stringify({ token, key }),
  });
  expect(made.status).toBe(204);
  const logins = await list(api, own.headers);
  expect(logins).toMatchObject([
    { label: "Firefox on Linux", createdAt: "2026-01-02T00:00:00.000Z" },
    { label: "Unknown browser", createdAt: "2026-01-01T00:00:00.000Z", current: true },
  ]);
  expect(logins[0]).not.toHaveProperty("current");
  expect((await list(api)).some(({ current }) => current)).toBe(false);
  const [first] = api.logins.values();
  for (const { id } of logins) expect(id).toMatch(/^lgn_[0-9a-z]{26}$/);
  const listed = JSON.stringify(logins);
  for (const secret of [
    own.cookie.split("=")[1],
    own.key,
    first?.cookieHash,
    first?.keyHash,
    first?.tokenHash,
  ]) {
    expect(listed).not.toContain(String(secret).slice(0, 8));
  }
});

test("H6 a revoked login ends at once, with its sockets and streams, and no other login does", async () => {
  // Otherwise the heartbeat would notice it later.
  await using api = await startApi({ streams: { heartbeat: 3_600_000 } });
  const session = await newSession(api);
  const [gone, kept] = [await login(api), await login(api)];
  const open = async ({ cookie, key }: BrowserLogin) => {
    const headers = { cookie, origin: `http://127.0.0.1:${api.port}` };
    const ws = new WebSocket(`ws://127.0.0.1:${api.port}/ws`, ["drover", `key.${key}`], { headers });
    await once(ws, "open");
    return ws;
  };
  const [socket, other] = [await open(gone), await open(kept)];
  const closed = once(socket, "close");
  const stream = await fetch(`${api.url}/api/sessions/${session}/events`, { headers: gone.headers });
  const { id } = (await list(api, gone.headers)).find(({ current }) => current) as Listed;
  expect((await revoke(api, id)).json).toEqual({ deleted: true });
  expect((await closed)[0]).toBe(1008);
  expect(await stream.text()).toContain("event: snapshot");
  expect(await statusOf(api, gone.headers)).toBe(401);
  expect(await statusOf(api, kept.headers)).toBe(200);
  expect(other.readyState).toBe(WebSocket.OPEN);
  expect(api.logins.has(id)).toBe(false);
  other.terminate();
});

test("H6 a request whose body arrives after its login was revoked is refused", async () => {
  await using api = await startApi();
  const gone = await login(api);
  const socket = connect(api.port, "127.0.0.1");
  const lines = [
    "POST /api/login/codes HTTP/1.1",
    ...Object.entries(fromPage(api, gone)).map(([name, value]) => `${name}: ${value}`),
    ...[`Host: 127.0.0.1:${api.port}`, "Content-Length: 2", "Expect: 100-continue", "", "{"],
  ];
  socket.write(lines.join("\r\n"));
  // The server requests the body once it has admitted the request.
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 100 /);
  const [{ id } = { id: "" }] = await list(api, gone.headers);
  await revoke(api, id);
  socket.write("}");
  expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 401 [\s\S]*UNAUTHENTICATED/);
  socket.destroy();
});

test("H6 all other logins are revoked together, along with unused codes", async () => {
  await using api = await startApi();
  const [own, ...others] = [await login(api), await login(api), await login(api)];
  const code = api.api.mintLoginCode();
  const all = { method: "DELETE", headers: fromPage(api, own) };
  expect((await raw(api.port, "/api/logins", all)).json).toEqual({ revoked: 2 });
  expect(await statusOf(api, own.headers)).toBe(200);
  for (const { headers } of others) expect(await statusOf(api, headers)).toBe(401);
  const late = { method: "POST", body: JSON.stringify({ code, key: newKey() }) };
  expect((await raw(api.port, "/api/login", late)).status).toBe(401);
  const everything = await raw(api.port, "/api/logins", { method: "DELETE", headers: bearer });
  expect(everything.json).toEqual({ revoked: 1 });
  expect(await statusOf(api, own.headers)).toBe(401);
});

test("H6 revoking an unknown login is not found, and an agent's process can neither list nor revoke", async () => {
  await using api = await startApi();
  await login(api);
  for (const id of [`lgn_${"0".repeat(26)}`, "nonsense"]) {
    expect(await revoke(api, id)).toMatchObject({
      status: 404,
      json: { code: "NOT_FOUND", what: "login", error: expect.stringContaining("GET /api/logins") },
    });
  }
  const [{ id } = { id: "" }] = await list(api);
  api.peer = `ses_${"0".repeat(26)}`;
  const refused = { status: 403, json: { code: "AGENT_CANNOT_ANSWER" } };
  expect(await revoke(api, id)).toMatchObject(refused);
  expect(await raw(api.port, "/api/logins", { method: "DELETE", headers: bearer })).toMatchObject(refused);
  expect(await raw(api.port, "/api/logins", { headers: bearer })).toMatchObject(refused);
  api.peer = undefined;
  expect(await list(api)).toHaveLength(1);
});

test("H6 junk cookies with our name do not hide the real one, whatever their number and position", async () => {
  await using api = await startApi();
  const { cookie, key } = await login(api);
  const junk = (n: number) =>
    Array.from({ length: n }, (_, i) => `drover_${api.port}=${i % 2 ? newKey() : `junk-${i}`}`);
  const other = (await login(api)).cookie;
  const full = junk(1_000).join("; ").slice(0, 15_000);
  const headers = [
    [...junk(50), cookie],
    [cookie, ...junk(50)],
    [...junk(30), other, ...junk(30), cookie],
    // As much as a request's head can hold.
    [full, cookie],
  ].map((cookies) => ({ cookie: cookies.join("; "), "x-drover-key": key }));
  expect(headers[3]?.cookie.length).toBeGreaterThan(15_000);
  for (const each of headers) expect(await statusOf(api, each)).toBe(200);
});

test("H6 logging in clears cookies with our name that were set below our path", async () => {
  await using api = await startApi();
  const again = async (headers: Record<string, string>) => {
    const body = JSON.stringify({ token, key: newKey() });
    return (await raw(api.port, "/api/login", { method: "POST", headers, body })).headers["set-cookie"] ?? [];
  };
  expect(await again({})).toHaveLength(1);
  const [own, ...cleared] = await again({ cookie: `drover_${api.port}=junk` });
  expect(own).toMatch(/=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=2592000$/);
  for (const path of ["/api", "/api/login"]) {
    expect(cleared).toContain(`drover_${api.port}=; HttpOnly; SameSite=Strict; Path=${path}; Max-Age=0`);
  }
});

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
    "Chrome on Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15", "Safari on macOS"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0", "Firefox on Android"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["\u009b31mred", "Unknown browser"],
  [undefined, "Unknown browser"],
])("the browser %s is called %s", (userAgent, label) => {
  expect(browserLabel(userAgent)).toBe(label);
});
