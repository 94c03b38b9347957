import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Rejection } from "@drover/core";
import { operations } from "../operations/index.ts";
import type { ApiContext } from "./context.ts";
import { type ApiDeps, defaultLimits } from "./deps.ts";
import { Auth } from "./gate/auth.ts";
import { callerOf } from "./gate/caller.ts";
import { setCookie } from "./gate/cookies.ts";
import { Gate, pathOf, type Verdict } from "./gate/gate.ts";
import { rejectionAnswer, send } from "./http/answer.ts";
import { Dispatcher } from "./http/dispatch.ts";
import { rejectionOf } from "./http/failure.ts";
import { dismiss, HttpServer } from "./http/http-server.ts";
import { Pages } from "./http/pages.ts";
import { Router } from "./http/router.ts";
import { UnreadBytes } from "./http/unread-bytes.ts";
import { routesFor } from "./routes/index.ts";
import { OpenStreams } from "./stream/open-streams.ts";
import { feedSource } from "./stream/session-source.ts";
import { Sockets } from "./ws/server.ts";

export interface Api {
  /** Rejects if the port is taken. */
  listen(): Promise<{ port: number; url: string }>;
  /** Ends streams gracefully, answers open requests, closes the rest. */
  close(): Promise<void>;
  /** For the login link that `serve` prints. */
  mintLoginCode(): string;
}

/** Everything between a socket and the service. */
export function createApi(deps: ApiDeps): Api {
  const startedAt = performance.now();
  let port = deps.config.server.port;
  let gate: Gate | undefined;
  const { token, ...store } = deps.auth;
  const auth: Auth = new Auth({
    token,
    store,
    logger: deps.logger,
    clock: deps.clock ?? (() => performance.now()),
    now: deps.now ?? Date.now,
    onEnded: (login) => context.streams.endLogin(login),
  });
  const table = deps.operations ?? operations;
  const routes = routesFor(table);
  const described = () => ({ routes, version: deps.version, port });
  const limits = { ...defaultLimits, ...deps.limits };
  const context: ApiContext = {
    deps,
    auth,
    operations: table,
    limits,
    unread: new UnreadBytes(limits.unreadBytes),
    streams: new OpenStreams(deps.config.streams.heartbeat, (login) => auth.logins.use(login)),
    feed: feedSource(deps.service.feed),
    pages: new Pages(deps.webDirectory),
    description: {
      openApi: async () => (await import("./describe/openapi.ts")).openApi(described()),
      page: async () => {
        const [{ docsPage }, { messagesFor }] = await Promise.all([
          import("./describe/docs.ts"),
          import("./ws/messages.ts"),
        ]);
        return docsPage(described(), messagesFor(table));
      },
    },
    port: () => port,
    url: () => urlOf(deps.config.server.bind, port),
    uptime: () => performance.now() - startedAt,
  };
  const sockets = new Sockets(context);
  const router = new Router(routes);
  const dispatcher = new Dispatcher(context, router);

  const judge = (request: IncomingMessage, isUpgrade: boolean) => {
    if (!gate) throw new Error("A request arrived before the server knew its own address");
    return gate.judge(request, isUpgrade);
  };

  /** An authenticated connection is never closed to make room for others. */
  const known = async (socket: Socket, verdict: Verdict): Promise<Verdict> => {
    if (!verdict.admitted || verdict.right.by === "public" || verdict.right.by === "page") return verdict;
    const refusal = await server.trust(socket, async () => (await deps.peerOf(socket)) === "person");
    return refusal ? { admitted: false, rejection: refusal } : verdict;
  };

  const onRequest = async (request: IncomingMessage, response: ServerResponse, proceed: () => void) => {
    try {
      const verdict = await known(request.socket, judge(request, false));
      if (verdict.admitted && verdict.renew) response.setHeader("Set-Cookie", setCookie(port, verdict.renew));
      if (verdict.admitted) await dispatcher.dispatch({ request, response, right: verdict.right, proceed });
      else if (verdict.redirect) {
        send(response, { status: 303, headers: { Location: verdict.redirect }, body: "" }, context);
      } else send(response, rejectionAnswer(verdict.rejection), context);
    } catch (error) {
      send(response, rejectionAnswer(rejectionOf(error, { logger: deps.logger, what: "the gate" })), context);
    }
  };

  const onUpgrade = async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A client that disconnects before it is upgraded is not our failure.
    socket.on("error", () => socket.destroy());
    const refuse = (rejection: Rejection) => dismiss(socket, rejection);
    try {
      const verdict = await known(socket, judge(request, true));
      if (!verdict.admitted) return refuse(verdict.rejection);
      const { right } = verdict;
      if (request.method !== "GET" || pathOf(request) !== "/ws") {
        const message = `There is no WebSocket at ${request.method} ${pathOf(request)}; it is at GET /ws`;
        return refuse({ code: "NOT_FOUND", message, facts: { what: "route" } });
      }
      // A browser cannot set headers on a WebSocket: the page names itself in the URL.
      const named = new URLSearchParams((request.url ?? "").split("?")[1]).get("clientId") ?? undefined;
      const peer = await deps.peerOf(socket);
      const caller = callerOf({ request, right, peer, named });
      if (!caller.ok) return refuse(caller.error);
      await sockets.accept({ request, socket, head, right, peer, caller: caller.value });
    } catch (error) {
      refuse(rejectionOf(error, { logger: deps.logger, what: "the upgrade" }));
    }
  };

  const server = new HttpServer({ request: onRequest, upgrade: onUpgrade }, context);

  return {
    async listen() {
      const { bind, hosts } = deps.config.server;
      await auth.logins.load();
      port = await server.listen(port, hostsOf(bind));
      gate = new Gate({
        ...{ auth, port, bind, hosts },
        isPublic: (method, path) => router.isPublic(method, path),
        isPageFile: (method, path) => router.isPageFile(method, path),
      });
      return { port, url: context.url() };
    },
    async close() {
      const closing = server.close();
      context.streams.endAll();
      await closing;
      sockets[Symbol.dispose]();
    },
    mintLoginCode: () => auth.mintLoginCode(),
  };
}

/**
 * A client given `localhost` tries ::1 first, where another user's program could be waiting for the login link: a
 * server on one loopback address takes the port on both.
 */
function hostsOf(bind: string): readonly string[] {
  if (bind === "127.0.0.1" || bind === "localhost") return ["127.0.0.1", "::1"];
  return bind === "::1" ? ["::1", "127.0.0.1"] : [bind];
}

/** The server's URL for a person on this machine; a wildcard address is reached by loopback. */
function urlOf(bind: string, port: number): string {
  const host =
    bind === "0.0.0.0" ? "127.0.0.1" : bind === "::" ? "[::1]" : bind.includes(":") ? `[${bind}]` : bind;
  return `http://${host}:${port}`;
}
