import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BrowserLogin,
  bearer,
  bytes,
  login,
  offering,
  raw,
  startApi,
  type TestApi,
  upgrade,
} from "./harness.ts";

let api: TestApi;
let own: { host: string; origin: string };
let browser: BrowserLogin;
let cookie: string;

beforeAll(async () => {
  api = await startApi({ server: { hosts: ["drover.example.com", "proxy.example.com:8443"] } });
  own = { host: `127.0.0.1:${api.port}`, origin: `http://127.0.0.1:${api.port}` };
  browser = await login(api);
  cookie = browser.cookie;
});
afterAll(() => api.api.close());

describe("D8 the Host of a request", () => {
  test.each([
    { name: "127.0.0.1 with our port", host: () => `127.0.0.1:${api.port}`, status: 200 },
    { name: "localhost with our port", host: () => `localhost:${api.port}`, status: 200 },
    { name: "LOCALHOST with our port", host: () => `LOCALHOST:${api.port}`, status: 200 },
    { name: "[::1] with our port", host: () => `[::1]:${api.port}`, status: 200 },
    { name: "a configured name", host: () => "drover.example.com", status: 200 },
    { name: "a configured name with our port", host: () => `drover.example.com:${api.port}`, status: 200 },
    { name: "a configured name with its own port", host: () => "proxy.example.com:8443", status: 200 },
    { name: "a configured name without its port", host: () => "proxy.example.com", status: 421 },
    {
      name: "a name that was rebound to our address",
      host: () => `evil.example.com:${api.port}`,
      status: 421,
    },
    { name: "127.0.0.1 with another port", host: () => "127.0.0.1:1", status: 421 },
    { name: "127.0.0.1 without a port", host: () => "127.0.0.1", status: 421 },
    {
      name: "a name that starts like ours",
      host: () => `localhost:${api.port}.evil.example.com`,
      status: 421,
    },
    { name: "an empty one", host: () => "", status: 421 },
  ])("$name is answered with $status", async ({ host, status }) => {
    const answer = await bytes(api.port, `GET /api/health HTTP/1.1\r\nHost: ${host()}\r\n\r\n`, /}$/);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    if (status === 421) expect(answer).toContain('"code":"WRONG_HOST"');
    expect(await upgrade(api.port, { Host: host(), ...bearer })).toBe(status === 200 ? 101 : 421);
  });

  test("is checked before everything else, including on unknown paths and without credentials", async () => {
    const headers = { host: "evil.example.com", origin: "http://evil.example.com" };
    expect((await raw(api.port, "/nope", { headers })).status).toBe(421);
    expect((await raw(api.port, "/api/login", { method: "POST", headers, body: "{}" })).status).toBe(421);
  });

  test("may be given once, and not in the request target", async () => {
    const twice = await bytes(
      api.port,
      `GET /api/health HTTP/1.1\r\nHost: ${own.host}\r\nHost: evil\r\n\r\n`,
    );
    expect(twice).toMatch(/^HTTP\/1\.1 4(00|21)/);
    const target = await bytes(
      api.port,
      `GET http://evil.example.com/api/health HTTP/1.1\r\nHost: ${own.host}\r\n\r\n`,
    );
    expect(target).toMatch(/^HTTP\/1\.1 421/);
    for (const version of ["1.0", "1.1"]) {
      const unnamed = await bytes(api.port, `GET /api/health HTTP/${version}\r\n\r\n`, /}$/);
      expect(unnamed).toMatch(/^HTTP\/1\.1 421 [\s\S]*"WRONG_HOST"/);
    }
  });

  test("is checked for CONNECT and for Expect requests too, like everything after it", async () => {
    const ask = (method: string, target: string, headers: string) =>
      bytes(api.port, `${method} ${target} HTTP/1.1\r\n${headers}\r\n`, /}$/);
    expect(await ask("CONNECT", "example.com:80", "Host: example.com:80\r\n")).toMatch(/^HTTP\/1\.1 421 /);
    expect(await ask("CONNECT", own.host, `Host: ${own.host}\r\n`)).toMatch(/^HTTP\/1\.1 401 /);
    const entitled = `Host: ${own.host}\r\nAuthorization: ${bearer.authorization}\r\n`;
    expect(await ask("CONNECT", own.host, entitled)).toMatch(/^HTTP\/1\.1 404 [\s\S]*"NOT_FOUND"/);
    const expecting = "Expect: something\r\nContent-Length: 0\r\n";
    expect(await ask("POST", "/api/sessions", `Host: evil\r\n${expecting}`)).toMatch(/^HTTP\/1\.1 421 /);
    expect(await ask("POST", "/api/sessions", entitled + expecting)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe("D8 the Origin of a request", () => {
  const foreign = "http://evil.example.com";
  test.each([
    { name: "bearer, no origin", headers: () => bearer, status: 200 },
    { name: "bearer, no origin", method: "POST", headers: () => bearer, status: 400 },
    { name: "bearer, our origin", headers: () => ({ ...bearer, origin: own.origin }), status: 200 },
    { name: "bearer, foreign origin", headers: () => ({ ...bearer, origin: foreign }), status: 403 },
    { name: "bearer, null origin", headers: () => ({ ...bearer, origin: "null" }), status: 403 },
    {
      name: "bearer, another port",
      headers: () => ({ ...bearer, origin: "http://127.0.0.1:1" }),
      status: 403,
    },
    {
      name: "bearer, our host by https",
      headers: () => ({ ...bearer, origin: `https://${own.host}` }),
      status: 403,
    },
    {
      name: "bearer, a TLS proxy",
      headers: () => ({ ...bearer, origin: "https://drover.example.com" }),
      status: 200,
    },
    { name: "cookie, no origin", headers: () => browser.headers, status: 200 },
    { name: "cookie, our origin", headers: () => ({ ...browser.headers, origin: own.origin }), status: 200 },
    { name: "cookie, foreign origin", headers: () => ({ ...browser.headers, origin: foreign }), status: 403 },
    { name: "cookie, null origin", headers: () => ({ ...browser.headers, origin: "null" }), status: 403 },
    {
      name: "cookie, our own fetch",
      headers: () => ({ ...browser.headers, "sec-fetch-site": "same-origin" }),
      status: 200,
    },
    {
      name: "cookie, typed by a person",
      headers: () => ({ ...browser.headers, "sec-fetch-site": "none" }),
      status: 200,
    },
    {
      name: "cookie, another port's page",
      headers: () => ({ ...browser.headers, "sec-fetch-site": "same-site" }),
      status: 403,
    },
    {
      name: "cookie, another site's page",
      headers: () => ({ ...browser.headers, "sec-fetch-site": "cross-site" }),
      status: 403,
    },
    {
      name: "cookie, our origin",
      method: "POST",
      headers: () => ({ ...browser.headers, origin: own.origin }),
      status: 400,
    },
    { name: "cookie, no origin", method: "POST", headers: () => browser.headers, status: 403 },
    {
      name: "cookie, null origin",
      method: "POST",
      headers: () => ({ ...browser.headers, origin: "null" }),
      status: 403,
    },
    {
      name: "cookie, foreign origin",
      method: "DELETE",
      headers: () => ({ ...browser.headers, origin: foreign }),
      status: 403,
    },
    { name: "cookie, no origin", method: "OPTIONS", headers: () => browser.headers, status: 403 },
    { name: "no credentials, foreign origin", headers: () => ({ origin: foreign }), status: 403 },
  ] as { name: string; method?: string; headers: () => Record<string, string>; status: number }[])(
    "$name: $method is answered with $status",
    async ({ method = "GET", headers, status }) => {
      const answer = await raw(api.port, "/api/sessions", { method, headers: headers() });
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.json).toMatchObject({ code: "FOREIGN_ORIGIN" });
    },
  );

  test("a foreign origin reaches nothing, not even public paths", async () => {
    const headers = { origin: "http://evil.example.com" };
    for (const path of ["/api/health", "/login", "/nope"]) {
      expect((await raw(api.port, path, { headers })).status, path).toBe(403);
    }
  });

  test.each([
    { name: "by bearer without an origin", headers: () => bearer, status: 101 },
    { name: "by bearer from our page", headers: () => ({ ...bearer, origin: own.origin }), status: 101 },
    { name: "by bearer from a foreign page", headers: () => ({ ...bearer, origin: foreign }), status: 403 },
    {
      name: "by cookie and key from our page",
      headers: () => ({ cookie, ...offering(browser.key), origin: own.origin }),
      status: 101,
    },
    { name: "by cookie without an origin", headers: () => ({ cookie }), status: 403 },
    { name: "by cookie from null", headers: () => ({ cookie, origin: "null" }), status: 403 },
    { name: "by cookie from a foreign page", headers: () => ({ cookie, origin: foreign }), status: 403 },
    { name: "without credentials", headers: () => ({}), status: 401 },
    {
      name: "by a wrong bearer with a valid cookie",
      headers: () => ({ authorization: "Bearer no", cookie }),
      status: 401,
    },
  ] as { name: string; headers: () => Record<string, string>; status: number }[])(
    "a WebSocket $name is answered with $status",
    async ({ headers, status }) => {
      expect(await upgrade(api.port, headers())).toBe(status);
    },
  );
});
