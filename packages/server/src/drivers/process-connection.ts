import { type AgentFact, Fault } from "@drover/core";
import type { AgentExit, DriverHost } from "../ports.ts";
import type { AgentProcess } from "../process/agent-process.ts";
import type { Line } from "../process/lines.ts";
import { Ledger } from "./ledger.ts";

export interface ProcessParts {
  readonly sessionId: string;
  /** How people know the agent. */
  readonly name: string;
  readonly stopGraceMs: number;
  readonly process: AgentProcess;
  readonly host: DriverHost;
  /** What stands before it was recorded by an earlier server. */
  readonly position: number;
}

/** What every connection is to its process, whatever the two say to each other. */
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
    // Only who waits for it is told that it never came.
    this.caughtUp.catch(() => undefined);
    parts.process.finished.catch((error: unknown) => parts.host.unreadable(error));
  }

  /** Begins to read the agent's output. */
  abstract listen(): void;

  /** `listen` to an agent that another server started. One that is there, but whose output is not, is let go of. */
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

  /** Ends an agent that could not be connected to; returns the last it wrote to stderr. */
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
    throw new Fault("TIMEOUT", `${name} could not be ended: ${pids.join(", ")} still run`, {
      facts: { pids },
    });
  }

  detach(): void {
    this.letGo();
    this.#process.process.detach();
  }

  pause(): void {
    this.#process.process.pause();
  }

  unpause(): void {
    this.#process.process.resume();
  }

  /** Begins to read the agent's output at byte `from`; what it has written until now is caught up with. */
  protected follow(handle: (lines: readonly Line[]) => Promise<void>, from: number): void {
    const { process } = this.#process;
    process.lines(handle, from);
    this.#caughtUp.resolve(process.drain());
  }

  /** The process is gone, or left to another server: whoever waits for it here is told. */
  protected letGo(_exit?: Omit<AgentExit, "stderrTail">): void {}

  /** Resolves when the process is gone and what it wrote has been handled. */
  protected async gone(): Promise<AgentExit> {
    const { process } = this.#process;
    // When recording failed the engine knows already; what is left to tell is the exit.
    const exit = await process.finished.catch(() => process.exited);
    this.letGo(exit);
    return { ...exit, stderrTail: await process.stderrTail().catch(() => "") };
  }

  protected undelivered(error: unknown): Fault {
    if (error instanceof Fault) return error;
    return new Fault("AGENT_UNREACHABLE", `${this.#process.name} does not take its input`, {
      facts: { reason: reasonOf(error) },
    });
  }
}

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a start that failed throws, with the agent's last words beside it. */
export function withStderr<E>(error: E, stderrTail: string): E | Fault {
  if (!(error instanceof Fault) || stderrTail === "") return error;
  const { code, message, retry, facts } = error;
  return new Fault(code, message, { retry, facts: { ...facts, stderrTail } });
}
