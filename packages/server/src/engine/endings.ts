import {
  type Command,
  type Decision,
  decide,
  type Fault,
  type Given,
  type Rejection,
  type Result,
} from "@drover/core";
import type { AgentLink } from "./agent-link.ts";
import { reasonFor } from "./answers.ts";
import { untilStored } from "./background.ts";
import type { EngineDeps } from "./deps.ts";
import type { Change, Journal } from "./journal.ts";
import type { Mailbox } from "./mailbox.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** What bringing something to its end needs of the session. */
export interface EndingsOwner {
  readonly journal: Journal;
  readonly mailbox: Mailbox;
  readonly link: AgentLink;
  readonly watch: TurnWatch;
  readonly deps: EngineDeps;
  readonly isNeeded: boolean;
  given(): Given;
  /** Decides and commits, from inside the mailbox. */
  perform(command: Command): Promise<Result<Decision, Rejection>>;
  commit(change: Change): Promise<void>;
}

/** How a turn, an agent's process and the session itself come to their end. */
export class Endings {
  private readonly owner: EndingsOwner;
  private leaving = false;

  constructor(owner: EndingsOwner) {
    this.owner = owner;
  }

  /** The session is being deleted: it takes no command any more. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  /** The turn a person asked to end, while it has not. */
  get interrupted(): string | undefined {
    const { prompt } = this.owner.journal.row.runtime;
    return prompt?.interrupted ? prompt.turnId : undefined;
  }

  /** Ends the turn that runs when its time in the mailbox comes, and none that follows. */
  async interrupt(): Promise<{ turnId?: string }> {
    const { journal, mailbox } = this.owner;
    const asked = await mailbox.run(async () => {
      const { turn } = journal.state;
      if (!turn) return {};
      await this.owner.perform({ type: "interrupt" });
      const { prompt } = journal.row.runtime;
      // Before its first byte is written the agent knows nothing of it: there is nobody to ask.
      if (prompt?.phase === "accepted") await this.end(turn.id, undefined);
      else if (prompt) {
        const runtime = { prompt: { ...prompt, interrupted: true as const } };
        await this.owner.commit({ runtime, durability: "command" });
      }
      return { turnId: turn.id };
    });
    this.insist();
    return asked;
  }

  /** Asks the agent to end its interrupted turn, and ends its process when it does not. */
  insist(): void {
    if (!this.interrupted) return;
    this.owner.watch.expectEnd();
    void this.owner.link.cancel(this.interrupted);
  }

  /** Asked to end its turn, the agent has not: its process ends instead. */
  async endOverdue(): Promise<void> {
    const { turn } = this.owner.journal.state;
    if (turn && turn.id === this.interrupted) await this.owner.link.stop();
  }

  /** An agent that was not needed for long enough is ended; the next prompt starts another. */
  async rest(): Promise<void> {
    const { journal, link } = this.owner;
    if (!journal.state.turn && link.isLive) await link.stop();
  }

  /** Stores the wish, then ends the process; a server that dies in between goes on stopping when it is back. */
  async beginStop(): Promise<{ finished: Promise<void> }> {
    const { journal, mailbox } = this.owner;
    await mailbox.run(async () => {
      await this.owner.perform({ type: "interrupt" });
      if (journal.state.queue.length > 0) await this.owner.perform({ type: "set_paused", paused: true });
      await this.owner.commit({
        events: [{ type: "session_status", state: "stopping" }],
        runtime: { stopping: true },
        durability: "command",
      });
    });
    return { finished: this.finishStop() };
  }

  /** What was sent while it stopped waits for `startNext`. */
  async finishStop(): Promise<void> {
    const { deps, journal, link, mailbox } = this.owner;
    await link.stop();
    const { turn } = journal.state;
    if (turn) await this.endTurn(turn.id, undefined);
    const stopped = () =>
      this.owner.commit({
        events: [{ type: "session_status", state: "stopped" }],
        runtime: { stopping: false, process: null, pending: {} },
        durability: "command",
      });
    await untilStored(deps, () => mailbox.run(stopped));
  }

  /** Stops what runs and takes the session away. Nothing can begin in between: it takes no command from here on. */
  async remove(): Promise<void> {
    const { deps, journal, mailbox } = this.owner;
    this.leaving = true;
    try {
      // In the mailbox, since what was asked for before may begin a turn.
      const isNeeded = await mailbox.run(async () => this.owner.isNeeded);
      if (isNeeded) await (await this.beginStop()).finished;
      await mailbox.run(() => deps.store.remove(journal.row.id));
    } catch (error) {
      this.leaving = false;
      throw error;
    }
  }

  /** Without a fault the turn was cancelled. Does nothing when the turn has ended already. */
  endTurn(turnId: string, fault: Fault | undefined): Promise<void> {
    const { deps, mailbox } = this.owner;
    return untilStored(deps, () => mailbox.run(() => this.end(turnId, fault)));
  }

  /** From inside the mailbox. */
  private async end(turnId: string, fault: Fault | undefined): Promise<void> {
    const cancelled = !fault || this.interrupted === turnId;
    const ended = decide(
      this.owner.journal.state,
      {
        type: "end_turn",
        turnId,
        reason: cancelled ? "cancelled" : reasonFor(fault.code),
        ...(cancelled ? {} : { fault }),
        cause: cancelled ? "turn_cancelled" : "agent_gone",
      },
      this.owner.given(),
    );
    if (!ended.ok || ended.value.events.length === 0) return;
    const isUnknown = fault?.code === "RESUME_UNKNOWN";
    await this.owner.commit({
      events: ended.value.events,
      ...(isUnknown ? { runtime: { agentSessionId: null } } : {}),
      durability: "command",
    });
  }
}
