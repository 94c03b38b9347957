import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);

export type FifoErrorCode =
  /** Closed by us. */
  | "CLOSED"
  /** No process has it open for reading, or the last reader is gone. */
  | "NO_READER"
  /** The reader is stuck and too much is pending; nothing of this write was queued. */
  | "FULL"
  | "OTHER";

export class FifoError extends Error {
  override readonly name = "FifoError";
  readonly code: FifoErrorCode;

  constructor(code: FifoErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Creates a FIFO that only its owner can open. Node has no call for it; `mkfifo` is POSIX. */
export async function makeFifo(path: string): Promise<void> {
  await run("mkfifo", ["-m", "0600", "--", path]);
}

/** A prompt is at most 768 KB, and at most six times that as JSON: room for three. */
const MAX_PENDING = 16 * 1024 * 1024;

/**
 * Writes to a FIFO without ever blocking. `fs.write` would hold one of libuv's four threads for as long as the reader
 * is stuck, and four such readers would stop every file operation of the server; a socket waits in the poller.
 */
export class FifoWriter implements Disposable {
  readonly #socket: Socket;
  readonly #maxPending: number;
  #pending = 0;
  #end: FifoError | undefined;

  private constructor(fd: number, maxPending: number) {
    this.#maxPending = maxPending;
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on("error", (error) => {
      this.#end ??= translate(error);
    });
  }

  /** Throws `FifoError`: `NO_READER` if no process has the FIFO open for reading. */
  static open(path: string, maxPending = MAX_PENDING): FifoWriter {
    let fd: number;
    try {
      fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      throw translate(error);
    }
    try {
      return new FifoWriter(fd, maxPending);
    } catch (error) {
      closeSync(fd);
      throw translate(error);
    }
  }

  /** Accepted bytes that the kernel has not taken yet. */
  get pending(): number {
    return this.#pending;
  }

  /**
   * Resolves when the kernel has taken all of it, in the order of the calls; rejects with `FifoError`. A write is
   * queued completely or not at all, but one in progress when its reader died or `close()` was called may have arrived
   * in part.
   */
  write(data: string | Uint8Array): Promise<void> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    if (this.#pending > 0 && this.#pending + bytes.length > this.#maxPending) {
      const message = `The agent does not read its input: ${this.#pending} bytes are already waiting`;
      return Promise.reject(new FifoError("FULL", message));
    }
    this.#pending += bytes.length;
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => {
        this.#pending -= bytes.length;
        if (error === undefined || error === null) return resolve();
        this.#end ??= translate(error);
        reject(this.#end);
      });
    });
  }

  /** Never waits: bytes the kernel has not taken are dropped and their writes reject. */
  close(): void {
    this.#end ??= new FifoError("CLOSED", "The agent's input is closed");
    this.#socket.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

function translate(error: unknown): FifoError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENXIO" || code === "ENOENT" || code === "EPIPE") {
    return new FifoError("NO_READER", "No process reads the agent's input: it has ended", error);
  }
  return new FifoError("OTHER", `The agent's input cannot be written: ${String(error)}`, error);
}
