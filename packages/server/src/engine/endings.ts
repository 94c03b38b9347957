import type { AgentLink } from "./agent-link.ts";
import { endTurn, endTurnNow, interruptedTurn } from "./record-end.ts";
import type { SessionLog } from "./session-log.ts";
import type { TurnWatch } from "./turn-watch.ts";

interface EndingsParts {
  readonly log: SessionLog;
  readonly link: AgentLink;
  readonly watch: TurnWatch;
}

/** How people end a turn and an agent's process, and how one ends that nobody needs any more. */
export class Endings {
  private readonly log: SessionLog;
  private readonly link: AgentLink;
  private readonly watch: TurnWatch;

  constructor({ log, link, watch }: EndingsParts) {
    this.log = log;
    this.link = link;
    this.watch = watch;
  }

  /** Ends the turn that runs when its time in the mailbox comes, and none that follows. */
  async interrupt(): Promise<{ turnId?: string }> {
    const { journal, mailbox } = this.log;
    const asked = await mailbox.run(async () => {
      const { turn } = journal.state;
      if (!turn) return {};
      const { prompt } = journal.row.runtime;
      // Before its first byte is written the agent knows nothing of it: there is nobody to ask.
      const isUnknown = prompt?.phase === "accepted";
      const runtime =
        prompt && !isUnknown ? { prompt: { ...prompt, interrupted: true as const } } : undefined;
      await this.log.perform({ type: "interrupt" }, runtime ? { runtime } : {});
      if (isUnknown) await endTurnNow(this.log, turn.id, undefined);
      return { turnId: turn.id };
    });
    this.insist();
    return asked;
  }

  /** Asks the agent to end its interrupted turn, and ends its process when it does not. */
  insist(): void {
    const turnId = interruptedTurn(this.log.journal.row.runtime);
    if (!turnId) return;
    this.watch.expectEnd();
    void this.link.cancel(turnId);
  }

  /** Asked to end its turn, the agent has not: its process ends instead. */
  async endOverdue(): Promise<void> {
    const { state, row } = this.log.journal;
    if (state.turn && state.turn.id === interruptedTurn(row.runtime)) await this.link.stop();
  }

  /** An agent that was not needed for long enough is ended; the next prompt starts another. */
  async rest(): Promise<void> {
    if (!this.log.journal.state.turn && this.link.live) await this.link.stop();
  }

  /** Stores the wish, then ends the process; a server that dies in between goes on stopping when it is back. */
  async beginStop(): Promise<{ finished: Promise<void> }> {
    await this.log.mailbox.run(() => this.log.perform({ type: "stop" }, { runtime: { stopping: true } }));
    return { finished: this.finishStop() };
  }

  /** What was sent while it stopped waits for `startNext`. */
  async finishStop(): Promise<void> {
    await this.link.stop();
    const { turn } = this.log.journal.state;
    if (turn) await endTurn(this.log, turn.id, undefined);
    const runtime = { stopping: false, process: null, pending: {} };
    await this.log.untilStored(() => this.log.perform({ type: "tell", state: "stopped" }, { runtime }));
  }
}
