import {
  type Attempt,
  type Command,
  type Decision,
  nextDue,
  type PatchSession,
  type Rejection,
  type Result,
  type Session,
} from "@drover/core";
import type { ProjectRow, SessionRow } from "../../ports.ts";
import { AgentLink } from "../agent/link.ts";
import type { AlarmRunner } from "../alarms/runner.ts";
import type { Background } from "../background.ts";
import type { Bus } from "../bus.ts";
import type { EngineDeps, EngineSignals } from "../deps.ts";
import { withdrawGate } from "../gate/withdraw-gate.ts";
import { notFound } from "../not-found.ts";
import { announce } from "../reactions/announce-commit.ts";
import type { Leaving } from "../removal/leaving.ts";
import type { Endings } from "../turn/endings.ts";
import { recordExit } from "../turn/settle-attempt.ts";
import { Turns } from "../turn/turns.ts";
import { retrySetup } from "../workspaces/retry-setup.ts";
import { type Committed, Journal } from "./journal.ts";
import { type Alongside, SessionLog } from "./log.ts";
import { Mailbox } from "./mailbox.ts";
import { markRowSeen, moveRow, patchRow } from "./row-changes.ts";
import { sessionView } from "./view.ts";

export interface ActorContext {
  readonly deps: EngineDeps;
  readonly background: Background;
  readonly signals: EngineSignals;
  readonly alarms: AlarmRunner;
  readonly bus: Bus;
  readonly project: (row: SessionRow) => Promise<ProjectRow | undefined>;
  /** Whether a queued message may still run: a session's process must not send to one that has become looser. */
  readonly mayStart: (sessionId: string, by: string) => Promise<boolean>;
}

/**
 * The one owner of a session: connects its log, its agent and its turns. The log decides and stores a command; `Turns`
 * reacts to what is stored, sends prompts to the agent over the `AgentLink` and records the agent's output.
 */
export class SessionActor {
  readonly journal: Journal;
  readonly log: SessionLog;
  readonly link: AgentLink;
  readonly turns: Turns;
  /** Whatever reads or changes the state of its review waits for its turn here. */
  readonly reviews = new Mailbox();
  private readonly context: ActorContext;
  /** Its agent is being reattached: nothing is delivered yet. */
  isRecovering = false;
  private isDeleting = false;

  private constructor(context: ActorContext, journal: Journal) {
    this.context = context;
    this.journal = journal;
    this.log = new SessionLog({
      ...{ deps: context.deps, journal },
      connection: () => this.link.status,
      react: (committed, attempt) => this.react(committed, attempt),
    });
    this.link = this.makeLink();
    this.turns = new Turns({
      ...{ log: this.log, link: this.link },
      background: (task) => this.background(task),
      stalled: () => this.run({ type: "stall" }),
      turnEnded: () => this.startNext(),
    });
  }

  static async load(context: ActorContext, row: SessionRow): Promise<SessionActor> {
    const { store, node } = context.deps;
    return new SessionActor(context, await Journal.load({ store, node, bus: context.bus }, row));
  }

  get id(): string {
    return this.journal.row.id;
  }

  /** Something must stay in memory: an agent, a turn, a deadline. */
  get isNeeded(): boolean {
    return this.journal.row.live || this.link.isBusy;
  }

  /** It no longer accepts commands. */
  get isBeingDeleted(): boolean {
    return this.isDeleting;
  }

  /** How people end its turn and its agent's process. */
  get endings(): Endings {
    return this.turns.endings;
  }

  view(): Session {
    return sessionView(this.context.deps, this.journal.row, this.link.status);
  }

  /** Decides and commits one command when its turn in the mailbox comes; reactions follow the commit. */
  run(command: Command, alongside?: Alongside): Promise<Result<Decision, Rejection>> {
    return this.log.mailbox.run(async () =>
      this.isDeleting ? notFound("session", this.id) : this.log.perform(command, alongside),
    );
  }

  /** Starts the next queued message if nothing prevents it. */
  async startNext(): Promise<void> {
    const next = nextDue(this.journal.state.queue, new Date().toISOString());
    const isHeld = next !== undefined && !(await this.context.mayStart(this.id, next.by));
    await this.run(isHeld ? { type: "set_paused", paused: true } : { type: "start_next" });
  }

