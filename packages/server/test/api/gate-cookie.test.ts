import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routesFor } from "../../src/api/routes/index.ts";
import { operations } from "../../src/operations/index.ts";
import {
  type BrowserLogin,
  bearer,
  bytes,
  login,
  newKey,
  offering,
  pathOf,
  raw,
  startApi,
  type TestApi,
  upgrade,
} from "./harness.ts";

const routes = routesFor(operations);

let api: TestApi;
let own: { host: string; origin: string };
let browser: BrowserLogin;
let cookie: string;

beforeAll(async () => {
  api = await startApi();
  own = { host: `127.0.0.1:${api.port}`, origin: `http://127.0.0.1:${api.port}` };
  browser = await login(api);
  cookie = browser.cookie;
});
afterAll(() => api.api.close());

describe("H6 the cookie alone", () => {
  const pageFile = /^\/$|^\/(sessions|inbox|agents|projects|settings|assets)(\/|$)/;
  const open = ["POST /api/login", "GET /api/health", "GET /login"];
  const all = routes.map(({ method, path }) => ({ method, path, title: `${method} ${path}` }));

  test.each(all.filter(({ path, title }) => !open.includes(title) && !pageFile.test(path)))(
    "is no right to $title, and neither is another login's key",
    async ({ method, path }) => {
      const other = await login(api);
      for (const key of [undefined, "", newKey(), other.key, `${browser.key}x`]) {
        const headers = { cookie, origin: own.origin, ...(key === undefined ? {} : { "x-drover-key": key }) };
        expect(await raw(api.port, pathOf(path), { method, headers })).toMatchObject({
          status: 401,
          json: { code: "UNAUTHENTICATED", error: expect.stringContaining("X-Drover-Key") },
        });
      }
    },
  );

  test("opens the page's own files, so that the page can load its key", async () => {
    const files = all.filter(({ path }) => pageFile.test(path));
    expect(files.length).toBeGreaterThanOrEqual(8);
    for (const { path } of files) {
      const answer = await raw(api.port, pathOf(path), { headers: { cookie } });
      expect(answer.status, path).toBe(path.startsWith("/assets") ? 404 : 200);
    }
  });

  test("opens no WebSocket, and the response does not echo the key offered as a subprotocol", async () => {
    const from = { cookie, origin: own.origin };
    for (const headers of [{}, { "X-Drover-Key": browser.key }, offering(newKey()), offering("")]) {
      expect(await upgrade(api.port, { ...from, ...headers })).toBe(401);
    }
    const { key } = browser;
    for (const [offered, chosen] of [
      [`drover, key.${key}`, "drover"],
      [`key.${key},drover`, "drover"],
      [`key.${key}`, undefined],
    ] as const) {
      const lines = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
      const more = [`Host: ${own.host}`, `Origin: ${own.origin}`, `Cookie: ${cookie}`];
      const last = ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", `Sec-WebSocket-Protocol: ${offered}`];
      const answer = await bytes(
        api.port,
        `GET /ws HTTP/1.1\r\n${[...lines, ...more, ...last].join("\r\n")}\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 101 /);
      expect(/sec-websocket-protocol: *(\S+)/i.exec(answer)?.[1]).toBe(chosen);
      expect(answer).not.toContain(key);
    }
  });

  test("redirects a person who opens the API description to the page that shows it", async () => {
    const headers = { cookie, accept: "text/html" };
    const docs = await raw(api.port, "/docs", { headers });
    expect([docs.status, docs.headers.location]).toEqual([303, "/login#/docs"]);
    expect((await raw(api.port, "/docs", { headers: { ...headers, ...browser.headers } })).status).toBe(200);
    const unknown = await raw(api.port, "/nope", { headers });
    expect([unknown.status, unknown.headers.location]).toEqual([303, "/login"]);
    for (const path of ["/metrics", "/api/openapi.json"]) {
      expect((await raw(api.port, path, { headers })).status, path).toBe(401);
    }
  });

  test("does not get in the way of a bearer token, which needs no key", async () => {
    expect((await raw(api.port, "/api/sessions", { headers: { cookie, ...bearer } })).status).toBe(200);
    expect(await upgrade(api.port, { cookie, ...bearer })).toBe(101);
  });
});
