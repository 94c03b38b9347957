import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { openSocket } from "../../../../test/kit/socket.ts";
import { until } from "../../../../test/kit/until.ts";
import type { Peer } from "../../src/ports.ts";
import { bytes, login, newSession, raw, startApi, type TestApi, token } from "./harness.ts";

describe("a connection", () => {
  const head = (api: TestApi) => `Host: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n`;
  const shortLimits = { headersMs: 150, bodyMs: 300 };

  test("that does not send its head or body in time is answered REQUEST_TIMEOUT", async () => {
    await using api = await startApi({ limits: shortLimits });
    const answers = await Promise.all([
      bytes(api.port, "GET /api/health HTTP/1.1\r\nHost: x", /}$/),
      bytes(api.port, `POST /api/sessions HTTP/1.1\r\n${head(api)}Content-Length: 100\r\n\r\n{`, /}$/),
    ]);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
    }
  });

  test("that streams never times out", async () => {
    const limits = { headersMs: 1_000, bodyMs: 1_000 };
    await using api = await startApi({ limits, streams: { heartbeat: 100 } });
    const id = await newSession(api);
    const stream = connect(api.port, "127.0.0.1");
    let text = "";
    stream.on("data", (chunk) => {
      text += chunk;
    });
    stream.write(`GET /api/sessions/${id}/events HTTP/1.1\r\n${head(api)}\r\n`);
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 200 [\s\S]*: hb/);
    // By the time a later connection has timed out, the stream would have, too.
    const late = `POST /api/sessions HTTP/1.1\r\n${head(api)}Content-Length: 100\r\n\r\n{`;
    expect(await bytes(api.port, late, /}$/)).toMatch(/^HTTP\/1\.1 408 /);
    const { length } = text;
    await expect.poll(() => text.length).toBeGreaterThan(length);
    stream.destroy();
  });

  test("over the limit for authorized clients is answered TOO_MANY_CONNECTIONS until others close", async () => {
    await using api = await startApi({ limits: { connections: 3 } });
    const held = await Promise.all([1, 2, 3].map(() => openSocket(api)));
    const refused = await raw(api.port, "/api/sessions", { headers: { authorization: `Bearer ${token}` } });
    expect(refused).toMatchObject({ status: 503, json: { code: "TOO_MANY_CONNECTIONS" } });
    expect(refused.headers["retry-after"]).toBeDefined();
    expect((await raw(api.port, "/api/health")).status).toBe(200);
    for (const socket of held) await socket.close();
    const headers = { authorization: `Bearer ${token}` };
    await expect.poll(async () => (await raw(api.port, "/api/sessions", { headers })).status).toBe(200);
  });

  test("that sends no HTTP gets an error", async () => {
    await using api = await startApi();
    expect(await bytes(api.port, "nonsense\r\n\r\n", /}$/)).toMatch(/^HTTP\/1\.1 400 [\s\S]*BAD_REQUEST/);
  });

  test("that stops sending HTTP gets an error after its pending answers", async () => {
    await using api = await startApi();
    const good = `GET /api/health HTTP/1.1\r\n${head(api)}\r\n`;
    const inOrder = /^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 400 [\s\S]*BAD_REQUEST/;
    expect(await bytes(api.port, `${good}nonsense\r\n\r\n`, /BAD_REQUEST[\s\S]*}$/)).toMatch(inOrder);

    const socket = connect(api.port, "127.0.0.1");
    let got = "";
    socket.on("data", (chunk) => {
      got += chunk;
    });
    socket.write(good);
    await expect.poll(() => got).toMatch(/"status"/);
    socket.end("nonsense\r\n\r\n");
    await once(socket, "close");
    expect(got).toMatch(inOrder);
  });

  test("whose head is far too large gets an error instead of a reset", async () => {
    await using api = await startApi();
    const padding = Array.from({ length: 5_000 }, (_, n) => `X-${n}: ${"x".repeat(4_000)}\r\n`).join("");
    const socket = connect(api.port, "127.0.0.1");
    // Like most clients, reads nothing before everything is sent.
    const { promise: sent, resolve } = Promise.withResolvers<unknown>();
    socket.on("error", resolve);
    socket.write(`GET /api/health HTTP/1.1\r\n${head(api)}${padding}\r\n`, resolve);
    expect(await sent).toBeNull();
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1\.1 400 [\s\S]*delete the cookies/);
    socket.destroy();
  });
});

