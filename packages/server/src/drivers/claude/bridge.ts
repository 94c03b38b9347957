import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { type Json, parseRecord } from "../json.ts";
import type { SpawnedProcess, SpawnOptions } from "./sdk-types.ts";

export interface BridgeOptions {
  /** A message the SDK wrote; `written` resolves when the agent's input has taken it. */
  readonly onWrite: (message: Json, written: Promise<void>) => void;
}

/**
 * The process as the SDK sees it. The SDK calls `stdin.end()` and `kill()` whenever a query or its host ends (0.3.325),
 * and both are ignored: the agent outlives them, and the connection ends it when its turn is over.
 */
class ProcessHandle extends EventEmitter implements SpawnedProcess {
  readonly stdin: Writable;
  readonly stdout = new PassThrough();
  readonly killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;

  constructor(stdin: Writable) {
    super();
    this.stdin = stdin;
  }

  kill(): boolean {
    return true;
  }
}

/** Passes the SDK's input to a process of our own layer, and passes on the output lines the SDK has to handle. */
export class ProcessBridge {
  readonly #handle: ProcessHandle;
  readonly #connected = Promise.withResolvers<(line: string) => Promise<void>>();
  readonly #onWrite: BridgeOptions["onWrite"];
  #wanted: SpawnOptions | undefined;
  #isReleased = false;

  constructor({ onWrite }: BridgeOptions) {
    this.#onWrite = onWrite;
    const write = (chunk: string | Buffer, _encoding: string, done: () => void): void => {
      void this.#pass(chunk.toString()).then(done);
    };
    this.#handle = new ProcessHandle(new Writable({ decodeStrings: false, write }));
  }

  /** The command the SDK would start; the caller starts it. */
  get wanted(): SpawnOptions {
    if (this.#wanted === undefined) throw new Error("The SDK has not asked for a process");
    return this.#wanted;
  }

  readonly spawn = (options: SpawnOptions): SpawnedProcess => {
    this.#wanted = options;
    return this.#handle;
  };

  /** Writes everything the SDK has written so far, and everything that follows. */
  connect(write: (line: string) => Promise<void>): void {
    this.#connected.resolve(write);
  }

  feed(line: string): void {
    if (!this.#isReleased) this.#handle.stdout.write(`${line}\n`);
  }

  /** The process has ended or was released, which is the same to the SDK. Nothing is written from now on. */
  release(exit?: { readonly code: number | null; readonly signal: string | null }): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const handle = this.#handle;
    handle.signalCode = (exit?.signal ?? null) as NodeJS.Signals | null;
    // If the exit was not seen, both values are unknown; the SDK would take that for a running process.
    handle.exitCode = exit?.code ?? (handle.signalCode === null ? 0 : null);
    handle.stdout.end();
    handle.emit("exit", handle.exitCode, handle.signalCode);
  }

  /** Never rejects: a failed write means the agent has ended, which is reported elsewhere. */
  async #pass(line: string): Promise<void> {
    const write = await this.#connected.promise;
    if (this.#isReleased) return;
    const written = write(line);
    const message = parseRecord(line);
    if (message) this.#onWrite(message, written);
    await written.catch(() => undefined);
  }
}
