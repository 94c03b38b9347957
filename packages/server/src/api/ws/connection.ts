import type { Socket } from "node:net";
import { ok, type Rejection, type Result } from "@drover/core";
import type { WebSocket } from "ws";
import { callerRefusal, refusalOf } from "../../operations/admission.ts";
import type { Peer as OtherEnd } from "../../ports.ts";
import type { Caller } from "../../service.ts";
import type { ApiContext } from "../context.ts";
import type { Right } from "../gate/gate.ts";
import { rejectionOf } from "../http/failure.ts";
import { checkParams } from "../input/input.ts";
import { validate } from "../input/validate.ts";
import { Outlet } from "../stream/outlet.ts";
import { type Frame, textFrame } from "./frame.ts";
import type { Peer, SocketReply } from "./message.ts";
import type { SocketMessages } from "./messages.ts";
import { type Opening, type OpenRequest, openSession } from "./opening.ts";
import { type Asked, readAsked, refusalFrame } from "./protocol.ts";

/** How many requests of one socket are processed in parallel; more have to wait. */
const maxRunning = 32;
/** How long a socket may take to close; a slow one needs time to read what is pending. */
const farewellMs = 1_000;
const slowFarewellMs = 30_000;
const missedPings = 2;

export interface ConnectionOptions {
  readonly ws: WebSocket;
  readonly socket: Socket;
  readonly caller: Caller;
  readonly right: Right;
  /** The caller that opened the socket, for as long as it lasts. */
  readonly peer: OtherEnd;
  readonly context: ApiContext;
  readonly messages: SocketMessages;
}

/** One client's WebSocket: reads its requests, answers each with its requestId, and streams the sessions it opened. */
export class Connection implements Peer {
  readonly caller: Caller;
  readonly right: Right;
  readonly peer: OtherEnd;
  private readonly ws: WebSocket;
  private readonly context: ApiContext;
  private readonly messages: SocketMessages;
  private readonly outlet: Outlet;
  private readonly opened = new Map<string, Disposable>();
  private running = 0;
  private missed = 0;
  private hasEnded = false;
  private inOrder: Promise<void> = Promise.resolve();
  private readonly waiting: Asked[] = [];

  constructor({ ws, socket, caller, right, peer, context, messages }: ConnectionOptions) {
    this.ws = ws;
    this.caller = caller;
    this.right = right;
    this.peer = peer;
    this.context = context;
    this.messages = messages;
    this.outlet = new Outlet({
      stream: socket,
      budget: context.deps.config.streams.clientBuffer,
      cut: () => this.end(4008, "slow client"),
      destroy: () => ws.terminate(),
      unread: context.unread,
      count: (bytes) => {
        context.streams.bytes += bytes;
      },
    });
    const forget = context.streams.add({
      kind: "websocket",
      login: right.by === "cookie" ? right.login : undefined,
      beat: () => this.beat(),
      end: (because) =>
        because === "shutdown" ? this.end(1001, "the server is shutting down") : this.end(1008, "logged out"),
    });
    ws.on("message", (data, isBinary) => this.receive(isBinary ? undefined : String(data)));
    ws.on("pong", () => {
      this.missed = 0;
    });
    // Every failure also closes the socket, and nothing else has to be done.
    ws.on("error", () => {});
    ws.on("close", () => {
      this.hasEnded = true;
      forget();
      for (const opening of this.opened.values()) opening[Symbol.dispose]();
      this.opened.clear();
    });
  }

  /** A message for all sockets; already framed, because all get the same bytes. */
  push(frame: Uint8Array): void {
    if (!this.hasEnded) this.outlet.live(frame);
  }

  prepare(request: OpenRequest): Promise<Result<Opening, Rejection>> {
    const { deps, streams } = this.context;
    return openSession(request, {
      service: deps.service,
      streams,
      outlet: this.outlet,
      fail: () => this.end(1011, "could not read the log"),
    });
  }

