import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api as client } from "../../../../test/kit/http.ts";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { routesFor } from "../../src/api/routes/index.ts";
import { operations } from "../../src/operations/index.ts";
import { login, newSession, raw, startApi, type TestApi, token } from "./harness.ts";

const routes = routesFor(operations);

let api: TestApi;
let web: TempDir;
const headers = { authorization: `Bearer ${token}` };

beforeAll(async () => {
  web = await tempDir();
  await mkdir(join(web.path, "assets"));
  await writeFile(join(web.path, "index.html"), "<!doctype html><title>Drover</title>");
  await writeFile(join(web.path, "login.html"), "<!doctype html><title>Log in</title>");
  await writeFile(join(web.path, "secret.txt"), "secret");
  await writeFile(join(web.path, "assets", "index-abc.js"), "export {}");
  await writeFile(join(web.path, "assets", "login-abc.css"), "main {}");
  await symlink(join(web.path, "secret.txt"), join(web.path, "assets", "link-abc.txt"));
  api = await startApi({ webDirectory: web.path });
});
afterAll(async () => {
  await api.api.close();
  await web.remove();
});

describe("the page", () => {
  test("is one document for every address it renders, with a policy that allows nothing else", async () => {
    const { cookie } = await login(api);
    for (const path of ["/", "/sessions", "/sessions/brave-otter", "/inbox", "/settings"]) {
      const answer = await raw(api.port, path, { headers: { cookie, accept: "text/html" } });
      expect(answer, path).toMatchObject({ status: 200, body: "<!doctype html><title>Drover</title>" });
      const policy = String(answer.headers["content-security-policy"]);
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(answer.headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
      });
    }
  });

  test("makes the login page and its files public, and no others", async () => {
    expect((await raw(api.port, "/login")).body).toContain("Log in");
    const style = await raw(api.port, "/assets/login-abc.css");
    expect(style).toMatchObject({ status: 200, body: "main {}" });
    expect(style.headers["content-type"]).toContain("text/css");
    expect((await raw(api.port, "/assets/index-abc.js")).status).toBe(401);
  });

  test("has immutable files", async () => {
    const script = await raw(api.port, "/assets/index-abc.js", { headers });
    expect(script).toMatchObject({ status: 200, body: "export {}" });
    expect(script.headers["content-type"]).toContain("text/javascript");
    expect(script.headers["cache-control"]).toContain("immutable");
  });

  test("serves nothing outside its directory", async () => {
    for (const path of [
      "/assets/../secret.txt",
      "/assets/..%2fsecret.txt",
      "/assets/%2e%2e%2fsecret.txt",
      "/assets/link-abc.txt",
      "/assets/..",
      "/assets/.",
      "/assets/",
      "/assets//etc/passwd",
      "/secret.txt",
      "/assets/index-abc.js%00.css",
      "/assets/..\\secret.txt",
    ]) {
      const answer = await raw(api.port, path, { headers });
      expect([400, 404], path).toContain(answer.status);
      expect(answer.body).not.toContain("secret\n");
    }
  });

  test("that has not been built says how to build it", async () => {
    await using bare = await startApi();
    const answer = await raw(bare.port, "/", { headers });
    expect(answer.body).toContain("npm start");
    expect((await raw(bare.port, "/login")).status).toBe(200);
  });
});

