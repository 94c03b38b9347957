import type { ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Reader, UnreadBytes } from "../http/unread-bytes.ts";

/** Replay may take a while, but a client that reads nothing at all is gone. */
const stallMs = 60_000;
const stallMsPerMiB = 16_000;

export interface OutletOptions {
  readonly stream: Socket | ServerResponse;
  /** Unsent bytes above which a live client counts as slow. */
  readonly budget: number;
  /** Ends the connection of a client that does not keep up. */
  readonly cut: () => void;
  /** Closes it without a message, to free its memory. */
  readonly destroy: () => void;
  readonly unread: UnreadBytes;
  readonly count: (bytes: number) => void;
}

/**
 * One client's end of a stream, with two ways of writing. `live` never waits: a client that leaves more than its budget
 * unread is cut off and comes back with its cursor. `bulk` writes what was requested, a snapshot or a page of replay,
 * and `taken` waits until the client has it, so that neither grows the server. Requested data does not count as unread
 * live data; anything else does.
 */
export class Outlet {
  private readonly options: OutletOptions;
  private readonly reader: Reader;
  private draining: Promise<boolean> | undefined;
  /** Bytes of `bulk` that may not have been read yet. */
  private asked = 0;

  constructor(options: OutletOptions) {
    this.options = options;
    const { stream, unread, destroy } = options;
    this.reader = { cut: destroy };
    const hasTakenAll = () => unread.set(this.reader, 0);
    stream.on("drain", hasTakenAll).on("close", hasTakenAll);
  }

  get isOpen(): boolean {
    const { stream } = this.options;
    return stream.writable && !stream.writableEnded && !stream.destroyed;
  }

  /** The client is behind with data it requested: live data should wait and be read from the log instead. */
  get isBehind(): boolean {
    return this.asked > 0 && this.options.stream.writableLength > this.options.budget;
  }

  live(bytes: Uint8Array): void {
    this.write(bytes);
    if (this.options.stream.writableLength - this.asked > this.options.budget) this.options.cut();
  }

  bulk(bytes: Uint8Array): void {
    this.asked += bytes.byteLength;
    this.write(bytes);
    void this.taken();
  }

  /** True once everything written has been read; false if the client is gone or reads nothing. */
  taken(): Promise<boolean> {
    if (!this.isOpen) return Promise.resolve(false);
    if (!this.options.stream.writableNeedDrain) {
      this.asked = 0;
      return Promise.resolve(true);
    }
    this.draining ??= this.drained().finally(() => {
      this.draining = undefined;
    });
    return this.draining;
  }

  private write(bytes: Uint8Array): void {
    if (!this.isOpen) return;
    const { stream, count, unread } = this.options;
    count(bytes.byteLength);
    if (stream instanceof Socket) gather(stream);
    if (!stream.write(bytes)) unread.set(this.reader, stream.writableLength);
  }

  private drained(): Promise<boolean> {
    const { stream, cut } = this.options;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const patience = stallMs + (stream.writableLength / 1_048_576) * stallMsPerMiB;
    const settle = (taken: boolean) => {
      clearTimeout(timer);
      stream.off("drain", onDrain).off("close", onClose);
      if (taken) this.asked = 0;
      resolve(taken);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    const timer = setTimeout(() => {
      settle(false);
      cut();
    }, patience);
    stream.on("drain", onDrain).on("close", onClose);
    return promise;
  }
}

/** Writes of one tick go to the system in one call, like node:http does for its responses. */
function gather(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}
