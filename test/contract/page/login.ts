import { expect, test } from "vitest";
import { api } from "../../kit/http.ts";
import { newLoginKey } from "../../kit/login.ts";
import { openSocket } from "../../kit/socket.ts";
import type { Page } from "../page-server.ts";

const unauthenticated = {
  status: 401,
  body: { code: "UNAUTHENTICATED", error: expect.stringMatching(/\w/) },
};

export function loginContract(current: () => Page): void {
  const stranger = () => api({ url: current().server.url, token: "" });

  test("an unauthenticated client gets the login page and the server's health, nothing else", async () => {
    const { ask } = stranger();
    expect(await ask("GET", "/api/sessions")).toMatchObject(unauthenticated);
    expect(await ask("GET", "/api/nowhere")).toMatchObject(unauthenticated);
    const navigation = await ask("GET", "/", { headers: { accept: "text/html" } });
    expect([navigation.status, navigation.headers.get("location")]).toEqual([303, "/login"]);
    expect((await ask("GET", "/login", { headers: { accept: "text/html" } })).status).toBe(200);
    const health = await ask("GET", "/api/health");
    expect(health.body).toEqual({ status: "ok", version: expect.any(String), uptime: expect.any(Number) });
  });

  test("the cookie alone opens the page's own files, and the key alone opens nothing", async () => {
    const { login, ask } = current();
    const { ask: askBare } = stranger();
    const cookie = { cookie: login.headers.cookie };
    const key = { "x-drover-key": login.key };
    expect((await askBare("GET", "/", { headers: cookie })).status).toBe(200);
    for (const headers of [cookie, key, { ...cookie, "x-drover-key": newLoginKey() }]) {
      expect(await askBare("GET", "/api/sessions", { headers })).toMatchObject(unauthenticated);
      const health = await askBare("GET", "/api/health", { headers });
      expect(health.body).not.toHaveProperty("loggedIn");
    }
    expect(await ask("GET", "/api/health")).toMatchObject({ loggedIn: true });
  });

  test("a socket needs the cookie and the key, and never echoes the key", async () => {
    const { server, login } = current();
    const target = { url: server.url, token: "" };
    const { cookie } = login.headers;
    const ours = { cookie, origin: server.url };
    const refused = "Unexpected server response: 401";
    await expect(openSocket(target, { origin: server.url }, login.protocols)).rejects.toThrow(refused);
    await expect(openSocket(target, ours, ["drover"])).rejects.toThrow(refused);
    await expect(openSocket(target, ours, ["drover", `key.${newLoginKey()}`])).rejects.toThrow(refused);
    await using socket = await openSocket(target, ours, login.protocols);
    expect(await socket.request("session:list")).toMatchObject({ type: "session:list" });
  });

  test("a login code works once, and only with a key that is long enough", async () => {
    const { server } = current();
    const { ask } = stranger();
    const logIn = (body: object) => ask("POST", "/api/login", { body, headers: { origin: server.url } });
    expect(await logIn({ code: server.code, key: "short" })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", issues: expect.any(Array) },
    });
    const used = await logIn({ code: server.code, key: newLoginKey() });
    expect(used.status).toBe(204);
    expect(used.headers.getSetCookie().join()).toMatch(/HttpOnly; SameSite=Strict; Path=\//);
    expect(await logIn({ code: server.code, key: newLoginKey() })).toMatchObject(unauthenticated);
  });

  test("a logout ends the login", async () => {
    const { server } = current();
    const { ask } = stranger();
    const key = newLoginKey();
    const body = { token: server.token, key };
    const opened = await ask("POST", "/api/login", { body, headers: { origin: server.url } });
    const cookie = opened.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
    const headers = { cookie, "x-drover-key": key, origin: server.url };
    expect((await ask("GET", "/api/sessions", { headers })).status).toBe(200);
    expect((await ask("POST", "/api/logout", { headers })).status).toBe(204);
    expect(await ask("GET", "/api/sessions", { headers })).toMatchObject(unauthenticated);
  });
}
