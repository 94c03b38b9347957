import { closeSync, type FSWatcher, fstatSync, read, readSync, watch } from "node:fs";
import { promisify } from "node:util";
import { openRegularSync } from "./regular-file.ts";

const readAsync = promisify(read);

export interface SpoolReaderOptions {
  readonly path: string;
  /** Where to start, in bytes. */
  readonly offset: number;
  /**
   * Gets every byte once and in order. It is awaited before the next chunk is read, and never runs twice at once. It
   * may keep the chunk, which has its own memory.
   */
  readonly onChunk: (chunk: Buffer, start: number) => Promise<void> | void;
  /** `onChunk` or the file failed; the reader is already closed. */
  readonly onError: (error: unknown) => void;
}

/** Measured: with twice this size the resulting strings grow the heap by half; with half of it, reading costs more. */
const CHUNK = 512 * 1024;
/** Just written and therefore in the page cache: a synchronous read is faster than a trip through the thread pool. */
const READ_IN_PLACE = 64 * 1024;
const POLL_MS = 1000;
/** If the kernel has no watches left, polling has to do. */
const POLL_WITHOUT_WATCH_MS = 50;

interface Waiter {
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Follows a file that only grows. Woken by `fs.watch`, which may miss a write on some file systems, and once a second
 * in addition; reads to the end each time.
 */
export class SpoolReader implements Disposable {
  readonly #options: SpoolReaderOptions;
  readonly #fd: number;
  readonly #watcher: FSWatcher | undefined;
  readonly #poll: NodeJS.Timeout;
  #position: number;
  #reading = false;
  #isReadUnderWay = false;
  #closed = false;
  #waiters: Waiter[] = [];

  constructor(options: SpoolReaderOptions) {
    this.#options = options;
    this.#position = options.offset;
    this.#fd = openRegularSync(options.path);
    this.#watcher = this.#watch();
    const wake = (): void => this.#wake();
    this.#poll = setInterval(wake, this.#watcher === undefined ? POLL_WITHOUT_WATCH_MS : POLL_MS);
    queueMicrotask(wake);
  }

  /** Everything before it has been handed over and handled by `onChunk`. */
  get position(): number {
    return this.#position;
  }

  /** Bytes in the file that have not been handed over yet. */
  lag(): number {
    return this.#closed ? 0 : Math.max(0, fstatSync(this.#fd).size - this.#position);
  }

  /** Resolves when everything now in the file has been handed over; rejects if the reader is closed first. */
  drain(): Promise<void> {
    if (this.#closed) return Promise.reject(closedEarly());
    const until = fstatSync(this.#fd).size;
    if (this.#position >= until) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiters.push({ until, resolve, reject });
      this.#wake();
    });
  }

  /** Nothing is handed over after this; a chunk that is being handled is not interrupted. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#watcher?.close();
    clearInterval(this.#poll);
    // A read in progress still uses the descriptor and closes it afterwards.
    if (!this.#isReadUnderWay) closeSync(this.#fd);
    for (const waiter of this.#waiters.splice(0)) waiter.reject(closedEarly());
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#options.path, () => this.#wake());
      watcher.on("error", () => watcher.close());
      return watcher;
    } catch {
      return undefined;
    }
  }

  #wake(): void {
    if (this.#reading || this.#closed) return;
    this.#reading = true;
    this.#readToEnd().then(
      () => this.#doneReading(),
      (error: unknown) => {
        this.#doneReading();
        this.close();
        this.#options.onError(error);
      },
    );
  }

  #doneReading(): void {
    this.#reading = false;
  }

  async #readToEnd(): Promise<void> {
    for (let first = true; !this.#closed; first = false) {
      const available = fstatSync(this.#fd).size - this.#position;
      if (available <= 0) return;
      const chunk = await this.#read(Math.min(available, CHUNK), first);
      if (chunk === undefined || chunk.length === 0) return;
      await this.#options.onChunk(chunk, this.#position);
      this.#position += chunk.length;
      this.#settle();
    }
  }

  /**
   * Undefined if it was closed in the meantime. Reads synchronously only for the `first` chunk after a wake: a writer
   * that never pauses must not block the event loop.
   */
  async #read(length: number, first: boolean): Promise<Buffer | undefined> {
    const buffer = Buffer.allocUnsafe(length);
    if (first && length <= READ_IN_PLACE) {
      return buffer.subarray(0, readSync(this.#fd, buffer, 0, length, this.#position));
    }
    this.#isReadUnderWay = true;
    try {
      const { bytesRead } = await readAsync(this.#fd, buffer, 0, length, this.#position);
      return this.#closed ? undefined : buffer.subarray(0, bytesRead);
    } finally {
      this.#isReadUnderWay = false;
      if (this.#closed) closeSync(this.#fd);
    }
  }

  #settle(): void {
    if (this.#waiters.length === 0) return;
    const reached = this.#waiters.filter((waiter) => waiter.until <= this.#position);
    this.#waiters = this.#waiters.filter((waiter) => waiter.until > this.#position);
    for (const waiter of reached) waiter.resolve();
  }
}

function closedEarly(): Error {
  return new Error("The spool reader was closed before it had read everything");
}
