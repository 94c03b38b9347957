import { createHash } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { login, newSession, raw, startApi, type TestApi, token } from "./harness.ts";

type Post = { body: unknown; headers?: Record<string, string> };
const post = (api: TestApi, path: string, { body, headers = {} }: Post) =>
  raw(api.port, path, { method: "POST", body: JSON.stringify(body), headers });

test("a code logs one browser in, once", async () => {
  await using api = await startApi();
  const code = api.api.mintLoginCode();
  const first = await post(api, "/api/login", { body: { code } });
  expect(first.status).toBe(204);
  const cookie = String(first.headers["set-cookie"]);
  expect(cookie).toMatch(new RegExp(`^drover_${api.port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/`));
  const value = /=([\w-]+);/.exec(cookie)?.[1] ?? "";
  expect([...api.logins]).toEqual([createHash("sha256").update(value).digest("hex")]);
  const second = await post(api, "/api/login", { body: { code } });
  expect(second).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
  expect(second.headers["set-cookie"]).toBeUndefined();
});

test("two requests with one code at the same time open one login", async () => {
  await using api = await startApi();
  const code = api.api.mintLoginCode();
  const answers = await Promise.all([1, 2, 3, 4].map(() => post(api, "/api/login", { body: { code } })));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
});

test("a code is good for ten minutes", async () => {
  await using api = await startApi();
  const codes = [api.api.mintLoginCode(), api.api.mintLoginCode()];
  api.clockMs = 10 * 60_000 - 1_000;
  expect((await post(api, "/api/login", { body: { code: codes[0] } })).status).toBe(204);
  api.clockMs = 10 * 60_000 + 1_000;
  expect((await post(api, "/api/login", { body: { code: codes[1] } })).status).toBe(401);
});

test("the token logs in too, and whoever has it can make a link for a browser", async () => {
  await using api = await startApi();
  expect((await post(api, "/api/login", { body: { token } })).status).toBe(204);
  const made = await post(api, "/api/login/codes", {
    body: {},
    headers: { authorization: `Bearer ${token}` },
  });
  expect(made.status).toBe(201);
  expect(made.json["login"]).toBe(`${api.url}/login#${made.json["code"]}`);
  expect((await post(api, "/api/login", { body: { code: made.json["code"] } })).status).toBe(204);
});

test("a login outlives the server", async () => {
  const logins = new Set<string>();
  let cookie = "";
  {
    await using api = await startApi({ logins });
    cookie = (await login(api)).replace(/^drover_\d+/, "");
  }
  await using api = await startApi({ logins });
  const headers = { cookie: `other=1; drover_${api.port}${cookie}` };
  expect((await raw(api.port, "/api/sessions", { headers })).status).toBe(200);
});

test("health tells a browser that is logged in that it is, and nobody else", async () => {
  await using api = await startApi();
  const cookie = await login(api);
  expect((await raw(api.port, "/api/health", { headers: { cookie } })).json).toMatchObject({
    loggedIn: true,
  });
  const strangers = [{}, { cookie: `drover_${api.port}=forged` }];
  for (const headers of strangers) {
    expect((await raw(api.port, "/api/health", { headers })).json).not.toHaveProperty("loggedIn");
  }
});

test("a cookie of our name that another program set does not shut a browser out", async () => {
  await using api = await startApi();
  const cookie = `drover_${api.port}=forged; ${await login(api)}`;
  expect((await raw(api.port, "/api/sessions", { headers: { cookie } })).status).toBe(200);
});

test("five wrong logins within a minute close the door for the rest of it", async () => {
  await using api = await startApi();
  for (let i = 0; i < 5; i++)
    expect((await post(api, "/api/login", { body: { code: `wrong-${i}` } })).status).toBe(401);
  const refused = await post(api, "/api/login", { body: { token } });
  expect(refused).toMatchObject({ status: 429, json: { code: "TOO_MANY_ATTEMPTS" } });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(50);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
  api.clockMs = 61_000;
  expect((await post(api, "/api/login", { body: { token } })).status).toBe(204);
});

