import { type AgentFact, type Connection, decide, Fault, type Given, Recorder } from "@drover/core";
import type { AgentBatch, AgentExit, ProjectRow } from "../ports.ts";
import { describeExit, type LinkOwner } from "./agent-link.ts";
import { untilStored } from "./background.ts";
import type { EngineDeps } from "./deps.ts";
import type { Change, Journal } from "./journal.ts";
import type { Mailbox } from "./mailbox.ts";
import { recordBatch } from "./record-batch.ts";

/** What the agent's side of a session needs of it. */
export interface AgentSideOwner {
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  readonly deps: EngineDeps;
  /** The turn a person asked to end. */
  readonly interrupted: string | undefined;
  given(): Given;
  commit(change: Change): Promise<void>;
  endTurn(turnId: string, fault: Fault | undefined): Promise<void>;
  project(): Promise<ProjectRow | undefined>;
  connectionChanged(connection: Connection): void;
  connected(): void;
  /** The agent gave a sign of life. */
  spoke(): void;
}

/** A session as its agent sees it: takes what the agent says and what becomes of its process. */
export class AgentSide implements LinkOwner {
  private readonly owner: AgentSideOwner;
  private recorder: Recorder;

  constructor(owner: AgentSideOwner) {
    this.owner = owner;
    this.recorder = new Recorder(owner.journal.timeline);
  }

  get journal(): Journal {
    return this.owner.journal;
  }

  get mailbox(): Mailbox {
    return this.owner.mailbox;
  }

  get deps(): EngineDeps {
    return this.owner.deps;
  }

  project(): Promise<ProjectRow | undefined> {
    return this.owner.project();
  }

  connectionChanged(connection: Connection): void {
    this.owner.connectionChanged(connection);
  }

  connected(): void {
    this.owner.connected();
  }

  /** Nothing said from now on belongs to the turn's items. */
  turnEnded(): void {
    this.recorder.endTurn();
  }

  async ended(exit: AgentExit, expected: boolean): Promise<void> {
    const { turn } = this.journal.state;
    // A turn that began while we put the agent to rest was never this process's: the next one gets it.
    const isNext = expected && this.journal.row.runtime.prompt?.phase === "accepted";
    if (turn && !isNext) await this.owner.endTurn(turn.id, expected ? undefined : agentGone(exit));
    await untilStored(this.deps, () => this.mailbox.run(() => this.forget()));
  }

  /** Nobody waits for what the process asked outside of a turn either. */
  private async forget(): Promise<void> {
    const { state, row } = this.journal;
    const cause = row.runtime.stopping ? "turn_cancelled" : "agent_gone";
    const released = decide(state, { type: "release", cause }, this.owner.given());
    const events = released.ok ? released.value.events : [];
    await this.owner.commit({ events, runtime: { process: null, pending: {} }, durability: "output" });
  }

  async gaveUp(message: string, stderrTail: string | undefined): Promise<void> {
    const store = async () => {
      const { state } = this.journal;
      const decided = decide(state, { type: "give_up", message, stderrTail }, this.owner.given());
      if (decided.ok) await this.owner.commit({ events: decided.value.events, durability: "command" });
    };
    await untilStored(this.deps, () => this.mailbox.run(store));
  }

  /**
   * Stores one batch. The driver waits for it, so a full store holds its agent back instead of losing a word;
   * between tries the mailbox is free, because reads go on.
   */
  async record(batch: AgentBatch): Promise<void> {
    await untilStored(this.deps, () => this.mailbox.run(() => this.recordOnce(batch)));
    this.owner.spoke();
  }

  private async recordOnce(batch: AgentBatch): Promise<void> {
    const isToolCallUsed = await this.usedToolCalls(batch.facts);
    const { row, state } = this.journal;
    const { interrupted } = this.owner;
    const context = { sessionId: row.id, state, runtime: row.runtime, interrupted, isToolCallUsed };
    const before = this.recorder;
    const recorder = before.copy();
    const change = recordBatch(batch, { ...context, recorder, given: this.owner.given() });
    // Before the commit, which may end the turn.
    this.recorder = recorder;
    try {
      await this.owner.commit(change);
    } catch (error) {
      this.recorder = before;
      throw error;
    }
  }

  private async usedToolCalls(facts: readonly AgentFact[]): Promise<(id: string) => boolean> {
    const fresh = facts.flatMap((fact) => {
      if (!("toolCallId" in fact) || !fact.toolCallId) return [];
      const mayBeNew = fact.type === "tool_start" || !this.recorder.isOpen(fact.toolCallId);
      return mayBeNew ? [fact.toolCallId] : [];
    });
    if (fresh.length === 0) return () => false;
    const used = await this.deps.store.usedToolCallIds(this.journal.row.id, [...new Set(fresh)]);
    return (id) => used.has(id);
  }
}

/** A turn whose process went away under it. */
function agentGone(exit: AgentExit): Fault {
  const more = {
    retry: "same",
    ...(exit.stderrTail ? { facts: { stderrTail: exit.stderrTail } } : {}),
  } as const;
  return exit.code === 0
    ? new Fault("NO_COMPLETION", "The agent ended without finishing its turn.", more)
    : new Fault("AGENT_CRASHED", `${describeExit(exit)} in the middle of its turn.`, more);
}