describe("the API description", () => {
  type OpenApiParameter = { name: string; in: string };
  interface OpenApi {
    openapi: string;
    paths: Record<
      string,
      Record<string, { requestBody?: unknown; responses: object; parameters: OpenApiParameter[] }>
    >;
    components: { securitySchemes: Record<string, unknown> };
  }

  test("is OpenAPI generated from the routes themselves", async () => {
    const document = await client(api).get<OpenApi>("/api/openapi.json");
    expect(document.openapi).toBe("3.1.0");
    for (const { method, path } of routes.filter((each) => each.path.startsWith("/api"))) {
      expect(document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()], path).toBeDefined();
    }
    expect(document.paths["/api/sessions"]?.["post"]).toMatchObject({
      requestBody: {
        content: {
          "application/json": { schema: { required: ["agent", "cwd"], additionalProperties: false } },
        },
      },
      responses: { 201: { content: { "application/json": { schema: { type: "object" } } } } },
    });
    const parameters = document.paths["/api/sessions"]?.["get"]?.parameters ?? [];
    const list = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    expect(list).toEqual([
      "limit",
      "cwd",
      "state",
      "kind",
      "projectId",
      "batch",
      "archived",
      "unread",
      "review",
      "agentSessionId",
      "before",
    ]);
  });

  test("includes headers, streams and optional bodies, and no success response where there is none", async () => {
    const { paths, components } = await client(api).get<OpenApi>("/api/openapi.json");
    const send = paths["/api/sessions/{id}/messages"]?.["post"];
    const heeded = (parameters: OpenApiParameter[] = []) =>
      parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
    expect(heeded(send?.parameters)).toEqual(["X-Client-Id", "Idempotency-Key", "X-Lock"]);
    expect(heeded(paths["/api/events"]?.["get"]?.parameters)).toEqual(["X-Client-Id", "Last-Event-ID"]);
    expect(send).toMatchObject({
      requestBody: { required: true },
      responses: { 200: { content: { "text/event-stream": {} } }, 202: {} },
    });
    const resume = paths["/api/sessions/{id}/resume"]?.["post"];
    expect(resume).toMatchObject({ requestBody: { required: false } });
    expect(Object.keys(paths["/mcp"]?.["get"]?.responses ?? {})).toEqual(["default"]);
    expect(components.securitySchemes["login"]).toMatchObject({ in: "cookie", name: `drover_${api.port}` });
    expect(components.securitySchemes["key"]).toMatchObject({ in: "header", name: "X-Drover-Key" });
    expect(heeded(paths["/api/login/codes"]?.["post"]?.parameters)).toEqual(["X-Client-Id"]);
  });

  test("is a page without scripts for people", async () => {
    const { body, headers: sent } = await client(api).ask<string>("GET", "/docs");
    expect(body).toContain("POST /api/sessions/{id}/messages");
    expect(body).toMatch(/session:open<\/code>[\s\S]*&quot;after&quot;/);
    expect(body).not.toContain("<script");
    expect(body).not.toMatch(/ style=|<style/);
    expect(sent.get("content-security-policy")).toContain("default-src 'self'");
  });
});

test("/metrics reports the server's health to Prometheus", async () => {
  await using own = await startApi({
    statistics: () => ({ sessions: { idle: 3, running: 1 }, appendedEvents: 7 }),
  });
  const body = (await client(own).ask<string>("GET", "/metrics")).body;
  expect(body).toMatch(/^drover_uptime_seconds \d/m);
  expect(body).toMatch(/^drover_resident_memory_bytes \d{7,}/m);
  expect(body).toContain('drover_sessions{state="idle"} 3\n');
  expect(body).toContain("drover_appended_events_total 7\n");
  expect(body).toContain('drover_open_streams{kind="websocket"} 0\n');
  for (const line of body.trim().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) |\w+(\{\w+="\w+"\})? [\d.e+-]+$)/);
});

describe("the raw log", () => {
  test("is sent byte for byte, from any offset", async () => {
    const whole = Buffer.concat([Buffer.from([0, 255, 10, 13, 7]), Buffer.alloc(300_000, "é")]);
    const id = await newSession(api);
    api.service.rawOutput = whole;
    for (const offset of [0, 3, 5, 6, 100_000, whole.length, whole.length + 1]) {
      const answer = await fetch(`${api.url}/api/sessions/${id}/log?offset=${offset}`, { headers });
      expect(answer.headers.get("x-log-bytes")).toBe(String(whole.length));
      expect(answer.headers.get("content-type")).toBe("application/octet-stream");
      const body = Buffer.from(await answer.arrayBuffer());
      expect(body.equals(whole.subarray(offset)), `offset ${offset}`).toBe(true);
    }
    api.service.rawOutput = Buffer.alloc(0);
  });
});

test("health reports status, version and uptime", async () => {
  const { json } = await raw(api.port, "/api/health");
  expect(json).toEqual({ status: "ok", version: "0.0.0-test", uptime: expect.any(Number) });
});
