import type { AgentFact } from "@drover/core";
import type { AgentBatch, DriverHost, ProcessRecord } from "../ports.ts";

/** Output without facts is recorded only this often, to have less to read again after a crash. */
const RECORD_EVERY = 1024 * 1024;

/** Serializes the calls to the host; each sees the position the previous one left. */
export class Ledger {
  readonly #host: DriverHost;
  readonly #pid: number;
  #calls: Promise<unknown> = Promise.resolve();
  /** Everything before it is recorded or contains no facts. */
  #position: number;
  #recorded: number;

  constructor(host: DriverHost, { pid, position }: { readonly pid: number; readonly position: number }) {
    this.#host = host;
    this.#pid = pid;
    this.#position = position;
    this.#recorded = position;
  }

  /** Stores the process with the position up to which its output is recorded. */
  register(process: Omit<ProcessRecord, "position">): Promise<void> {
    return this.#inTurn(() => this.#host.spawned({ ...process, position: this.#position }, this.#pid));
  }

  /** Records facts that do not come from the agent's output. */
  async note(facts: readonly AgentFact[]): Promise<void> {
    if (facts.length === 0) return;
    await this.#inTurn(() => this.#host.record({ facts, position: this.#position }));
  }

  async record(batch: AgentBatch): Promise<void> {
    const { facts, position } = batch;
    if (facts.length === 0 && position - this.#recorded < RECORD_EVERY) {
      this.#position = position;
      return;
    }
    await this.#inTurn(async () => {
      await this.#host.record(batch);
      this.#position = position;
      this.#recorded = position;
    });
  }

  #inTurn(call: () => Promise<void>): Promise<void> {
    const result = this.#calls.then(call);
    this.#calls = result.catch(() => undefined);
    return result;
  }
}
