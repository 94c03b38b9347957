import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { heldUp } from "../../../../test/kit/processes.ts";
import { openSocket } from "../../../../test/kit/socket.ts";
import { newSession, raw, startApi, token } from "./harness.ts";

function nextOn(channel: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = () => resolve();
  subscribe(channel, hear);
  return promise.finally(() => unsubscribe(channel, hear));
}

/** Resolves when any server of this process has read the head of a request. */
const nextRequest = () => nextOn("http.server.request.start");

/** Resolves when any server of this process has accepted a connection. */
const nextConnection = () => nextOn("net.server.socket");

describe("closing", () => {
  test("ends streams and sockets cleanly, completes pending answers, and refuses new requests", async () => {
    const api = await startApi();
    const id = await newSession(api);
    const socket = await openSocket(api);
    const stream = await fetch(`${api.url}/api/sessions/${id}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const late = connect(api.port, "127.0.0.1");
    let got = "";
    late.on("data", (chunk) => {
      got += chunk;
    });
    // A pending answer keeps its connection open.
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    const { promise: go, resolve: answer } = Promise.withResolvers<void>();
    const { list } = api.service.agents;
    Object.assign(api.service.agents, {
      list: async () => {
        asked();
        await go;
        return list();
      },
    });
    const head = `Host: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    late.write(`GET /api/agents HTTP/1.1\r\n${head}`);
    await isAsked;
    const closing = api.api.close();
    const arrived = nextRequest();
    late.write(`GET /api/health HTTP/1.1\r\n${head}`);
    await arrived;
    answer();
    await closing;
    expect(await stream.text()).toContain("event: snapshot");
    expect(await socket.closed).toMatchObject({ code: 1001 });
    if (!late.closed) await once(late, "close");
    expect(got).toMatch(/^HTTP\/1\.1 200 [\s\S]*"agents"/);
    expect(got).toMatch(/HTTP\/1\.1 503 [\s\S]*"SHUTTING_DOWN"/);
    await expect(raw(api.port, "/api/health")).rejects.toThrow("ECONNREFUSED");
  });

  test("does not wait for clients that stay connected", async () => {
    const api = await startApi();
    const socket = connect(api.port, "127.0.0.1");
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(`POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nContent-Length: 5\r\n\r\n`);
    const now = () => performance.now() - heldUp(process.pid);
    const start = now();
    await api.api.close();
    expect(now() - start).toBeLessThan(3_000);
    socket.destroy();
  });

  test("closes a connection without a request without waiting for the grace period", async () => {
    const api = await startApi();
    const accepted = nextConnection();
    const socket = connect(api.port, "127.0.0.1");
    socket.on("error", () => {});
    await accepted;
    const now = () => performance.now() - heldUp(process.pid);
    const start = now();
    await api.api.close();
    expect(now() - start).toBeLessThan(900);
    if (!socket.closed) await once(socket, "close");
  });

  test("a port in use is reported by listen", async () => {
    await using api = await startApi();
    await expect(startApi({ server: { port: api.port } })).rejects.toThrow("EADDRINUSE");
  });
});
