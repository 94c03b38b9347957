// Clients that do not read, and what the server buffers for them.
import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { bearer, type TestApi, token } from "./harness.ts";

export const request = (path: string, api: TestApi) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** A client that sends this request and, once the answer starts, reads nothing of it. */
export async function stalled(api: TestApi, path: string): Promise<Socket> {
  const socket = connect(api.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(request(path, api));
  await once(socket, "readable");
  return socket.pause();
}

/** The server's ends of the connections that are opened while `act` runs. */
export async function serverEnds<T>(act: () => Promise<T>): Promise<{ made: T; ends: Socket[] }> {
  const ends: Socket[] = [];
  const hear = (message: unknown) => void ends.push((message as { socket: Socket }).socket);
  diagnostics.subscribe("net.server.socket", hear);
  try {
    return { made: await act(), ends };
  } finally {
    diagnostics.unsubscribe("net.server.socket", hear);
  }
}

/** The bytes that the server buffers for these connections. */
export const unsent = (ends: readonly Socket[]) =>
  ends.reduce((sum, { writableLength }) => sum + writableLength, 0);

const upgrade = (api: TestApi) =>
  [
    ...["GET /ws HTTP/1.1", `Host: 127.0.0.1:${api.port}`, `Authorization: Bearer ${token}`],
    ...["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
    ...["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""],
  ].join("\r\n");

/** A WebSocket message, as a client sends it. */
export const frame = (value: unknown) => {
  const payload = Buffer.from(JSON.stringify(value));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
};

/** A WebSocket client that reads nothing. */
export async function deafSocket(api: TestApi) {
  const socket = connect(api.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(upgrade(api));
  await once(socket, "readable");
  return socket;
}

/** What the server's metrics report about this kind of stream. */
export async function metric(api: TestApi, name: string, kind: string): Promise<number> {
  const body = await (await fetch(`${api.url}/metrics`, { headers: bearer })).text();
  return Number(new RegExp(`${name}{kind="${kind}"} (\\d+)`).exec(body)?.[1]);
}
