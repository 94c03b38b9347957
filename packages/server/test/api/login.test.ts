import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../../../test/kit/until.ts";
import {
  type BrowserLogin,
  type LoginRows,
  login,
  newKey,
  newSession,
  raw,
  startApi,
  type TestApi,
  token,
} from "./harness.ts";

type Post = { body: unknown; headers?: Record<string, string> };
const post = (api: TestApi, path: string, { body, headers = {} }: Post) =>
  raw(api.port, path, { method: "POST", body: JSON.stringify(body), headers });

test("a code logs one browser in, once", async () => {
  await using api = await startApi();
  const code = api.api.mintLoginCode();
  const key = newKey();
  const first = await post(api, "/api/login", { body: { code, key } });
  expect(first.status).toBe(204);
  const cookie = String(first.headers["set-cookie"]);
  expect(cookie).toMatch(new RegExp(`^drover_${api.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/`));
  const value = /=([\w-]+);/.exec(cookie)?.[1] ?? "";
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  expect([...api.logins.values()]).toMatchObject([{ cookieHash: sha256(value), keyHash: sha256(key) }]);
  const second = await post(api, "/api/login", { body: { code, key } });
  expect(second).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
  expect(second.headers["set-cookie"]).toBeUndefined();
});

test("two simultaneous requests with one code open one login", async () => {
  await using api = await startApi();
  const code = api.api.mintLoginCode();
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => post(api, "/api/login", { body: { code, key: newKey() } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
});

test("a code is valid for ten minutes", async () => {
  await using api = await startApi();
  const codes = [api.api.mintLoginCode(), api.api.mintLoginCode()];
  api.clockMs = 10 * 60_000 - 1_000;
  expect((await post(api, "/api/login", { body: { code: codes[0], key: newKey() } })).status).toBe(204);
  api.clockMs = 10 * 60_000 + 1_000;
  expect((await post(api, "/api/login", { body: { code: codes[1], key: newKey() } })).status).toBe(401);
});

test("the token logs in too, and can create a login link for a browser", async () => {
  await using api = await startApi();
  expect((await post(api, "/api/login", { body: { token, key: newKey() } })).status).toBe(204);
  const made = await post(api, "/api/login/codes", {
    body: {},
    headers: { authorization: `Bearer ${token}` },
  });
  expect(made.status).toBe(201);
  expect(made.json["login"]).toBe(`${api.url}/login#${made.json["code"]}`);
  expect((await post(api, "/api/login", { body: { code: made.json["code"], key: newKey() } })).status).toBe(
    204,
  );
});

test("a login survives a server restart", async () => {
  const logins: LoginRows = new Map();
  let before: BrowserLogin;
  {
    await using api = await startApi({ logins });
    before = await login(api);
  }
  await using api = await startApi({ logins });
  const cookie = `other=1; ${before.cookie.replace(/^drover_\d+/, `drover_${api.port}`)}`;
  const headers = { ...before.headers, cookie };
  expect((await raw(api.port, "/api/sessions", { headers })).status).toBe(200);
});

test("health reports the login to a logged-in browser, and nothing of it to others", async () => {
  await using api = await startApi();
  const { headers, cookie, key } = await login(api);
  expect((await raw(api.port, "/api/health", { headers })).json).toMatchObject({ loggedIn: true });
  const strangers = [{}, { cookie }, { "x-drover-key": key }, { ...headers, "x-drover-key": newKey() }];
  for (const stranger of strangers) {
    expect((await raw(api.port, "/api/health", { headers: stranger })).json).not.toHaveProperty("loggedIn");
  }
});

test("H6 a login without a key, or with a short or malformed one, is refused and uses up no code", async () => {
  await using api = await startApi();
  const code = api.api.mintLoginCode();
  for (const key of [undefined, "", "short", "x".repeat(42), "x".repeat(129), `${"x".repeat(43)} `, 7]) {
    const answer = await post(api, "/api/login", { body: { code, key } });
    expect(answer).toMatchObject({ status: 400, json: { code: "BAD_REQUEST" } });
    expect(JSON.stringify(answer.json["issues"])).toContain("key");
  }
  expect((await post(api, "/api/login", { body: { code, key: newKey() } })).status).toBe(204);
});

test("H6 after five wrong logins within a minute more are refused with 429, while the right code and token still work", async () => {
  await using api = await startApi();
  const attempt = (secret: object) => post(api, "/api/login", { body: { ...secret, key: newKey() } });
  for (let i = 0; i < 5; i++) expect((await attempt({ code: `wrong-${i}` })).status).toBe(401);
  const refused = await attempt({ token: "wrong" });
  expect(refused).toMatchObject({ status: 429, json: { code: "TOO_MANY_ATTEMPTS" } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
  expect((await attempt({ token })).status).toBe(204);
  expect((await attempt({ code: api.api.mintLoginCode() })).status).toBe(204);
  expect((await attempt({ code: "still wrong" })).status).toBe(429);
  api.clockMs = 61_000;
  expect((await attempt({ code: "wrong again" })).status).toBe(401);
});

test("H6 the owner's code and token work while others flood the login with guesses", async () => {
  await using api = await startApi();
  const attempt = (secret: object) => post(api, "/api/login", { body: { ...secret, key: newKey() } });
  let isFlooding = true;
  let guesses = 0;
  const flood = Array.from({ length: 20 }, async () => {
    while (isFlooding) expect([401, 429]).toContain((await attempt({ code: `junk-${guesses++}` })).status);
  });
  await until(() => guesses > 100, { what: "the flood runs" });
  for (let i = 0; i < 10; i++) {
    expect((await attempt({ code: api.api.mintLoginCode() })).status).toBe(204);
    expect((await attempt({ token })).status).toBe(204);
  }
  isFlooding = false;
  await Promise.all(flood);
});

test("only logins count as attempts: a wrong bearer is always refused but never locks anyone out", async () => {
  await using api = await startApi();
  for (let i = 0; i < 10; i++) {
    expect((await raw(api.port, "/api/sessions", { headers: { authorization: `Bearer ${i}` } })).status).toBe(
      401,
    );
    expect((await post(api, "/api/login", { body: { nonsense: i } })).status).toBe(400);
  }
  expect((await post(api, "/api/login", { body: { token, key: newKey() } })).status).toBe(204);
});

test("logout ends the login and everything it has open, and nothing else", async () => {
  // Otherwise the heartbeat would notice it later.
  await using api = await startApi({ streams: { heartbeat: 3_600_000 } });
  const session = await newSession(api);
  const origin = `http://127.0.0.1:${api.port}`;
  const [own, other] = [await login(api), await login(api)];
  const sockets = await Promise.all([own, other].map((browser) => openBy(api, browser)));
  const streams = await Promise.all(
    [own, other].map(({ headers }) => fetch(`${api.url}/api/sessions/${session}/events`, { headers })),
  );
  const out = await post(api, "/api/logout", { body: {}, headers: { ...own.headers, origin } });
  expect(out.status).toBe(204);
  expect(String(out.headers["set-cookie"])).toContain("Max-Age=0");
  expect(await sockets[0]?.closed).toBe(1008);
  expect(await streams[0]?.text()).toContain("event: snapshot");
  expect((await raw(api.port, "/api/sessions", { headers: own.headers })).status).toBe(401);

  sockets[1]?.ws.send(JSON.stringify({ type: "project:list" }));
  expect(String((await once(sockets[1]?.ws as WebSocket, "message"))[0])).toContain("project:list");
  expect((await raw(api.port, "/api/sessions", { headers: other.headers })).status).toBe(200);
  sockets[1]?.ws.close();
  await sockets[1]?.closed;
  await streams[1]?.body?.cancel();
});

test("a stream that is admitted while its login ends is closed, too", async () => {
  await using api = await startApi();
  const session = await newSession(api);
  const { headers } = await login(api);
  const [isAsked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { snapshot } = api.service.sessions;
  Object.assign(api.service.sessions, {
    snapshot: async (id: string) => {
      isAsked.resolve();
      await go.promise;
      return snapshot(id);
    },
  });
  const opening = fetch(`${api.url}/api/sessions/${session}/events`, { headers });
  await isAsked.promise;
  const origin = `http://127.0.0.1:${api.port}`;
  expect((await post(api, "/api/logout", { body: {}, headers: { ...headers, origin } })).status).toBe(204);
  go.resolve();
  expect(await (await opening).text()).toContain("event: snapshot");
});

test("logging in again with the same Idempotency-Key creates a new login, and unauthenticated requests store nothing", async () => {
  await using api = await startApi();
  const headers = { "idempotency-key": "k1" };
  for (const _ of [1, 2]) {
    const answer = await post(api, "/api/login", { body: { token, key: newKey() }, headers });
    expect([answer.status, answer.headers["set-cookie"]?.length]).toEqual([204, 1]);
  }
  expect((await post(api, "/api/login", { body: { token: "wrong", key: newKey() }, headers })).status).toBe(
    401,
  );
  expect(api.service.receipts.size).toBe(0);
});

test("H6 a login code leaves no receipt: the same Idempotency-Key gets another code", async () => {
  await using api = await startApi();
  const headers = { authorization: `Bearer ${token}`, "idempotency-key": "k1" };
  const [first, second] = [
    await post(api, "/api/login/codes", { body: {}, headers }),
    await post(api, "/api/login/codes", { body: {}, headers }),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(first.json["code"]).not.toBe(second.json["code"]);
  expect(api.service.receipts.size).toBe(0);
});

/** A socket of the page, with its cookie, origin and key. */
async function openBy(
  api: TestApi,
  { cookie, key }: BrowserLogin,
): Promise<{ ws: WebSocket; closed: Promise<number> }> {
  const origin = `http://127.0.0.1:${api.port}`;
  const protocols = ["drover", `key.${key}`];
  const ws = new WebSocket(`ws://127.0.0.1:${api.port}/ws`, protocols, { headers: { cookie, origin } });
  const closed = once(ws, "close").then(([code]) => Number(code));
  await once(ws, "open");
  return { ws, closed };
}