describe("H11 unauthorized connections at the limit", () => {
  const limits = { connections: 100 };
  const headers = { authorization: `Bearer ${token}` };

  /** Connections that stay open on the client's side until the server closes them. */
  async function crowd(api: TestApi, size: number, text: string) {
    const sockets = await Promise.all(
      Array.from({ length: size }, async () => {
        const socket = connect(api.port, "127.0.0.1");
        socket.on("error", () => {});
        await once(socket, "connect");
        if (text) socket.write(text);
        return socket;
      }),
    );
    const open = () => sockets.filter((socket) => !socket.closed && !socket.readableEnded).length;
    for (const socket of sockets) socket.resume();
    return { open, [Symbol.dispose]: () => sockets.forEach((socket) => void socket.destroy()) };
  }

  test.each([
    ["send nothing", ""],
    ["never finish their head", "GET /api/health HTTP/1.1\r\nHost: x"],
    [
      "never finish their body",
      "POST /api/login HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 100\r\n\r\n{",
    ],
    [
      "were refused and keep sending",
      "POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 9999\r\n\r\n{",
    ],
    ["stay in keep-alive after a public request", "GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"],
    ["have only the cookie of a login", "GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nCookie: COOKIE\r\n\r\n"],
  ])("that %s are closed to make room, and authorized ones never are", async (_how, text) => {
    await using api = await startApi({ limits: { ...limits, headersMs: 60_000, keepAliveMs: 60_000 } });
    const id = await newSession(api);
    await using socket = await openSocket(api);
    const stream = await fetch(`${api.url}/api/sessions/${id}/events`, { headers });
    const { cookie } = await login(api);
    const sent = text.replace("PORT", String(api.port)).replace("COOKIE", cookie);
    using unauthorized = await crowd(api, 150, sent);
    for (let n = 0; n < 150; n++) {
      expect((await raw(api.port, "/api/sessions", { headers })).status).toBe(200);
    }
    // Two places are taken by authorized connections.
    await until(() => unauthorized.open() <= 98, { what: "the first to come are closed" });
    expect(await socket.request("session:list")).toMatchObject({ type: "session:list" });
    const reader = stream.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });
});

test("H11 sessions' processes get at most half of the connections, and people the rest", async () => {
  let peer: Peer = { sessions: ["ses_busy"] };
  await using api = await startApi({ limits: { connections: 10 }, peerOf: async () => peer });
  const held = await Promise.all(Array.from({ length: 5 }, () => openSocket(api)));
  const headers = { authorization: `Bearer ${token}` };
  const ask = () => raw(api.port, "/api/sessions", { headers });
  expect(await ask()).toMatchObject({ status: 503, json: { code: "TOO_MANY_CONNECTIONS" } });
  peer = "person";
  expect((await ask()).status).toBe(200);
  for (const socket of held) await socket.close();
});

describe("the loopback addresses", () => {
  const ask = (host: string, port: number) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host, port, path: "/api/health", agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });

  test.each(["127.0.0.1", "localhost", "::1"])(
    "are both served on the same port when bound to %s",
    async (bind) => {
      await using api = await startApi({ server: { bind } });
      expect(await ask("127.0.0.1", api.port)).toBe(200);
      expect(await ask("::1", api.port)).toBe(200);
      expect(await ask("localhost", api.port)).toBe(200);
    },
  );

  test("are not added if a different address is configured", async () => {
    await using api = await startApi({ server: { bind: "127.0.0.2" } });
    await expect(ask("::1", api.port)).rejects.toThrow("ECONNREFUSED");
  });

  test.each([
    ["::1", "127.0.0.1"],
    ["127.0.0.1", "::1"],
  ])("are both refused if another program has the port on %s", async (taken, other) => {
    await using squatter = createServer().listen(0, taken);
    await once(squatter, "listening");
    const { port } = squatter.address() as AddressInfo;
    await expect(startApi({ server: { port } })).rejects.toMatchObject({
      code: "EADDRINUSE",
      address: taken,
    });
    await expect(ask(other, port)).rejects.toThrow("ECONNREFUSED");
  });
});
