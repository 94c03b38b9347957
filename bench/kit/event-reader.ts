// A client of a session's event stream that costs as little as a client can: one socket, one pass, one parse per frame.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { StringDecoder } from "node:string_decoder";
import type { SessionEvent } from "@drover/core";
import { bearer } from "../../test/kit/http.ts";
import type { Target } from "../../test/kit/server.ts";
import { now } from "./unit.ts";

/** A server that is not there yet is asked again this soon. */
const RETRY_MS = 5;

export interface EventReaderOptions {
  /** Asked at every connection: the server may be another one by then. */
  readonly target: () => Target;
  readonly sessionId: string;
  /** Where to begin; with the first event when it is not said. */
  readonly after?: number;
  /** A stream is open: what is said from now on comes live. */
  readonly onOpen?: () => void;
  /** `at` is when the frame was read, in microseconds of `now()`. */
  readonly onFrame: (frame: SessionEvent, at: number) => void;
  /** `JSON.parse`, unless so many read at once that it would be what is measured. */
  readonly decode?: (data: string) => SessionEvent;
}

/**
 * Reads from one event on, and comes back with its cursor whenever the connection ends, as it does when the
 * server dies or finds this client too slow.
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
  /** How often a stream was opened, and where the last one began. */
  connections = 0;
  resumedAt = 0;
  bytes = 0;
  /** Frames that did not begin where the last one ended. */
  gaps = 0;

  constructor(options: EventReaderOptions) {
    this.#options = options;
    this.cursor = options.after ?? 0;
    this.#decode = options.decode ?? JSON.parse;
    this.#connect();
  }

  /** Goes away in the middle of whatever is being sent. */
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

  /** Stays connected and takes nothing, as a program does that was stopped. */
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
    let rest = "";
    this.#response = response;
    response
      .on("error", () => undefined)
      .on("data", (chunk: Buffer) => {
        this.bytes += chunk.length;
        const text = rest + decoder.write(chunk);
        let from = 0;
        for (let end = text.indexOf("\n\n"); end !== -1 && isCurrent(); end = text.indexOf("\n\n", from)) {
          this.#block(text, from, end);
          from = end + 2;
        }
        rest = text.slice(from);
      });
    if (this.#isStalled) response.pause();
  }

  #block(text: string, from: number, end: number): void {
    const data = text.indexOf("data: ", from);
    if (data === -1 || data > end) return; // a heartbeat, or how soon to come back
    const frame = this.#decode(text.slice(data + 6, end));
    if (frame.from !== this.cursor + 1) this.gaps++;
    this.cursor = frame.seq;
    this.#options.onFrame(frame, now());
  }
}
