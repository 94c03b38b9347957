// Requests with exactly the headers a test wants: fetch and browsers do not let us choose the Host or the Origin.
import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";

type Headers = Record<string, string>;

export interface BareAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** `bareAsk(port, "GET /api/sessions", { headers })`: adds nothing but what HTTP itself requires. */
export async function bareAsk(
  port: number,
  route: string,
  { headers = {}, body = "" }: { headers?: Headers; body?: string } = {},
): Promise<BareAnswer> {
  const [method = "", path = ""] = route.split(" ");
  // With its length declared, a body can be sent with every method.
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
  const asking = request({
    ...{ host: "127.0.0.1", port, method, path, agent: false },
    headers: { ...headers, ...length },
  });
  asking.end(body);
  const [response] = await once(asking, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Everything a server sends in response to raw bytes until it closes the connection. */
export async function restOf(socket: Socket): Promise<BareAnswer> {
  const answer = await text(socket.setEncoding("utf8"));
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), headers: {}, body };
}

/** Requests a WebSocket and sends a message right after the request, without waiting for the upgrade. */
export function upgradeAndSend(port: number, headers: Headers, message: string): Promise<BareAnswer> {
  const socket = connect(port, "127.0.0.1");
  const all = {
    host: `127.0.0.1:${port}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET /ws HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const payload = Buffer.from(message);
  // A short text frame; a mask of zeros changes nothing.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  return restOf(socket);
}
