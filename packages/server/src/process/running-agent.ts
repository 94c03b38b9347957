import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FifoError, type FifoWriter } from "./fifo.ts";
import type { ProcessIdentity } from "./identity.ts";
import { type Line, LineSplitter } from "./lines.ts";
import { Pace } from "./pace.ts";
import { SpoolReader } from "./spool.ts";
import { tailOf } from "./tail.ts";
import { killTree, pauseTree, resumeTree } from "./tree.ts";

export interface Exit {
  /** null if a signal ended it, or if it is unknown: the parent was killed before it could write it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** How many bytes the reader may lag: above `high` the agent is paused, below `low` it continues. */
export interface Pressure {
  readonly high: number;
  readonly low: number;
}

export const FILES = { input: "stdin", output: "stdout", errors: "stderr" } as const;
const PRESSURE: Pressure = { high: 64 * 1024 * 1024, low: 8 * 1024 * 1024 };
const PRESSURE_CHECK_MS = 250;

/** One run of an agent's program. It outlives this server; `detach` leaves it running, only `stop` ends it. */
export interface AgentProcess {
  /** The agent's parent, which leads its process group and ends with it (see parent.ts). */
  readonly identity: ProcessIdentity;
  /** The agent itself. */
  readonly pid: number;
  readonly directory: string;
  /** Resolves when the kernel has taken all of it; rejects with `FifoError`. */
  write(text: string): Promise<void>;
  /**
   * Starts reading the output at byte `from`, once per process. The handler gets some lines, is awaited before the next
   * ones, and never runs twice at once. A handler that throws is a bug: reading ends, `finished` rejects.
   */
  lines(handler: (batch: readonly Line[]) => Promise<void> | void, from?: number): void;
  /** The end of the last handled line: a later `lines` that starts here loses nothing and repeats nothing. */
  readonly position: number;
  /** Resolves when everything now in the spool has been handled, except an unfinished line. */
  drain(): Promise<void>;
  /** Resolves when the process is gone, and not before. Stays pending after `detach`. */
  readonly exited: Promise<Exit>;
  /** Resolves when it is gone and all its output has been handled, including a torn last line. */
  readonly finished: Promise<Exit>;
  stderrTail(bytes?: number): Promise<string>;
  /** Ends the whole tree within `grace` + 1 s, including what remains of it after the agent itself is gone. */
  stop(options: { readonly mark: string; readonly grace: number }): Promise<{ survivors: ProcessIdentity[] }>;
  /**
   * Pauses the agent until `resume`, also across `detach`: used while its output cannot be stored. `attachAgentProcess`
   * resumes it.
   */
  pause(): void;
  resume(): void;
  /** Closes our handles and leaves the agent running. */
  detach(): void;
}

export interface RunningAgentParts {
  readonly identity: ProcessIdentity;
  readonly pid: number;
  readonly directory: string;
  readonly offset: number;
  /** For a conversation; removed when the process is gone. */
  readonly fifo: string | undefined;
  /** Absent if the input is a file, or if the FIFO has no reader. */
  readonly writer: FifoWriter | undefined;
  readonly exited: Promise<Exit>;
  /** Stops watching for the exit: `exited` stays pending. */
  readonly release: () => void;
  readonly pressure?: Pressure | undefined;
}

export class RunningAgent implements AgentProcess {
  readonly identity: ProcessIdentity;
  readonly pid: number;
  readonly directory: string;
  readonly exited: Promise<Exit>;
  readonly finished: Promise<Exit>;
  readonly #parts: RunningAgentParts;
  readonly #pressure: Pressure;
  readonly #done = Promise.withResolvers<Exit>();
  readonly #started = Promise.withResolvers<{ reader: SpoolReader; last: () => Promise<void> }>();
  #reader: SpoolReader | undefined;
  #pressureCheck: NodeJS.Timeout | undefined;
  #position: number;
  /** Paused as long as there is a reason. */
  readonly #pausedFor = new Set<"caller" | "pressure">();
  #stopping = false;
  #detached = false;
  #complete = false;