test("only logins count as attempts: a wrong bearer is refused for ever, but never locks anyone out", async () => {
  await using api = await startApi();
  for (let i = 0; i < 10; i++) {
    expect((await raw(api.port, "/api/sessions", { headers: { authorization: `Bearer ${i}` } })).status).toBe(
      401,
    );
    expect((await post(api, "/api/login", { body: { nonsense: i } })).status).toBe(400);
  }
  expect((await post(api, "/api/login", { body: { token } })).status).toBe(204);
});

test("logout ends the login and everything it has open, and nothing else", async () => {
  await using api = await startApi();
  const session = await newSession(api);
  const origin = `http://127.0.0.1:${api.port}`;
  const [cookie, other] = [await login(api), await login(api)];
  const sockets = await Promise.all([cookie, other].map((value) => openBy(api, value)));
  const streams = await Promise.all(
    [cookie, other].map((value) =>
      fetch(`${api.url}/api/sessions/${session}/events`, { headers: { cookie: value } }),
    ),
  );
  const out = await post(api, "/api/logout", { body: {}, headers: { cookie, origin } });
  expect(out.status).toBe(204);
  expect(String(out.headers["set-cookie"])).toContain("Max-Age=0");
  expect(await sockets[0]?.closed).toBe(1008);
  expect(await streams[0]?.text()).toContain("event: snapshot");
  expect((await raw(api.port, "/api/sessions", { headers: { cookie } })).status).toBe(401);

  sockets[1]?.ws.send(JSON.stringify({ type: "project:list" }));
  expect(String((await once(sockets[1]?.ws as WebSocket, "message"))[0])).toContain("project:list");
  expect((await raw(api.port, "/api/sessions", { headers: { cookie: other } })).status).toBe(200);
  sockets[1]?.ws.close();
  await sockets[1]?.closed;
  await streams[1]?.body?.cancel();
});

test("a socket that is let in while its login ends is closed, too", async () => {
  const logins = new Set<string>();
  const held = {
    isAsked: Promise.withResolvers<void>(),
    go: Promise.withResolvers<void>(),
    isHolding: false,
  };
  await using api = await startApi({
    auth: {
      token,
      addLogin: async (hash) => void logins.add(hash),
      hasLogin: async (hash) => {
        const isGood = logins.has(hash);
        if (!held.isHolding) return isGood;
        held.isHolding = false;
        held.isAsked.resolve();
        await held.go.promise;
        return isGood;
      },
      removeLogin: async (hash) => void logins.delete(hash),
    },
  });
  const cookie = await login(api);
  held.isHolding = true;
  const opening = openBy(api, cookie);
  await held.isAsked.promise;
  const headers = { cookie, origin: `http://127.0.0.1:${api.port}` };
  expect((await post(api, "/api/logout", { body: {}, headers })).status).toBe(204);
  held.go.resolve();
  expect(await (await opening).closed).toBe(1008);
});

test("logging in again with the same Idempotency-Key is a login again, and strangers store nothing", async () => {
  await using api = await startApi();
  const headers = { "idempotency-key": "k1" };
  for (const _ of [1, 2]) {
    const answer = await post(api, "/api/login", { body: { token }, headers });
    expect([answer.status, answer.headers["set-cookie"]?.length]).toEqual([204, 1]);
  }
  expect((await post(api, "/api/login", { body: { token: "wrong" }, headers })).status).toBe(401);
  expect(api.service.receipts.size).toBe(0);
});

/** A socket that comes by its cookie alone, as a browser's does. */
async function openBy(api: TestApi, cookie: string): Promise<{ ws: WebSocket; closed: Promise<number> }> {
  const origin = `http://127.0.0.1:${api.port}`;
  const ws = new WebSocket(`ws://127.0.0.1:${api.port}/ws`, { headers: { cookie, origin } });
  const closed = once(ws, "close").then(([code]) => Number(code));
  await once(ws, "open");
  return { ws, closed };
}
