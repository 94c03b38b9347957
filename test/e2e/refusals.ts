// Servers and callers brought into the situations in which something is refused.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import type { Session } from "@drover/core";
import { api } from "../kit/http.ts";
import { openSocket } from "../kit/socket.ts";
import { until } from "../kit/until.ts";
import { restOf } from "./bare.ts";
import { openRig, type Rig } from "./support.ts";

export type Json = Record<string, unknown>;

export interface Refusal {
  readonly status: number;
  readonly body: Json;
}

/**
 * What both faces say while something is wrong with a server's database: each asks for one small write. The server is
 * its own, for it may not recover.
 */
export async function whileSpoilt(
  spoil: (database: DatabaseSync) => void,
): Promise<{ http: Refusal; socket: Json }> {
  await using rig = await openRig();
  const wanted = { agent: "demo", cwd: join(rig.home, "work") };
  const { id: sessionId } = await rig.client.post<Session>("/api/sessions", wanted);
  await using socket = await openSocket(rig.server);
  using database = new DatabaseSync(join(rig.server.droverHome, "drover.db"));
  spoil(database);
  const patch = { body: { archived: true } };
  const http = await rig.client.ask<Json>("PATCH", `/api/sessions/${sessionId}`, patch);
  return { http, socket: await socket.request("session:archive", { sessionId }) };
}

/** … while too little space is left on its disk. */
export async function whileFull(): Promise<{ http: Refusal; socket: Json }> {
  await using rig = await openRig({ env: { DROVER__STORAGE__MINFREE: "1000000GiB" } });
  await using socket = await openSocket(rig.server);
  const wanted = { agent: "demo", cwd: join(rig.home, "work") };
  const http = await rig.client.ask<Json>("POST", "/api/sessions", { body: wanted });
  return { http, socket: await socket.request("session:create", wanted) };
}

/** A request that was half sent when the server began to shut down. */
export async function whileShuttingDown(): Promise<Refusal> {
  await using rig = await openRig();
  const { port, url } = rig.server;
  const late = connect(port, "127.0.0.1");
  late.write(`GET /api/health HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`);
  // Whoever came later was answered: the half is there.
  await api(rig.server).get("/api/health");
  const ended = rig.server.term();
  const isClosed = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  await until(isClosed, { what: "nobody new is let in" });
  late.write("\r\n");
  const { status, body } = await restOf(late);
  await ended;
  return { status, body: JSON.parse(body) as Json };
}

/** One connection more than the server takes. */
export async function whileCrowded(limit: number): Promise<Refusal> {
  await using rig = await openRig();
  const { port, token } = rig.server;
  const held = Array.from({ length: limit }, () => connect(port, "127.0.0.1").on("error", () => {}));
  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  for (const socket of held) socket.write(`GET /api/events HTTP/1.1\r\n${head}`);
  await Promise.all(held.map((socket) => once(socket, "data")));
  const refusal = await rig.client.ask<Json>("GET", "/api/sessions");
  for (const socket of held) socket.destroy();
  return refusal;
}

/** Runs a module in a process that carries a session's mark, as what an agent starts does; it prints JSON. */
export async function asAgent<T>(rig: Rig, sessionId: string, module: string): Promise<T> {
  const { url, token } = rig.server;
  const env = { DROVER_SESSION: sessionId, SERVER: url, TOKEN: token };
  const child = spawn(process.execPath, ["--input-type=module", "-e", module], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(child.stdout)) as T;
}

/** What no message of a socket can meet, and why. */
export const httpOnly = (http: () => Promise<Refusal>, why: string) => async () => ({
  http: await http(),
  socket: why,
});

/** A request whose head never ends. */
export async function halfRequest(rig: Rig): Promise<Refusal> {
  const slow = connect(rig.server.port, "127.0.0.1");
  slow.write("GET /api/health HTTP/1.1\r\nhost:");
  const { status, body } = await restOf(slow);
  return { status, body: JSON.parse(body) as Json };
}
