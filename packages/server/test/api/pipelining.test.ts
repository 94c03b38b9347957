// Clients that send requests before they have read the answers to earlier ones.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { raw, startApi, token } from "./harness.ts";
import { request, serverEnds, stalled, unsent } from "./stalled.ts";

test("requests sent at once over one connection are answered one after the other", async () => {
  await using api = await startApi();
  const { promise: go, resolve: answer } = Promise.withResolvers<void>();
  let asked = 0;
  const { list } = api.service.agents;
  Object.assign(api.service.agents, {
    list: async () => {
      asked++;
      await go;
      return list();
    },
  });
  const socket = connect(api.port, "127.0.0.1");
  const one = `GET /api/agents HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  let got = "";
  socket.on("data", (chunk) => {
    got += chunk;
  });
  socket.write(one.repeat(8));
  await until(() => asked === 1);
  // By then another connection's request has passed through the whole server.
  expect((await raw(api.port, "/api/health")).status).toBe(200);
  expect(asked).toBe(1);
  answer();
  await until(() => got.match(/HTTP\/1\.1 200 /g)?.length === 8);
  expect(asked).toBe(8);
  socket.destroy();
});

test("H11 a client that pipelines too many requests is cut off, and the owner is served meanwhile", async () => {
  await using api = await startApi({ limits: { keepAliveMs: 60_000 } });
  const junk = `GET /login HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\n\r\n`.repeat(200);
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(api.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(junk);
    return socket;
  });
  const headers = { authorization: `Bearer ${token}` };
  expect((await raw(api.port, "/api/sessions", { headers })).status).toBe(200);
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, "close")));
});

test("H11 short unread answers count as well: the client that has read nothing for longest is cut off", async () => {
  await using web = await tempDir();
  const size = 60_000;
  await writeFile(join(web.path, "login.html"), "x".repeat(size));
  await using api = await startApi({ webDirectory: web.path, limits: { unreadBytes: 2 * size } });
  const { made: sockets, ends } = await serverEnds(() =>
    Promise.all(Array.from({ length: 4 }, () => stalled(api, "/login"))),
  );
  // The kernel's own buffers hold the first answers.
  await until(() => {
    for (const end of ends) {
      const socket = sockets.find(({ localPort }) => localPort === end.remotePort);
      if (!end.destroyed && end.writableLength === 0) socket?.write(request("/login", api));
    }
    return ends.every((end) => end.destroyed || end.writableLength > 0);
  });
  expect(ends.filter((end) => end.destroyed).length).toBeGreaterThan(0);
  expect(unsent(ends.filter((end) => !end.destroyed))).toBeLessThan(3 * size);
  for (const socket of sockets) socket.destroy();
});
