import type { AgentFact } from "@drover/core";
import type { AgentConnection, AgentExit } from "../ports.ts";
import type { Line } from "../process/lines.ts";
import type { OutputReader } from "./output.ts";
import { ProcessConnection, type ProcessParts } from "./process-connection.ts";

export interface PromptConnectionParts extends ProcessParts {
  /** The turn the process was started for. */
  readonly turnId: string;
  readonly reader: OutputReader;
  readonly now: () => number;
  readonly onUnknown?: ((counts: Readonly<Record<string, number>>) => void) | undefined;
}

/** What another server needs to take over the process; stored with it. */
export interface PromptMemo {
  readonly turnId: string;
}

/** One process for the one prompt it was started with. The end of its turn is recorded before `ended` resolves. */
export class PromptConnection extends ProcessConnection implements AgentConnection {
  readonly ended: Promise<AgentExit>;
  readonly #parts: PromptConnectionParts;
  #isOver = false;
  #isCancelled = false;
  #isHurried = false;
  #linger: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(parts: PromptConnectionParts) {
    super(parts);
    this.#parts = parts;
    this.ended = this.#end();
  }

  get agentSessionId(): string | undefined {
    return this.#parts.reader.agentSessionId;
  }

  get memo(): PromptMemo {
    return { turnId: this.#parts.turnId };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Stores the process: it has its prompt. */
  register(): Promise<void> {
    return this.ledger.register({ ...this.#parts.process.identity, ready: true, memo: this.memo });
  }

  /** Starts reading, always from the first byte: later lines depend on earlier ones. */
  listen(): void {
    this.follow((lines) => this.#handle(lines), 0);
  }

  async prompt(): Promise<void> {
    throw new Error("This agent was started with its prompt and takes no other");
  }

  /** A program without an input channel is interrupted by a signal. */
  async cancel(): Promise<void> {
    await this.stop();
  }

  override stop(): Promise<void> {
    this.#isCancelled = true;
    return this.#sweep();
  }

  /** It never asks. */
  async answer(): Promise<void> {}

  /** The next turn's process is started with it. */
  async setModel(): Promise<void> {}

  async #handle(lines: readonly Line[]): Promise<void> {
    const { position: known, reader, now, stopGraceMs } = this.#parts;
    const old = lines.filter(({ end }) => end <= known);
    reader.read(old, now());
    // Recorded by the previous server.
    this.#isOver ||= old.length > 0 && this.#hasEnded();
    const news = lines.filter(({ end }) => end > known);
    const position = news.at(-1)?.end;
    if (position !== undefined) {
      const facts = [...reader.read(news, now())];
      if (!this.#isOver && this.#hasEnded()) facts.push(this.#turnEnd());
      const { agentSessionId } = this;
      await this.ledger.record({ facts, position, ...(agentSessionId ? { agentSessionId } : {}) });
    }
    if (reader.ending === undefined) this.release();
    // After ending its turn a program saves its state and exits; one that does not is ended.
    else this.#linger ??= setTimeout(() => this.#hurry(), stopGraceMs).unref();
  }

  #hasEnded(): boolean {
    const { ending, awaitsExit } = this.#parts.reader;
    return ending !== undefined && !awaitsExit;
  }

  #turnEnd(ending = this.#parts.reader.ending): AgentFact {
    if (ending === undefined) throw new Error("The turn has not ended");
    this.#isOver = true;
    return { type: "turn_end", turnId: this.#parts.turnId, ...ending };
  }

  async #end(): Promise<AgentExit> {
    const { reader, now, onUnknown } = this.#parts;
    const exit = await this.gone();
    await this.#finish();
    if (reader.unknown && reader.unknown.size > 0) onUnknown?.(Object.fromEntries(reader.unknown));
    if (!this.#isOver) {
      // An exit that we caused says nothing about the turn.
      const knownExit = this.#isHurried ? { ...exit, code: null, signal: null } : exit;
      const ending = this.#isCancelled ? { reason: "cancelled" as const } : reader.conclude(knownExit, now());
      // If it cannot be recorded, the engine reports that the agent is gone.
      await this.note([this.#turnEnd(ending)]).catch(() => {
        this.#isOver = false;
      });
    }
    return exit;
  }

  #hurry(): void {
    this.#isHurried = true;
    void this.#finish();
  }

  /** Survivors are not reported: the turn is over. */
  #finish(): Promise<void> {
    return this.#sweep().catch(() => undefined);
  }

  /**
   * Sweeps by the session's mark, which the next process carries too: no sweep may still be running when that one
   * starts.
   */
  #sweep(): Promise<void> {
    this.#sweeping ??= super.stop().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  protected override release(): void {
    clearTimeout(this.#linger);
    this.#linger = undefined;
  }
}
