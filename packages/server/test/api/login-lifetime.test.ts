import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import {
  type BrowserLogin,
  type LoginRows,
  login,
  loginStore,
  newSession,
  raw,
  startApi,
} from "./harness.ts";
import { dayMs, list, statusOf } from "./login-list.ts";

test("H6 a login expires after thirty days without use, and use extends it", async () => {
  await using api = await startApi();
  const [used, unused] = [await login(api), await login(api)];
  api.nowMs += 20 * dayMs;
  expect(await statusOf(api, used.headers)).toBe(200);
  api.nowMs += 10 * dayMs + 60_000;
  expect(await statusOf(api, unused.headers)).toBe(401);
  expect(await raw(api.port, "/", { headers: { cookie: unused.cookie } })).toMatchObject({ status: 401 });
  expect(await list(api)).toHaveLength(1);
  expect(await statusOf(api, used.headers)).toBe(200);
});

test("H6 the cookie alone does not keep a login alive", async () => {
  await using api = await startApi();
  const { cookie, headers } = await login(api);
  for (let days = 0; days < 40; days += 10) {
    await raw(api.port, "/", { headers: { cookie } });
    await raw(api.port, "/api/sessions", { headers: { cookie } });
    api.nowMs += 10 * dayMs;
  }
  expect(await statusOf(api, headers)).toBe(401);
});

test("H6 an open stream counts as use of its login; if the login expires anyway, the stream is closed", async () => {
  await using api = await startApi({ streams: { heartbeat: 10 } });
  const session = await newSession(api);
  const { headers } = await login(api);
  const stream = await fetch(`${api.url}/api/sessions/${session}/events`, { headers });
  for (let days = 0; days < 60; days += 20) {
    api.nowMs += 20 * dayMs;
    const now = new Date(api.nowMs).toISOString();
    await until(() => [...api.logins.values()].some(({ lastUsedAt }) => lastUsedAt === now));
  }
  expect(await statusOf(api, headers)).toBe(200);
  // As after a month in which the machine slept.
  api.nowMs += 31 * dayMs;
  expect(await stream.text()).toContain("event: snapshot");
  expect(await statusOf(api, headers)).toBe(401);
});

test("H6 use is stored at most once an hour, and the cookie is then renewed for thirty days", async () => {
  await using api = await startApi();
  const { headers, cookie } = await login(api);
  const stored = () => [...api.logins.values()][0]?.lastUsedAt;
  const ask = () => raw(api.port, "/api/sessions", { headers });
  const [createdAt] = [stored()];
  api.nowMs += 50 * 60_000;
  expect((await ask()).headers["set-cookie"]).toBeUndefined();
  expect(stored()).toBe(createdAt);
  api.nowMs += 11 * 60_000;
  const renewed = String((await ask()).headers["set-cookie"]);
  expect(renewed).toBe(`${cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${30 * 24 * 3600}`);
  expect(stored()).toBe(new Date(api.nowMs).toISOString());
  expect((await ask()).headers["set-cookie"]).toBeUndefined();
  // A clock that was set back must not extend a login.
  api.nowMs -= 2 * dayMs;
  expect((await ask()).status).toBe(200);
  expect(stored()).toBe(new Date(api.nowMs).toISOString());
});

test("H6 logins end with the token: a server with another token accepts none of them", async () => {
  const logins: LoginRows = new Map();
  let before: BrowserLogin;
  {
    await using api = await startApi({ logins });
    before = await login(api);
  }
  await using api = await startApi({ logins, auth: { token: "another-token", ...loginStore(logins) } });
  const cookie = before.cookie.replace(/^drover_\d+/, `drover_${api.port}`);
  expect(await statusOf(api, { ...before.headers, cookie })).toBe(401);
  expect(logins.size).toBe(0);
});

test("H6 a hundred logins are kept; one more ends the least recently used", async () => {
  await using api = await startApi();
  const browsers: BrowserLogin[] = [];
  for (let n = 0; n < 100; n++) {
    api.nowMs += 60_000;
    browsers.push(await login(api));
  }
  api.nowMs += 2 * 3_600_000;
  const [first, second, third] = browsers as [BrowserLogin, BrowserLogin, BrowserLogin];
  expect(await statusOf(api, first.headers)).toBe(200);
  await login(api);
  expect(await list(api)).toHaveLength(100);
  expect(api.logins.size).toBe(100);
  expect(await statusOf(api, second.headers)).toBe(401);
  for (const { headers } of [first, third]) expect(await statusOf(api, headers)).toBe(200);
});
