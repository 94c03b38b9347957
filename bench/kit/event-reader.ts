// A minimal client of a session's event stream: one socket, one pass, one parse per frame.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { StringDecoder } from "node:string_decoder";
import type { SessionEvent } from "@drover/core";
import { bearer } from "../../test/kit/http.ts";
import type { Target } from "../../test/kit/server.ts";
import { now } from "./unit.ts";

/** The retry interval while the server is down. */
const RETRY_MS = 5;

export interface EventReaderOptions {
  /** Called for every connection, because the server may have been replaced. */
  readonly target: () => Target;
  readonly sessionId: string;
  /** Where to begin; by default with the first event. */
  readonly after?: number;
  /** Called when a stream is open; later events arrive live. */
  readonly onOpen?: () => void;
  /** `at` is when the frame was read, in microseconds of `now()`. */
  readonly onFrame: (frame: SessionEvent, at: number) => void;
  /** `JSON.parse`, unless there are so many readers that it would dominate the measurement. */
  readonly decode?: (data: string) => SessionEvent;
}

/**
 * Reads from one event on, and reconnects with its cursor whenever the connection ends because the server died or found
 * this client too slow.
 */
export class EventReader implements Disposable {
  readonly #options: EventReaderOptions;
  readonly #decode: (data: string) => SessionEvent;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #isStalled = false;
  #retry: NodeJS.Timeout | undefined;
  #isWanted = true;
  /** The last number read. */
  cursor: number;
  /** How many streams were opened, and where the last one began. */
  connections = 0;
  resumedAt = 0;
  bytes = 0;
  /** Frames that did not start where the previous one ended. */
  gaps = 0;

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.cursor = options.after ?? 0;
    this.#decode = options.decode ?? JSON.parse;
    this.#connect();
  }

  /** Disconnects, even in the middle of a frame. */
  drop(): void {
    this.#isWanted = false;
    clearTimeout(this.#retry);
    this.#request?.destroy();
    this.#request = undefined;
  }

  resume(): void {
    this.#isWanted = true;
    this.#connect();
  }

  /** Stays connected and reads nothing, like a suspended program. */
  stall(): void {
    this.#isStalled = true;
    this.#response?.pause();
  }

  goOn(): void {
    this.#isStalled = false;
    this.#response?.resume();
  }

  [Symbol.dispose](): void {
    this.drop();
  }

  #connect(): void {
    const { target, sessionId } = this.#options;
    const at = target();
    const url = new URL(`/api/sessions/${sessionId}/events?after=${this.cursor}`, at.url);
    const own = request(url, { agent: false, headers: bearer(at) }, (response) => {
      if (response.statusCode !== 200) return void own.destroy();
      this.connections++;
      this.#options.onOpen?.();
      this.resumedAt = this.cursor;
      this.#read(response, () => this.#request === own);
    });
    own.on("error", () => undefined).on("close", () => this.#again(own));
    own.end();
    this.#request = own;
  }

  #again(ended: ClientRequest): void {
    if (this.#isWanted && this.#request === ended) this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
  }

  #read(response: IncomingMessage, isCurrent: () => boolean): void {
    const decoder = new StringDecoder("utf8");
    let pending = "";
    this.#response = response;
    response
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        this.bytes += chunk.length;
        const text = pending + decoder.write(chunk);
        let from = 0;
        for (let end = text.indexOf("\n\n"); end !== -1 && isCurrent(); end = text.indexOf("\n\n", from)) {
          this.#block(text, from, end);
          from = end + 2;
        }
        pending = text.slice(from);
      });
    if (this.#isStalled) response.pause();
  }

  #block(text: string, from: number, end: number): void {
    const data = text.indexOf("data: ", from);
    if (data === -1 || data > end) return; // a heartbeat, or the retry interval
    const frame = this.#decode(text.slice(data + 6, end));
    if (frame.from !== this.cursor + 1) this.gaps++;
    this.cursor = frame.seq;
    this.#options.onFrame(frame, now());
  }
}