  /** Unpauses, and reactivates a stopped or crashed session. */
  async resume(): Promise<void> {
    await this.turns.checkpointer.settled();
    const { reportedState } = this.journal.state;
    if (reportedState === "stopped" || reportedState === "crashed") {
      await this.run({ type: "report_state", state: "idle" });
      this.link.warmUp();
    }
    if (this.link.needsSetup) this.background(() => retrySetup(this.log, this.link));
    await this.run({ type: "set_paused", paused: false });
    // A person who resumes the queue has seen its messages.
    await this.run({ type: "start_next" });
  }

  async reconnect(): Promise<void> {
    await this.run({ type: "report_state", state: "idle", from: "crashed" });
    this.link.reconnect();
  }

  patch(patch: PatchSession): Promise<void> {
    return patchRow(this, patch);
  }

  /** Files the session under another project. */
  async moveTo(projectId: string): Promise<void> {
    await this.log.mailbox.run(async () => {
      if (!this.isDeleting) await moveRow(this.log, projectId);
    });
  }

  /** A person has seen the session up to this number. */
  async markSeen(seq: number): Promise<void> {
    await this.log.mailbox.run(async () => {
      if (!this.isDeleting) await markRowSeen(this.log, seq);
    });
  }

  /** Resolves when the request is stored; the agent ends in the background. */
  async stop(): Promise<void> {
    await this.endings.beginStop();
    this.background(() => this.finishStop());
  }

  /** Continues a stored stop; then starts messages sent in the meantime. */
  async finishStop(): Promise<void> {
    await this.endings.finishStop();
    await this.startNext();
  }

  /**
   * Stops the agent and removes the session; its log stays. Nothing starts in between: it accepts no commands. Its
   * workspace becomes a pending one, unless work that only it has can't be kept.
   */
  async remove(leaving?: Leaving): Promise<Rejection | undefined> {
    const { mailbox } = this.log;
    let refusal: Rejection | undefined;
    this.isDeleting = true;
    try {
      // In the mailbox, since an earlier command may start a turn.
      const isNeeded = await mailbox.run(async () => this.isNeeded);
      if (isNeeded) {
        await this.endings.beginStop();
        await this.endings.discard();
      }
      await this.turns.checkpointer.settled();
      refusal = await leaving?.keep();
      if (!refusal) {
        await mailbox.run(async () => {
          await withdrawGate(this.log);
          await this.journal.remove(leaving?.workspace);
        });
      }
    } catch (error) {
      this.isDeleting = false;
      throw error;
    }
    this.isDeleting = !refusal;
    if (!refusal) this.context.signals.sessionRemoved(this.id);
    return refusal;
  }

  /** Delivers a prompt that had to wait. A session that is being recovered delivers it when its agent is found. */
  deliverDue(): void {
    if (!this.isRecovering) this.turns.deliverAccepted();
  }

  /** Watches the turn that was running when the last server ended, then continues with everything that waits. */
  async goOn(): Promise<void> {
    this.turns.resume();
    await this.startNext();
  }

  async close(): Promise<void> {
    this.turns.close();
    await this.link.detach();
    await this.log.mailbox.drain();
  }

  private makeLink(): AgentLink {
    const { log } = this;
    return new AgentLink({
      log,
      project: () => this.context.project(this.journal.row),
      record: (batch) => this.turns.record(batch),
      unreadable: (error) => this.background(() => this.endings.endUnreadable(error)),
      connectionChanged: (connection) => this.context.signals.connectionChanged(this.id, connection),
      spawned: (pid) => this.context.signals.agentSpawned(this.id, pid),
      stopped: (reason) => this.context.signals.agentStopped(this.id, reason),
      startFailed: ({ code, message }) => this.context.signals.startFailed(this.id, { code, message }),
      goOn: () => this.background(() => this.startNext()),
      ended: async (exit, ending) => {
        await recordExit(log, exit, ending);
        if (this.endings.isStopPending) this.background(() => this.finishStop());
      },
      gaveUp: (message, stderrTail) => {
        this.background(() => log.mailbox.run(() => log.perform({ type: "give_up", message, stderrTail })));
        this.context.signals.startFailed(this.id, { code: "AGENT_CRASHED", message });
      },
    });
  }

  private react(committed: Committed, attempt: Attempt | undefined): void {
    this.turns.react(committed, attempt);
    announce(this.context, this.id, committed);
  }

  private background(task: () => Promise<unknown>): void {
    this.context.background.run(task);
  }
}
