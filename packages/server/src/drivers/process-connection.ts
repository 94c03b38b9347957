import { type AgentFact, Fault } from "@drover/core";
import type { AgentExit, DriverHost } from "../ports.ts";
import type { AgentProcess } from "../process/agent-process.ts";
import type { Line } from "../process/lines.ts";
import { Ledger } from "./ledger.ts";

export interface ProcessParts {
  readonly sessionId: string;
  /** The agent's display name. */
  readonly name: string;
  readonly stopGraceMs: number;
  readonly process: AgentProcess;
  readonly host: DriverHost;
  /** An earlier server recorded everything before it. */
  readonly position: number;
}

/** What all connections share with regard to their process, whatever protocol they speak. */
export abstract class ProcessConnection {
  readonly pid: number;
  readonly caughtUp: Promise<void>;
  abstract readonly ended: Promise<AgentExit>;
  protected readonly ledger: Ledger;
  readonly #process: ProcessParts;
  readonly #caughtUp = Promise.withResolvers<void>();

  constructor(parts: ProcessParts) {
    this.#process = parts;
    this.pid = parts.process.pid;
    this.ledger = new Ledger(parts.host, { pid: this.pid, position: parts.position });
    this.caughtUp = this.#caughtUp.promise;
    // Avoid an unhandled rejection when nobody awaits this.
    this.caughtUp.catch(() => undefined);
    parts.process.finished.catch((error: unknown) => parts.host.unreadable(error));
  }

  /** Starts reading the agent's output. */
  abstract listen(): void;

  /**
   * `listen` for an agent that another server started. If it runs but its output is gone, the connection is released.
   */
  listenAgain(): void {
    try {
      this.listen();
    } catch (error) {
      this.detach();
      const { process, name } = this.#process;
      throw new Fault("AGENT_UNREACHABLE", `The output of ${name} cannot be read: ${reasonOf(error)}`, {
        facts: { directory: process.directory },
      });
    }
  }

  /** Ends an agent that could not be connected to; returns the end of its stderr. */
  async abandon(): Promise<string> {
    const { process, sessionId, stopGraceMs } = this.#process;
    const { survivors } = await process.stop({ mark: sessionId, grace: stopGraceMs });
    if (survivors.length === 0) return (await this.ended).stderrTail;
    this.detach();
    return process.stderrTail();
  }

  /** Records facts that do not come from the agent's output. */
  note(facts: readonly AgentFact[]): Promise<void> {
    return this.ledger.note(facts);
  }

  async stop(): Promise<void> {
    const { process, sessionId, stopGraceMs, name } = this.#process;
    const { survivors } = await process.stop({ mark: sessionId, grace: stopGraceMs });
    if (survivors.length === 0) return;
    const pids = survivors.map(({ pid }) => pid);
    throw new Fault("TIMEOUT", `${name} could not be stopped: ${pids.join(", ")} still running`, {
      facts: { pids },
    });
  }

  detach(): void {
    this.release();
    this.#process.process.detach();
  }

  pause(): void {
    this.#process.process.pause();
  }

  unpause(): void {
    this.#process.process.resume();
  }

  /** Starts reading the agent's output at byte `from`, including everything it has written so far. */
  protected follow(handle: (lines: readonly Line[]) => Promise<void>, from: number): void {
    const { process } = this.#process;
    process.lines(handle, from);
    this.#caughtUp.resolve(process.drain());
  }

  /** The process is gone or left to another server: release everything that waits for it. */
  protected release(_exit?: Omit<AgentExit, "stderrTail">): void {}

  /** Resolves when the process is gone and its output has been handled. */
  protected async gone(): Promise<AgentExit> {
    const { process } = this.#process;
    // If recording failed, the engine already knows; only the exit is left to report.
    const exit = await process.finished.catch(() => process.exited);
    this.release(exit);
    return { ...exit, stderrTail: await process.stderrTail().catch(() => "") };
  }

  protected undelivered(error: unknown): Fault {
    if (error instanceof Fault) return error;
    return new Fault("AGENT_UNREACHABLE", `${this.#process.name} does not accept input`, {
      facts: { reason: reasonOf(error) },
    });
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error of a failed start, with the end of the agent's stderr added. */
export function withStderr<E>(error: E, stderrTail: string): E | Fault {
  if (!(error instanceof Fault) || stderrTail === "") return error;
  const { code, message, retry, facts } = error;
  return new Fault(code, message, { retry, facts: { ...facts, stderrTail } });
}
