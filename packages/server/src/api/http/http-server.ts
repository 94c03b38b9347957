import type { IncomingMessage, Server, ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from "node:net";
import type { Duplex } from "node:stream";
import type { Rejection } from "@drover/core";
import { createServer } from "../../node-http.ts";
import type { HttpLimits } from "../deps.ts";
import { linger, rawAnswer, rejectionAnswer, send } from "./answer.ts";
import { Places } from "./places.ts";
import type { UnreadBytes } from "./unread-bytes.ts";

/** As many pending connections as the system allows: a flood must not fill the queue before its owner connects. */
const backlog = 4_096;
/** How long answers that are being written may take once the server closes. */
const graceMs = 1_000;
/**
 * How many requests a connection may send ahead of their answers. Browsers send one at a time; thousands of requests,
 * which cost their sender nothing, would keep the owner waiting.
 */
const maxUnanswered = 8;

export interface HttpHandlers {
  request(request: IncomingMessage, response: ServerResponse, proceed: () => void): Promise<void>;
  /** A WebSocket or a tunnel (CONNECT), which take the connection out of HTTP. */
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>;
}

interface HttpGiven {
  readonly limits: HttpLimits;
  readonly unread: UnreadBytes;
}

const isWebSocket = (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === "websocket";

/** Node's server with every limit set and our own messages for every rejection. */
export class HttpServer {
  private readonly server: Server;
  /** Listens on a second address; its connections are passed to the first. */
  private readonly twin: NetServer;
  private readonly places: Places;
  private readonly dismissed = new WeakSet<Socket>();
  private readonly responses = new WeakMap<Socket, ServerResponse>();
  /** How many requests of a connection are unanswered. */
  private readonly unanswered = new WeakMap<Socket, number>();
  private readonly limits: HttpLimits;
  private readonly unread: UnreadBytes;
  private isClosing = false;

  constructor(handlers: HttpHandlers, { limits, unread }: HttpGiven) {
    this.limits = limits;
    this.unread = unread;
    const { headersMs, bodyMs, keepAliveMs, connections } = limits;
    this.places = new Places(connections);
    this.server = createServer({
      headersTimeout: headersMs,
      requestTimeout: bodyMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(1_000, headersMs),
      // The gate rejects a request without a Host.
      requireHostHeader: false,
      // Clients that offer other protocols also accept HTTP; only WebSockets are an upgrade here.
      shouldUpgradeCallback: isWebSocket,
    });
    this.twin = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.server.emit("connection", socket),
    );
    this.server.on("connection", (socket) => this.places.take(socket));
    this.server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      this.unreadable(error, socket as Socket),
    );
    const take = (request: IncomingMessage, response: ServerResponse, proceed = () => {}) => {
      void this.begin(request, response, () => handlers.request(request, response, proceed));
    };
    this.server.on("request", (request, response) => take(request, response));
    // An unknown expectation may be ignored; the gate comes first.
    this.server.on("checkExpectation", (request, response) => take(request, response));
    this.server.on("checkContinue", (request, response) =>
      take(request, response, () => response.writeContinue()),
    );
    const leave = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      const socket = stream as Socket;
      if (this.isClosing) dismiss(socket, shuttingDown);
      else void handlers.upgrade(request, socket, head);
    };
    this.server.on("upgrade", leave);
    this.server.on("connect", leave);
  }

  /** On the same port of every host. Rejects if it is taken on one of them. */
  async listen(port: number, [host = "", twin]: readonly string[]): Promise<number> {
    for (let tries = 1; ; tries++) {
      await listening(this.server, port, host);
      const taken = (this.server.address() as AddressInfo).port;
      try {
        if (twin !== undefined) await listening(this.twin, taken, twin);
        return taken;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // A machine without IPv6.
        if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return taken;
        await closed(this.server);
        // The port the system chose is only known to be free on the first host.
        if (code !== "EADDRINUSE" || port !== 0 || tries === maxTries) throw error;
      }
    }
  }

  /** The connection is authenticated. Returns the rejection if there are already too many. */
  async trust(socket: Socket, isPerson: () => Promise<boolean>): Promise<Rejection | undefined> {
    if (await this.places.trust(socket, isPerson)) return undefined;
    const message = `The server has ${this.limits.connections} connections, which is its limit; close some`;
    return { code: "TOO_MANY_CONNECTIONS", message };
  }

  /** Accepts nothing new, lets answers that are being written finish, then closes the rest. */
  async close(): Promise<void> {
    this.isClosing = true;
    if (!this.server.listening) return;
    const ended = Promise.all([closed(this.server), closed(this.twin)]);
    // Otherwise we would wait for connections that are kept alive after an answer or were opened ahead of need.
    const idle = setInterval(() => {
      this.server.closeIdleConnections();
      this.places.closeUnused();
    }, 20);
    const late = setTimeout(() => this.places.closeAll(), graceMs);
    await ended;
    clearInterval(idle);
    clearTimeout(late);
  }

  /** In order: a client that sends many requests at once and reads no answer gets no further than the first. */
  private async begin(
    request: IncomingMessage,
    response: ServerResponse,
    handle: () => Promise<void>,
  ): Promise<void> {
    const { socket } = request;
    // The parser continues with what it has already read from a connection that is closed.
    if (socket.destroyed) return;
    const unanswered = (this.unanswered.get(socket) ?? 0) + 1;
    if (unanswered > maxUnanswered) return void socket.destroy();
    this.unanswered.set(socket, unanswered);
    response.once("close", () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 1) - 1));
    const before = this.responses.get(socket);
    this.responses.set(socket, response);
    if (before && !before.closed) await new Promise((resolve) => before.once("close", resolve));
    if (socket.destroyed) return;
    if (!this.isClosing) return handle();
    response.setHeader("Connection", "close");
    send(response, rejectionAnswer(shuttingDown), { limits: this.limits, unread: this.unread });
  }

  /** The received bytes are not a request, or did not arrive in time. */
  private unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    // Anything else such a client sends is unreadable too.
    if (this.dismissed.has(socket)) return;
    this.dismissed.add(socket);
    const last = this.responses.get(socket);
    const unfinished = last?.writableFinished ? undefined : last;
    if (!socket.writable || error.code === "ECONNRESET" || unfinished?.headersSent) {
      return void socket.destroy();
    }
    const rejection = unreadableRejection(error);
    // A valid request came first on this connection: answers keep the order of the requests.
    if (unfinished?.req.complete) unfinished.on("finish", () => dismiss(socket, rejection));
    else dismiss(socket, rejection);
  }
}

const shuttingDown: Rejection = {
  code: "SHUTTING_DOWN",
  message: "The server is shutting down; try again soon",
};

/** How many ports are tried if any will do. */
const maxTries = 20;

function listening(server: NetServer, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen({ port, host, backlog }, () => {
    server.off("error", reject);
    resolve();
  });
  return promise;
}

function closed(server: NetServer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  return promise;
}

function unreadableRejection(error: NodeJS.ErrnoException): Rejection {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return {
      code: "REQUEST_TIMEOUT",
      message: "The request was not complete in time; send it again",
    };
  }
  const message =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "The request's headers are larger than 16 KB. In a browser, delete the cookies of this host and log in again."
      : `Malformed HTTP request: ${error.message}. Send it again as HTTP/1.1.`;
  return { code: "BAD_REQUEST", message, facts: { issues: [{ path: "", message }] } };
}

/** Answers on the bare connection and ends it, but keeps reading: closed with unread bytes, it would be reset. */
export function dismiss(socket: Socket, rejection: Rejection): void {
  socket.on("error", () => socket.destroy());
  socket.end(rawAnswer(rejectionAnswer(rejection)));
  socket.resume();
  socket.on(
    "close",
    linger(socket, () => socket.destroy()),
  );
}
