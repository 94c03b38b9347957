// Brings servers and callers into situations in which requests are refused.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import type { Account, Session } from "@drover/core";
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
 * What HTTP and a socket return while something is wrong with a server's database: each requests one small write. The
 * server is a separate one, because it may not recover.
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
  // A later request was answered, so the half-sent one has arrived.
  await api(rig.server).get("/api/health");
  const ended = rig.server.term();
  const isClosed = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  await until(isClosed, { what: "new connections are refused" });
  late.write("\r\n");
  const { status, body } = await restOf(late);
  await ended;
  return { status, body: JSON.parse(body) as Json };
}

/** One connection more than the server accepts. */
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

/** Runs a module that prints JSON in a process with a session's mark, like the processes that an agent starts. */
export async function asAgent<T>(rig: Rig, sessionId: string, module: string): Promise<T> {
  const { url, token } = rig.server;
  const env = { DROVER_SESSION: sessionId, SERVER: url, TOKEN: token };
  const child = spawn(process.execPath, ["--input-type=module", "-e", module], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(await text(child.stdout)) as T;
}

/** Denies a request from a process of the session that asks. */
export const denyAsAgent = (rig: Rig, sessionId: string) =>
  asAgent<{ http: Refusal; socket: Json }>(
    rig,
    sessionId,
    `const headers = { authorization: "Bearer " + process.env.TOKEN };
    const answer = await fetch(process.env.SERVER + "/api/sessions/${sessionId}/deny",
      { method: "POST", headers, body: '{"toolCallId":"x"}' });
    const http = { status: answer.status, body: await answer.json() };
    const ws = new WebSocket(process.env.SERVER.replace("http", "ws") + "/ws", { headers });
    ws.onopen = () => ws.send('{"type":"session:deny","requestId":1,"sessionId":"${sessionId}","toolCallId":"x"}');
    ws.onmessage = ({ data }) => {
      const socket = JSON.parse(data);
      if (socket.requestId !== 1) return;
      console.log(JSON.stringify({ http, socket }));
      ws.close();
    };`,
  );

/** An error that no socket message can cause, and why. */
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

/** A login that Drover has already. */
export async function addSameAccount({ client }: Rig): Promise<Refusal> {
  const body = { agent: "codex", token: "made-up-twice" };
  await client.post("/api/accounts", body);
  return client.ask<Json>("POST", "/api/accounts", { body });
}

/** An account that a person gave a session. */
export async function removeUsedAccount({ client, home }: Rig): Promise<Refusal> {
  const { id } = await client.post<Account>("/api/accounts", { agent: "codex", token: "made-up-in-use" });
  await client.post("/api/sessions", { agent: "codex", cwd: join(home, "work"), account: id });
  return client.ask<Json>("DELETE", `/api/accounts/${id}`);
}
