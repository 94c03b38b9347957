// Many WebSockets like those of pages, each with several open sessions; every update is checked.
import { once } from "node:events";
import type { SessionEvent } from "@drover/core";
import { type RawData, WebSocket } from "ws";
import { bearer } from "../../test/kit/http.ts";
import type { Target } from "../../test/kit/server.ts";
import { Tally } from "./tally.ts";
import { now } from "./unit.ts";

/** A session and where its reader begins. */
export interface Opened {
  readonly id: string;
  readonly after: number;
}

interface Followed {
  readonly tally: Tally;
  cursor: number;
}

interface EventFrame {
  readonly sessionId: string;
  readonly seq: number;
  readonly from: number;
  readonly event: SessionEvent;
}

const eventHead = '{"type":"session:event"';
const historyHead = '{"type":"session:history"';

export class SocketCrowd implements Disposable {
  readonly #sockets: WebSocket[] = [];
  readonly #followed = new Map<string, Followed>();
  /** Frames that did not start where the previous one of their session ended. */
  gaps = 0;
  /** Sockets that the server closed. */
  closed = 0;

  /** Distributes the sessions evenly; resolves when all of them are open. */
  static async open(target: Target, sessions: readonly Opened[], size: number): Promise<SocketCrowd> {
    const crowd = new SocketCrowd();
    const shares = Array.from({ length: size }, (_, n) => sessions.filter((_one, at) => at % size === n));
    await Promise.all(shares.map((share) => crowd.#connect(target, share)));
    return crowd;
  }

  get tallies(): Tally[] {
    return [...this.#followed.values()].map(({ tally }) => tally);
  }

  async ended(): Promise<void> {
    await Promise.all(this.tallies.map(({ ended }) => ended));
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  async #connect(target: Target, sessions: readonly Opened[]): Promise<void> {
    const socket = new WebSocket(new URL("/ws", target.url.replace("http", "ws")), {
      headers: bearer(target),
    });
    this.#sockets.push(socket);
    await once(socket, "open");
    let opened = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on("message", (data: RawData) => {
      const text = String(data);
      if (text.startsWith(eventHead)) this.#take(JSON.parse(text) as EventFrame);
      else if (text.startsWith(historyHead) && ++opened === sessions.length) resolve();
    });
    socket.on("error", () => undefined).on("close", () => this.closed++);
    for (const { id, after } of sessions) {
      this.#followed.set(id, { tally: new Tally(), cursor: after });
      socket.send(
        JSON.stringify({ type: "session:open", requestId: id, sessionId: id, after, view: "events" }),
      );
    }
    await promise;
  }

  #take({ sessionId, seq, from, event }: EventFrame): void {
    const followed = this.#followed.get(sessionId);
    if (!followed) return;
    if (from !== followed.cursor + 1) this.gaps++;
    followed.cursor = seq;
    followed.tally.take(event, now());
  }
}
