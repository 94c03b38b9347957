import type { IncomingMessage, ServerResponse } from "node:http";
import type { EncodedEvent } from "../../ports.ts";
import type { Right } from "../gate/gate.ts";
import type { UnreadBytes } from "../http/unread-bytes.ts";
import { type SseFrame, sseFrame, sseFrames } from "./encode.ts";
import { follow, type Sink, type Source } from "./follow.ts";
import type { OpenStreams } from "./open-streams.ts";
import { Outlet } from "./outlet.ts";

export interface SseOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly right: Right;
  readonly streams: OpenStreams;
  readonly unread: UnreadBytes;
  readonly clientBuffer: number;
}

const head = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  // A proxy that buffers frames would delay live streams.
  "X-Accel-Buffering": "no",
};

const heartbeat = Buffer.from(": hb\n\n");

/** An open text/event-stream. Frames are written directly to the response: one write for a whole batch. */
export class SseStream implements Sink {
  private readonly options: SseOptions;
  private readonly outlet: Outlet;
  private following: Disposable | undefined;

  constructor(options: SseOptions) {
    const { response, streams, unread, right, clientBuffer } = options;
    this.options = options;
    this.outlet = new Outlet({
      stream: response,
      budget: clientBuffer,
      cut: () => response.destroy(),
      destroy: () => response.destroy(),
      unread,
      count: (bytes) => {
        streams.bytes += bytes;
      },
    });
    const forget = streams.add({
      kind: "sse",
      login: right.by === "cookie" ? right.login : undefined,
      beat: () => this.outlet.live(heartbeat),
      end: () => this.end(),
    });
    const closed = () => {
      this.following?.[Symbol.dispose]();
      forget();
    };
    // The client may have left while its request was checked: then the event has already fired.
    if (response.closed) closed();
    else response.on("close", closed);
    response.writeHead(200, head);
    response.write("retry: 1000\n\n");
    // Only the head was requested: there is nothing to follow.
    if (options.request.method === "HEAD") response.end();
  }

  /** A frame of our own, not from the source: a snapshot, a receipt. */
  first(frame: SseFrame): void {
    this.outlet.bulk(Buffer.from(sseFrame(frame)));
  }

  follow(source: Source, after: number, sink: Sink = this): void {
    if (this.outlet.isOpen) this.following = follow({ source, after, sink });
  }

  async replay(events: readonly EncodedEvent[]): Promise<boolean> {
    this.options.streams.events += events.length;
    this.outlet.bulk(sseFrames(events));
    return this.outlet.taken();
  }

  live(events: readonly EncodedEvent[]): boolean {
    if (this.outlet.isBehind) return false;
    this.options.streams.events += events.length;
    this.outlet.live(sseFrames(events));
    return true;
  }

  taken(): Promise<boolean> {
    return this.outlet.taken();
  }

  fail(): void {
    this.options.response.destroy();
  }

  end(): void {
    this.following?.[Symbol.dispose]();
    this.options.response.end();
  }
}
