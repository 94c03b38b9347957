// A server with the routes that commands need and a log that the test writes, to test answers, frames and broken
// connections one by one. It records its requests.
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Interaction, Session } from "@drover/core";
import { until } from "../../../../test/kit/until.ts";
import { identify } from "../../src/process/identity.ts";
import { aSession, type EventFields, messageId, sessionId, turnId } from "./fixtures.ts";

export const token = "0123456789abcdef";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

/** An answer: a status and a body, which is sent as JSON unless it is text or bytes. */
export interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

export type Handler = (asked: Asked) => Reply | Promise<Reply>;

export class FakeServer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  /** By `METHOD /path`, where `:id` stands for any session; later ones replace earlier ones. */
  readonly routes: Record<string, Handler> = {};
  session = aSession();
  interactions: Interaction[] = [];
  /** The list over all sessions, where it differs from that of one session. */
  listed: Interaction[] | undefined;
  private readonly log: { seq: number; text: string }[] = [];
  private readonly streams = new Set<ServerResponse>();
  private server: Server | undefined;
  private readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  /** Starts listening and writes server.json in `home` for this process. */
  static async start(home: string): Promise<FakeServer> {
    const server = new FakeServer(home);
    await mkdir(home, { recursive: true });
    await writeFile(join(home, "token"), `${token}\n`);
    await server.listen();
    return server;
  }

  get url(): string {
    if (!this.server) throw new Error("the server does not listen");
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async listen(fields: Record<string, unknown> = {}, port = 0): Promise<void> {
    this.server = createServer((request, response) => void this.answer(request, response));
    this.server.listen(port, "127.0.0.1");
    await once(this.server, "listening");
    const about = {
      ...identify(process.pid),
      url: this.url,
      version: "0.1.0",
      startedAt: "2026-02-18T14:30:00.000Z",
    };
    await writeFile(join(this.home, "server.json"), JSON.stringify({ ...about, ...fields }));
  }

  /** Closes at once, including open responses. */
  async kill(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }

  /** Appends events to the session's log. `count` is how many numbers an event stands for. */
  append(...events: EventFields[]): void {
    for (const { count = 1, ...event } of events) {
      const from = (this.log.at(-1)?.seq ?? 0) + 1;
      const seq = from + Number(count) - 1;
      const data = JSON.stringify({ seq, from, at: "2026-02-18T14:30:01.000Z", sessionId, ...event });
      const text = `id: ${seq}\nevent: ${event.type}\ndata: ${data}\n\n`;
      this.log.push({ seq, text });
      this.session = { ...this.session, lastSeq: seq };
      for (const stream of this.streams) stream.write(text);
    }
  }

  /** Replaces the session's fields, but keeps the length of its log. */
  become(fields: Partial<Session>): void {
    this.session = aSession({ ...fields, lastSeq: this.session.lastSeq });
  }

  /** Waits for the first such request. */
  wasAsked(method: string, path: string | RegExp): Promise<Asked> {
    const isIt = (one: Asked) =>
      one.method === method && (typeof path === "string" ? one.path === path : path.test(one.path));
    return until(() => this.asked.find(isIt), { what: `${method} ${path} is asked` });
  }

  get openStreams(): number {
    return this.streams.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const path = request.url ?? "";
    const asked: Asked = {
      method: request.method ?? "",
      path,
      headers: request.headers,
      body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
    this.asked.push(asked);
    if (request.headers.authorization !== `Bearer ${token}` && path !== "/api/health") {
      reply(response, { status: 401, body: { error: "Log in first", code: "UNAUTHENTICATED" } });
      return;
    }
    const generic = path.replace(/\?.*/, "").replace(/^(\/api\/sessions\/)[^/]+/, "$1:id");
    const handler = this.routes[`${asked.method} ${generic}`] ?? this.standard[`${asked.method} ${generic}`];
    if (generic === "/api/sessions/:id/events" && !handler) this.stream(asked, response);
    else if (handler) reply(response, await handler(asked));
    else reply(response, { status: 404, body: { error: `No ${generic} here`, code: "NOT_FOUND" } });
  }

  private stream(asked: Asked, response: ServerResponse): void {
    const given = asked.headers["last-event-id"];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hb\n\nretry: 1000\n\n");
    if (given === undefined) response.write(this.snapshot());
    else for (const { seq, text } of this.log) if (seq > Number(given)) response.write(text);
    this.streams.add(response);
    response.on("close", () => this.streams.delete(response));
  }

  private snapshot(): string {
    const seq = this.log.at(-1)?.seq ?? 0;
    const { session, interactions } = this;
    const queue = { paused: false, messages: [] };
    const data = { type: "snapshot", seq, session, items: this.items, interactions, queue };
    return `id: ${seq}\nevent: snapshot\ndata: ${JSON.stringify(data)}\n\n`;
  }

  items: unknown[] = [];

  private readonly standard: Record<string, Handler> = {
    "GET /api/health": () => ({ body: { status: "ok", version: "0.1.0", uptime: 1 } }),
    "POST /api/login/codes": () => ({ status: 201, body: { login: `${this.url}/login#ANOTHER` } }),
    "GET /api/agents": () => ({ body: { agents: [] } }),
    "POST /api/sessions": ({ body }) => ({ status: 201, body: { ...this.session, ...body } }),
    "GET /api/sessions": () => ({ body: { sessions: [this.session] } }),
    "GET /api/sessions/:id": () => ({ body: this.session }),
    "POST /api/sessions/:id/messages": ({ body }) => ({
      status: 202,
      body: {
        messageId,
        clientMessageId: body["clientMessageId"],
        sessionId,
        turnId,
        queuePosition: 0,
        requested: "queue",
        applied: "started",
        cursor: this.log.at(-1)?.seq ?? 0,
      },
    }),
    "GET /api/sessions/:id/messages": () => ({ body: { items: this.items } }),
    "GET /api/interactions": ({ path }) => ({
      body: {
        interactions: path.endsWith("state=expired")
          ? []
          : path.includes("sessionId=")
            ? this.interactions
            : (this.listed ?? this.interactions),
      },
    }),
    "POST /api/sessions/:id/interrupt": () => ({ status: 202, body: { turnId } }),
    "POST /api/sessions/:id/stop": () => ({ status: 202, body: { ...this.session, state: "stopping" } }),
    "POST /api/sessions/:id/resume": () => ({ body: this.session }),
    "DELETE /api/sessions/:id": () => ({ body: { deleted: true } }),
    "POST /api/sessions/:id/approve": (asked) => this.settle(asked, "approved"),
    "POST /api/sessions/:id/deny": (asked) => this.settle(asked, "denied"),
    "POST /api/sessions/:id/submit-answers": (asked) => this.settle(asked, "answered"),
  };

  private settle({ body }: Asked, resolution: NonNullable<Interaction["resolution"]>): Reply {
    const found = this.interactions.find((one) => one.id === body["toolCallId"]);
    if (!found) return { status: 404, body: { error: "No open approval has that id", code: "NOT_FOUND" } };
    this.interactions = this.interactions.filter((one) => one !== found);
    const { id: interactionId, toolCallId, kind } = found;
    this.append({
      type: "interaction_resolved",
      turnId,
      interactionId,
      toolCallId,
      kind,
      resolution,
      by: "cli",
    });
    return { body: { ...found, state: "resolved", resolution, by: "cli" } };
  }
}

function reply(response: ServerResponse, { status = 200, body }: Reply): void {
  const isJson = typeof body !== "string" && !Buffer.isBuffer(body);
  response.writeHead(status, { "content-type": isJson ? "application/json" : "application/octet-stream" });
  response.end(isJson ? JSON.stringify(body) : body);
}
