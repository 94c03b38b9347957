import { deniedCalls, Fault } from "@drover/core";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "../session/log.ts";
import { interruptedTurn, settleAttempt } from "./settle-attempt.ts";
import type { TurnWatch } from "./watch.ts";

const unrecordable = new Fault(
  "AGENT_PROTOCOL",
  "Drover could not record what the agent wrote; the server's log says why. Its process was ended; your next message starts it again.",
);

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
  private finishing: Promise<void> | undefined;

  constructor({ log, link, watch }: EndingsParts) {
    this.log = log;
    this.link = link;
    this.watch = watch;
  }

  /** Ends the turn that runs when its time in the mailbox comes, and none that follows. */
  async interrupt(): Promise<{ turnId?: string }> {
    const { journal, mailbox } = this.log;
    const asked = await mailbox.run(async () => {
      const { attempt } = journal.row.runtime;
      if (!attempt) return {};
      await this.log.perform({ type: "interrupt", attempt, denied: deniedCalls(journal.timeline) });
      return { turnId: attempt.turnId };
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
    if (state.turn && state.turn.id === interruptedTurn(row.runtime)) await this.link.stop("user_requested");
  }

  /** What the agent wrote cannot be recorded. Ends its process: the next prompt starts another. */
  async endUnreadable(error: unknown): Promise<void> {
    const { deps, journal } = this.log;
    if (this.link.isClosing) return;
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    deps.logger.error("an agent's output could not be recorded", { session: journal.row.id, error: trace });
    const fault = error instanceof Fault ? error : unrecordable;
    const { attempt } = journal.row.runtime;
    // The process is on its way down before the next prompt needs one, and its end comes after this attempt's.
    const stopped = this.link.stop("error");
    await settleAttempt(this.log, attempt, { type: "failed", fault });
    await stopped;
  }

  /** An agent that was not needed for long enough is ended; the next prompt starts another. */
  async endIdle(): Promise<void> {
    if (!this.log.journal.state.turn && this.link.live) await this.link.stop("idle");
  }

  /** Stores the wish; a server that dies before the process has ended goes on stopping when it is back. */
  async beginStop(): Promise<void> {
    await this.log.mailbox.run(() => this.log.perform({ type: "stop" }, { runtime: { stopping: true } }));
  }

  /** What was sent while it stopped waits for `startNext`. Rejects with a Fault: the session stops on, and says why. */
  finishStop(): Promise<void> {
    this.finishing ??= this.finish().finally(() => {
      this.finishing = undefined;
    });
    return this.finishing;
  }

  /** Ends agent and turn of a session that is being deleted. */
  async discard(): Promise<void> {
    await this.link.discard().catch((error: unknown) => this.reportUnended(error));
    await settleAttempt(this.log, this.log.journal.row.runtime.attempt, { type: "stopped" });
  }

  /** Its agent could not be ended, and nobody waits any more for it to end after all. */
  get isStopPending(): boolean {
    return this.log.journal.row.runtime.stopping && !this.finishing && !this.link.isClosing;
  }

  private async finish(): Promise<void> {
    await this.link.stop("user_requested").catch((error: unknown) => this.reportUnended(error));
    await settleAttempt(this.log, this.log.journal.row.runtime.attempt, { type: "stopped" });
    const runtime = { stopping: false, process: null, pending: {} };
    await this.log.untilStored(() =>
      this.log.perform({ type: "report_state", state: "stopped" }, { runtime }),
    );
  }

  /** A process of another user's, or one stuck in the kernel: only a person can do something about it. */
  private async reportUnended(error: unknown): Promise<void> {
    if (!(error instanceof Fault)) throw error;
    const { code, retry, facts } = error;
    const message = `${error.message}. End them yourself: the session is stopped as soon as they are gone.`;
    const reason = { code, message };
    await this.log.untilStored(() => this.log.perform({ type: "report_state", state: "stopping", reason }));
    if (this.link.live) throw new Fault(code, message, { retry, facts });
    // It has ended while that was told.
    await this.link.stop("user_requested");
  }
}
