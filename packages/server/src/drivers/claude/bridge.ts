import { EventEmitter } from "node:events";
import { PassThrough, Writable } from "node:stream";
import { type Json, parseRecord } from "../json.ts";
import type { SpawnedProcess, SpawnOptions } from "./sdk-types.ts";

export interface BridgeOptions {
  /** A message the SDK wrote; `written` resolves when the agent's input took it. */
  readonly onWrite: (message: Json, written: Promise<void>) => void;
}

/**
 * The process as the SDK sees it. `stdin.end()` and `kill()` are wishes that the SDK has whenever a query or its host
 * ends (0.3.325): the agent outlives both, and the connection ends it when its turn has.
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

/**
 * Takes the SDK's input to a process of our own layer, and gives the SDK those lines of its output that it has
 * something to do with.
 */
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

  /** What the SDK would start; the caller does it. */
  get wanted(): SpawnOptions {
    if (this.#wanted === undefined) throw new Error("The SDK has not asked for a process");
    return this.#wanted;
  }

  readonly spawn = (options: SpawnOptions): SpawnedProcess => {
    this.#wanted = options;
    return this.#handle;
  };

  /** What the SDK has written until now goes out, and all that follows. */
  connect(write: (line: string) => Promise<void>): void {
    this.#connected.resolve(write);
  }

  feed(line: string): void {
    if (!this.#isReleased) this.#handle.stdout.write(`${line}\n`);
  }

  /** The process has ended, or is let go of: for the SDK that is the same. Nothing is written from now on. */
  release(exit?: { readonly code: number | null; readonly signal: string | null }): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const handle = this.#handle;
    handle.signalCode = (exit?.signal ?? null) as NodeJS.Signals | null;
    // Of an exit that nobody saw neither is known; the SDK would take that for a process that runs.
    handle.exitCode = exit?.code ?? (handle.signalCode === null ? 0 : null);
    handle.stdout.end();
    handle.emit("exit", handle.exitCode, handle.signalCode);
  }

  /** Never rejects: a failed write is the agent's end, which is told by other means. */
  async #pass(line: string): Promise<void> {
    const write = await this.#connected.promise;
    if (this.#isReleased) return;
    const written = write(line);
    const message = parseRecord(line);
    if (message) this.#onWrite(message, written);
    await written.catch(() => undefined);
  }
}
