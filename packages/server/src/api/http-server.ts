import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Rejection } from "@drover/core";
import { createServer } from "../node-http.ts";
import { linger, rawAnswer, rejectionAnswer, send } from "./answer.ts";
import type { HttpLimits } from "./deps.ts";

/** Connections over the limit that are still answered, with 503; more are dropped. */
const spare = 64;
/** How long answers that are being written may take once the server closes. */
const graceMs = 1_000;

export interface HttpHandlers {
  request(request: IncomingMessage, response: ServerResponse, proceed: () => void): Promise<void>;
  /** A WebSocket, or a tunnel (CONNECT): what takes the connection out of HTTP. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>;
}

const isWebSocket = (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === "websocket";

/** Node's server with every limit set and every refusal in our own words. */
export class HttpServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** Connected when every place was taken: they are refused until one is free, and nobody else is. */
  private readonly surplus = new WeakSet<Socket>();
  private readonly dismissed = new WeakSet<Socket>();
  private readonly responses = new WeakMap<Socket, ServerResponse>();
  private readonly limits: HttpLimits;
  private isClosing = false;

  constructor(handlers: HttpHandlers, limits: HttpLimits) {
    this.limits = limits;
    const { headersMs, bodyMs, keepAliveMs, connections } = limits;
    this.server = createServer({
      headersTimeout: headersMs,
      requestTimeout: bodyMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
      // A request without a Host is the gate's to refuse.
      requireHostHeader: false,
      // Other protocols are offered by clients that are content with HTTP; only WebSockets are an upgrade here.
      shouldUpgradeCallback: isWebSocket,
    });
    this.server.maxConnections = connections + spare;
    this.server.on("connection", (socket) => this.watch(socket));
    this.server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      this.unreadable(error, socket as Socket),
    );
    const take = (request: IncomingMessage, response: ServerResponse) => {
      if (this.begin(request, response)) void handlers.request(request, response, () => {});
    };
    this.server.on("request", take);
    // An expectation nobody knows may be ignored; the gate comes before any opinion on it.
    this.server.on("checkExpectation", take);
    this.server.on("checkContinue", (request, response) => {
      if (this.begin(request, response)) {
        void handlers.request(request, response, () => response.writeContinue());
      }
    });
    const leave = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      const socket = stream as Socket;
      const refusal = this.refusal(socket);
      if (refusal) dismiss(socket, refusal);
      else void handlers.upgrade(request, socket, head);
    };
    this.server.on("upgrade", leave);
    this.server.on("connect", leave);
  }

  listen(port: number, host: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.server.once("error", reject);
    this.server.listen(port, host, () => {
      this.server.off("error", reject);
      resolve((this.server.address() as AddressInfo).port);
    });
    return promise;
  }

  /** Takes nothing new, lets answers end that are being written, then closes what is left. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (!this.server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    // A connection kept alive after its answer would otherwise be waited for.
    const idle = setInterval(() => this.server.closeIdleConnections(), 20);
    const late = setTimeout(() => {
      for (const socket of this.sockets) socket.destroy();
    }, graceMs);
    await promise;
    clearInterval(idle);
    clearTimeout(late);
  }

  private watch(socket: Socket): void {
    this.sockets.add(socket);
    if (this.sockets.size > this.limits.connections) this.surplus.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
  }

  private refusal(socket: Socket): Rejection | undefined {
    if (this.isClosing)
      return { code: "SHUTTING_DOWN", message: "The server is shutting down; come back soon" };
    if (!this.surplus.has(socket)) return undefined;
    if (this.sockets.size <= this.limits.connections) {
      this.surplus.delete(socket);
      return undefined;
    }
    const message = `The server has ${this.limits.connections} connections, which is its limit; close some`;
    return { code: "TOO_MANY_CONNECTIONS", message };
  }

  /** False when the request was refused before anyone looked at it. */
  private begin(request: IncomingMessage, response: ServerResponse): boolean {
    this.responses.set(request.socket, response);
    const refusal = this.refusal(request.socket);
    if (!refusal) return true;
    response.setHeader("Connection", "close");
    send(response, rejectionAnswer(refusal));
    return false;
  }

  /** What arrived is no request, or did not arrive in time. */
  private unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    // Whatever else such a client sends is unreadable, too.
    if (this.dismissed.has(socket)) return;
    this.dismissed.add(socket);
    const last = this.responses.get(socket);
    const unfinished = last?.writableFinished ? undefined : last;
    if (!socket.writable || error.code === "ECONNRESET" || unfinished?.headersSent) {
      return void socket.destroy();
    }
    const rejection = unreadableRejection(error);
    // A good request came first on this connection: answers keep the order of what they answer.
    if (unfinished?.req.complete) unfinished.on("finish", () => dismiss(socket, rejection));
    else dismiss(socket, rejection);
  }
}

function unreadableRejection(error: NodeJS.ErrnoException): Rejection {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return { code: "REQUEST_TIMEOUT", message: "The request did not arrive whole in time; send it again" };
  }
  const message = `This is not HTTP as it should be: ${error.message}; send it again as HTTP/1.1`;
  return { code: "BAD_REQUEST", message, facts: { issues: [{ path: "", message }] } };
}

/** Answers on the bare connection and ends it, listening on: closed over unread bytes, it would be reset. */
export function dismiss(socket: Socket, rejection: Rejection): void {
  socket.on("error", () => socket.destroy());
  socket.end(rawAnswer(rejectionAnswer(rejection)));
  socket.resume();
  socket.on(
    "close",
    linger(socket, () => socket.destroy()),
  );
}