  constructor(parts: RunningAgentParts) {
    this.#parts = parts;
    this.identity = parts.identity;
    this.pid = parts.pid;
    this.directory = parts.directory;
    this.exited = parts.exited;
    this.finished = this.#done.promise;
    this.#pressure = parts.pressure ?? PRESSURE;
    this.#position = parts.offset;
    this.#conclude().catch((error: unknown) => {
      if (!this.#detached) this.#done.reject(error);
    });
  }

  get position(): number {
    return this.#position;
  }

  write(text: string): Promise<void> {
    const { writer } = this.#parts;
    return (
      writer?.write(text) ?? Promise.reject(new FifoError("CLOSED", "This agent accepts no further input"))
    );
  }

  lines(handler: (batch: readonly Line[]) => Promise<void> | void, from = this.#position): void {
    if (this.#reader !== undefined) throw new Error("The output of this process is already being read");
    this.#position = from;
    const splitter = new LineSplitter({ offset: from });
    const pace = new Pace();
    const handle = async (batch: Line[]): Promise<void> => {
      await pace.each(batch, async (lines) => {
        // Another server may have taken over between two slices.
        if (this.#detached) return false;
        await handler(lines);
        this.#position = lines.at(-1)?.end ?? this.#position;
        return true;
      });
    };
    const reader = new SpoolReader({
      path: join(this.directory, FILES.output),
      offset: from,
      onChunk: (chunk) => {
        this.#relieve();
        return handle(splitter.push(chunk));
      },
      onError: (error) => {
        this.#closeReader();
        this.#done.reject(error);
      },
    });
    this.#reader = reader;
    this.#pressureCheck = setInterval(() => this.#relieve(), PRESSURE_CHECK_MS);
    this.#started.resolve({ reader, last: () => handle(splitter.finish()) });
  }

  async drain(): Promise<void> {
    if (this.#complete) return;
    if (this.#reader === undefined) throw new Error("The output of this process is not being read yet");
    await this.#reader.drain();
  }

  async stderrTail(bytes = 4096): Promise<string> {
    return tailOf(join(this.directory, FILES.errors), bytes);
  }

  async stop(options: {
    readonly mark: string;
    readonly grace: number;
  }): Promise<{ survivors: ProcessIdentity[] }> {
    this.#stopping = true;
    this.#pausedFor.clear();
    return killTree({ identity: this.identity, ...options });
  }

  pause(): void {
    this.#pause("caller");
  }

  resume(): void {
    this.#resume("caller");
  }

  detach(): void {
    this.#detached = true;
    this.#parts.release();
    this.#parts.writer?.close();
    this.#closeReader();
    this.#resume("pressure");
  }

  async #conclude(): Promise<void> {
    const exit = await this.exited;
    this.#parts.writer?.close();
    if (this.#parts.fifo !== undefined) await rm(this.#parts.fifo, { force: true });
    const { reader, last } = await this.#started.promise;
    await reader.drain();
    await last();
    this.#complete = true;
    this.#closeReader();
    this.#done.resolve(exit);
  }

  #closeReader(): void {
    clearInterval(this.#pressureCheck);
    this.#reader?.close();
  }

  /** A file gives its writer no back-pressure, so the agent is paused instead. */
  #relieve(): void {
    const lag = this.#reader?.lag() ?? 0;
    if (lag > this.#pressure.high) this.#pause("pressure");
    else if (lag < this.#pressure.low) this.#resume("pressure");
  }

  #pause(reason: "caller" | "pressure"): void {
    if (this.#stopping) return;
    if (this.#pausedFor.size === 0) pauseTree(this.identity);
    this.#pausedFor.add(reason);
  }

  #resume(reason: "caller" | "pressure"): void {
    if (this.#pausedFor.delete(reason) && this.#pausedFor.size === 0) resumeTree(this.identity);
  }
}
