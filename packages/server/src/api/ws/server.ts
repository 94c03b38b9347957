import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Peer } from "../../ports.ts";
import type { Caller } from "../../service.ts";
import type { ApiContext } from "../context.ts";
import type { Right } from "../gate/gate.ts";
import { maxBodyBytes } from "../http/body.ts";
import { dismiss } from "../http/http-server.ts";
import type { Connection } from "./connection.ts";
import { textFrame } from "./frame.ts";

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly right: Right;
  readonly caller: Caller;
  readonly peer: Peer;
}

/** Feed entries that every socket gets: what session lists and inboxes are made of. */
const forEveryone: ReadonlySet<string> = new Set([
  "agent:status",
  "session:archived",
  "session_upserted",
  "session_removed",
  "interaction_opened",
  "interaction_resolved",
  "interaction_followed_up",
]);

/** All WebSockets, and what all of them are sent. */
export class Sockets implements Disposable {
  private readonly context: ApiContext;
  private readonly connections = new Set<Connection>();
  private readonly subscriptions: Disposable[] = [];
  private started: ReturnType<Sockets["start"]> | undefined;

  constructor(context: ApiContext) {
    this.context = context;
  }

  /** Completes an upgrade that the gate has admitted. */
  async accept({ request, socket, head, ...who }: Upgrade): Promise<void> {
    this.started ??= this.start();
    const { server, Connection, messages } = await this.started;
    server.handleUpgrade(request, socket, head, (ws) => {
      const connection = new Connection({ ws, socket, ...who, context: this.context, messages });
      this.connections.add(connection);
      ws.on("close", () => this.connections.delete(connection));
    });
  }

  [Symbol.dispose](): void {
    for (const subscription of this.subscriptions) subscription[Symbol.dispose]();
  }

  private broadcast(text: string): void {
    if (this.connections.size === 0) return;
    const frame = textFrame(text);
    for (const connection of this.connections) connection.push(frame);
  }

  /** Created with the first upgrade: most servers start long before a page is opened, and some never see one. */
  private async start() {
    const [{ WebSocketServer }, { Connection }, { messagesFor }] = await Promise.all([
      import("ws"),
      import("./connection.ts"),
      import("./messages.ts"),
    ]);
    const { deps } = this.context;
    this.subscriptions.push(
      deps.onTurn((change) => this.broadcast(JSON.stringify({ type: "session:turn", ...change }))),
      deps.onStartFailure((failure) => this.broadcast(JSON.stringify({ type: "error", ...failure }))),
      deps.service.feed.subscribe(({ type, data }) => {
        if (forEveryone.has(type)) this.broadcast(data);
      }),
    );
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: maxBodyBytes,
      // A page also offers its key as a subprotocol, which is never chosen: an answer must not repeat it.
      handleProtocols: (offered) => offered.has("drover") && "drover",
    });
    server.on("wsClientError", ({ message }, socket) => {
      const reason = `This is not a WebSocket handshake: ${message}; see RFC 6455, version 13`;
      dismiss(socket as Socket, {
        code: "BAD_REQUEST",
        message: reason,
        facts: { issues: [{ path: "", message: reason }] },
      });
    });
    return { server, Connection, messages: messagesFor(this.context.operations) };
  }
}
