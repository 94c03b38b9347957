import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Rejection } from "@drover/core";
import { rawAnswer, rejectionAnswer, send } from "./answer.ts";
import type { HttpLimits } from "./deps.ts";

/** Connections over the limit that are still answered, with 503; more are dropped. */
const spare = 64;
/** How long answers that are being written may take once the server closes. */
const graceMs = 1_000;

export interface HttpHandlers {
  request(request: IncomingMessage, response: ServerResponse, proceed: () => void): Promise<void>;
  upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>;
}

const isWebSocket = (request: IncomingMessage) => request.headers.upgrade?.toLowerCase() === "websocket";

/** Node's server with every limit set and every refusal in our own words. */
export class HttpServer {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
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
      // Other protocols are offered by clients that are content with HTTP; only WebSockets are an upgrade here.
      shouldUpgradeCallback: isWebSocket,
    });
    this.server.maxConnections = connections + spare;
    this.server.on("connection", (socket) => this.watch(socket));
    this.server.on("clientError", (error: NodeJS.ErrnoException, socket) =>
      this.unreadable(error, socket as Socket),
    );
    this.server.on("request", (request, response) => {
      if (this.begin(request, response)) void handlers.request(request, response, () => {});
    });
    this.server.on("checkContinue", (request, response) => {
      if (this.begin(request, response)) {
        void handlers.request(request, response, () => response.writeContinue());
      }
    });
    this.server.on("upgrade", (request, stream, head) => {
      const socket = stream as Socket;
      const refusal = this.refusal();
      if (refusal) refuseUpgrade(socket, refusal);
      else void handlers.upgrade(request, socket, head);
    });
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
    socket.on("close", () => this.sockets.delete(socket));
  }

  private refusal(): Rejection | undefined {
    if (this.isClosing)
      return { code: "SHUTTING_DOWN", message: "The server is shutting down; come back soon" };
    if (this.sockets.size <= this.limits.connections) return undefined;
    const message = `The server has ${this.limits.connections} connections, which is its limit; close some`;
    return { code: "TOO_MANY_CONNECTIONS", message };
  }

  /** False when the request was refused before anyone looked at it. */
  private begin(request: IncomingMessage, response: ServerResponse): boolean {
    this.responses.set(request.socket, response);
    const refusal = this.refusal();
    if (!refusal) return true;
    response.setHeader("Connection", "close");
    send(response, rejectionAnswer(refusal));
    return false;
  }

  /** What arrived is no request, or did not arrive in time. */
  private unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const hasAnswer = this.responses.get(socket)?.headersSent ?? false;
    if (!socket.writable || error.code === "ECONNRESET" || hasAnswer) return void socket.destroy();
    const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    const rejection: Rejection = isLate
      ? { code: "REQUEST_TIMEOUT", message: "The request did not arrive whole in time; send it again" }
      : {
          code: "BAD_REQUEST",
          message: `This is not HTTP as it should be: ${error.message}`,
          facts: { issues: [] },
        };
    socket.end(rawAnswer(rejectionAnswer(rejection)), () => socket.destroy());
  }
}

export function refuseUpgrade(socket: Socket, rejection: Rejection): void {
  socket.on("error", () => socket.destroy());
  socket.end(rawAnswer(rejectionAnswer(rejection)), () => socket.destroy());
}
