// Clients that stop reading.
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { bearer } from "../kit/http.ts";
import type { Server } from "../kit/server.ts";

/** A client that requests a session's events and then reads nothing; `read` returns what it was sent. */
export async function lazyReader({ port, token }: Server, path: string) {
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`);
  // It expects to be disconnected.
  socket.on("error", () => {});
  await once(socket, "readable");
  return {
    async read(): Promise<string> {
      let text = "";
      socket.setEncoding("utf8").on("data", (data: string) => {
        text += data;
      });
      await once(socket, "close");
      return text;
    },
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** A socket that opens a session and then reads nothing until `resume`. */
export async function lazySocket(server: Server, sessionId: string) {
  const url = `${server.url.replace("http", "ws")}/ws`;
  const ws = new WebSocket(url, { headers: bearer(server) });
  const closed = new Promise<number>((resolve) => ws.on("close", resolve).on("error", () => {}));
  await once(ws, "open");
  ws.send(JSON.stringify({ type: "session:open", sessionId }));
  await once(ws, "message");
  ws.pause();
  return { closed, resume: () => ws.resume(), [Symbol.dispose]: () => ws.terminate() };
}