  follow(opening: Opening): void {
    this.unfollow(opening.sessionId);
    if (!this.hasEnded) this.opened.set(opening.sessionId, opening.start());
  }

  unfollow(sessionId: string): boolean {
    this.opened.get(sessionId)?.[Symbol.dispose]();
    return this.opened.delete(sessionId);
  }

  private beat(): void {
    // While nothing is read, pongs are not seen either. That ends when the client reads what it requested, or is cut
    // off.
    if (!this.ws.isPaused) this.missed++;
    if (this.missed > missedPings) this.ws.terminate();
    else if (!this.hasEnded) this.ws.ping();
  }

  /** Closes the socket; from here on nothing is read, run or streamed. */
  private end(code: number, reason: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    for (const opening of this.opened.values()) opening[Symbol.dispose]();
    this.ws.close(code, reason);
    const timer = setTimeout(() => this.ws.terminate(), code === 4008 ? slowFarewellMs : farewellMs);
    this.ws.once("close", () => clearTimeout(timer));
  }

  private receive(text: string | undefined): void {
    if (this.hasEnded) return;
    this.waiting.push(readAsked(text, this.messages));
    this.pump();
  }

  /** Processes requests; reads no more while some are waiting, so that a client cannot flood us. */
  private pump(): void {
    while (this.running < maxRunning && !this.outlet.isBehind) {
      const asked = this.waiting.shift();
      if (!asked) break;
      this.running++;
      void this.work(asked)
        .then(() => this.outlet.taken())
        .then(() => {
          this.running--;
          this.pump();
        });
    }
    if (this.waiting.length === 0) {
      if (this.ws.isPaused) this.ws.resume();
      return;
    }
    this.ws.pause();
    if (this.running === 0) void this.outlet.taken().then((isTaken) => isTaken && this.pump());
  }

  private work(asked: Asked): Promise<void> {
    if (!asked.message?.inOrder) return this.answer(asked);
    this.inOrder = this.inOrder.then(() => this.answer(asked));
    return this.inOrder;
  }

  /** Never rejects: any failure becomes an answer with the requestId. */
  private async answer(asked: Asked): Promise<void> {
    // Nothing is prepared for a client that has not read what it requested before.
    if (this.outlet.isBehind && !(await this.outlet.taken())) return;
    const result = await this.run(asked).catch((error: unknown): Result<SocketReply, Rejection> => {
      const what = `socket ${asked.type}`;
      return { ok: false, error: rejectionOf(error, { logger: this.context.deps.logger, what }) };
    });
    if (this.hasEnded) return;
    const { requestId } = asked;
    const frame: Frame = result.ok ? result.value.frame : refusalFrame(asked, result.error);
    this.outlet.bulk(
      textFrame(JSON.stringify({ ...frame, ...(requestId === undefined ? {} : { requestId }) })),
    );
    if (result.ok) result.value.afterwards?.();
  }

  private async run(asked: Asked): Promise<Result<SocketReply, Rejection>> {
    const { message } = asked;
    if (!message) return { ok: false, error: asked.refusal };
    const { service } = this.context.deps;
    const closed = message.always ? undefined : service.refusing();
    const unwelcome = closed ?? callerRefusal(message, this);
    if (unwelcome) return { ok: false, error: unwelcome };
    const valid = validate(message.schema, asked.fields);
    if (!valid.ok) return valid;
    const sessionId = typeof asked.fields["sessionId"] === "string" ? asked.fields["sessionId"] : undefined;
    const known = sessionId === undefined ? ok({}) : checkParams({ id: encodeURIComponent(sessionId) });
    if (!known.ok) return known;
    const { peer, right } = this;
    const attempt = { operation: message, peer, right, sessionId, input: valid.value };
    const refused = await refusalOf(service, attempt);
    return refused ? { ok: false, error: refused } : message.handle(valid.value, this, this.context);
  }
}
