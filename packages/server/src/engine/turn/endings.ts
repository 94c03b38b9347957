import { deniedCalls, Fault } from "@drover/core";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "../session/log.ts";
import { interruptedTurn, settleAttempt } from "./settle-attempt.ts";
import type { TurnWatch } from "./watch.ts";

const unrecordable = new Fault(
  "AGENT_PROTOCOL",
  "Drover could not record the agent's output; see the server's log. Its process was ended; your next message starts it again.",
);

interface EndingsParts {
  readonly log: SessionLog;
  readonly link: AgentLink;
  readonly watch: TurnWatch;
}

/** How people end a turn and an agent's process, and how an unneeded process ends. */
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

  /** Ends the turn that is running when its turn in the mailbox comes, and no later one. */
  async interrupt(): Promise<{ turnId?: string }> {
    const { journal, mailbox } = this.log;
    const asked = await mailbox.run(async () => {
      const { attempt } = journal.row.runtime;
      if (!attempt) return {};
      await this.log.perform({ type: "interrupt", attempt, denied: deniedCalls(journal.timeline) });
      return { turnId: attempt.turnId };
    });
    if (!journal.state.turn) await this.link.cancelSetup();
    this.insist();
    return asked;
  }

  /** Asks the agent to end its interrupted turn, and ends its process if it does not. */
  insist(): void {
    const turnId = interruptedTurn(this.log.journal.row.runtime);
    if (!turnId) return;
    this.watch.expectEnd();
    void this.link.cancel(turnId);
  }

  /** The agent did not end its turn when asked: its process is ended instead. */
  async endOverdue(): Promise<void> {
    const { state, row } = this.log.journal;
    if (state.turn && state.turn.id === interruptedTurn(row.runtime)) await this.link.stop("user_requested");
  }

  /** The agent's output cannot be recorded. Ends its process: the next prompt starts another. */
  async endUnreadable(error: unknown): Promise<void> {
    const { deps, journal } = this.log;
    if (this.link.isClosing) return;
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    deps.logger.error("Could not record an agent's output", { session: journal.row.id, error: trace });
    const fault = error instanceof Fault ? error : unrecordable;
    const { attempt } = journal.row.runtime;
    // The process is already being ended before the next prompt needs one, and its exit comes after this attempt's.
    const stopped = this.link.stop("error");
    await settleAttempt(this.log, attempt, { type: "failed", fault });
    await stopped;
  }

  /** Ends an agent that has been idle for long enough; the next prompt starts another. */
  async endIdle(): Promise<void> {
    if (!this.log.journal.state.turn && this.link.live) await this.link.stop("idle");
  }

  /** Stores the request; a server that dies before the process has ended continues stopping when it is back. */
  async beginStop(): Promise<void> {
    await this.log.mailbox.run(() => this.log.perform({ type: "stop" }, { runtime: { stopping: true } }));
  }

  /**
   * Messages sent during the stop wait for `startNext`. Rejects with a Fault: the session keeps stopping, and says why.
   */
  finishStop(): Promise<void> {
    this.finishing ??= this.finish().finally(() => {
      this.finishing = undefined;
    });
    return this.finishing;
  }

  /** Ends the agent and the turn of a session that is being deleted. */
  async discard(): Promise<void> {
    await this.link.discard().catch((error: unknown) => this.reportUnended(error));
    await settleAttempt(this.log, this.log.journal.row.runtime.attempt, { type: "stopped" });
  }

  /** Its agent could not be ended, and its end is no longer awaited. */
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

  /** A process of another user, or one stuck in the kernel: only a person can end it. */
  private async reportUnended(error: unknown): Promise<void> {
    if (!(error instanceof Fault)) throw error;
    const { code, retry, facts } = error;
    const message = `${error.message}. End them yourself: the session is stopped as soon as they are gone.`;
    const reason = { code, message };
    await this.log.untilStored(() => this.log.perform({ type: "report_state", state: "stopping", reason }));
    if (this.link.live) throw new Fault(code, message, { retry, facts });
    // It ended while this was being reported.
    await this.link.stop("user_requested");
  }
}
