import type { IncomingMessage, RequestOptions } from "node:http";
import { requestFor } from "../../node-http.ts";

/** A server's address and the token for it. */
export interface Target {
  readonly url: string;
  readonly token?: string;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** No server answered. `delivered` is false if the request certainly did not reach it. */
export class ServerAway extends Error {
  override readonly name = "ServerAway";
  readonly delivered: boolean;

  constructor(message: string, more: { cause?: unknown; delivered: boolean }) {
    super(message, { cause: more.cause });
    this.delivered = more.delivered;
  }
}

/** A connection without bytes for this long is dead: streams have a heartbeat every 15 s. */
const silenceMs = 60_000;

/**
 * Sends one request and returns the response as soon as its headers arrive. Throws `ServerAway` if there is no server;
 * a body that breaks off later is an error of the response stream. Redirects are not followed, because they would send
 * the token elsewhere.
 */
export function send(target: Target, request: HttpRequest): Promise<IncomingMessage> {
  const url = new URL(request.path, target.url);
  const start = requestFor(url);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options: RequestOptions = {
    method: request.method,
    // One connection per request: a pooled connection would keep the process alive.
    agent: false,
    headers: {
      ...(target.token ? { authorization: `Bearer ${target.token}` } : {}),
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    ...(request.signal ? { signal: request.signal } : {}),
  };
  const outgoing = start(url, options);
  let connected = false;
  outgoing.on("socket", (socket) =>
    socket.once("connect", () => {
      connected = true;
    }),
  );
  outgoing.setTimeout(silenceMs, () => outgoing.destroy(new Error("the server stopped responding")));
  outgoing.on("response", resolve);
  outgoing.on("error", (cause) =>
    reject(
      request.signal?.aborted
        ? cause
        : new ServerAway(`No server answers at ${target.url}`, { cause, delivered: connected }),
    ),
  );
  outgoing.end(request.body);
  return promise;
}

export async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch (cause) {
    throw new ServerAway("The server closed the connection before it answered", { cause, delivered: true });
  }
  return Buffer.concat(chunks).toString("utf8");
}
