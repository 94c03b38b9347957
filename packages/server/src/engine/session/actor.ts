import type { Command, Decision, PatchSession, Rejection, Result, Session } from "@drover/core";
import type { ProjectRow, SessionRow } from "../../ports.ts";
import { AgentLink } from "../agent/link.ts";
import type { AlarmRunner } from "../alarms/runner.ts";
import type { Background } from "../background.ts";
import type { Bus } from "../bus.ts";
import type { EngineDeps, EngineSignals } from "../deps.ts";
import { notFound } from "../not-found.ts";
import { announce } from "../reactions/announce-commit.ts";
import { Delivery } from "../turn/delivery.ts";
import { Endings } from "../turn/endings.ts";
import { Intake } from "../turn/intake.ts";
import { spokenDuration } from "../turn/pending-answers.ts";
import { recordExit } from "../turn/record-end.ts";
import { Steering } from "../turn/steering.ts";
import { TurnWatch } from "../turn/watch.ts";
import { type Committed, Journal } from "./journal.ts";
import { type Alongside, SessionLog } from "./log.ts";
import { sessionView } from "./view.ts";

export interface ActorContext {
  readonly deps: EngineDeps;
  readonly background: Background;
  readonly signals: EngineSignals;
  readonly alarms: AlarmRunner;
  readonly bus: Bus;
  readonly project: (id: string | undefined) => Promise<ProjectRow | undefined>;
  /** Whether a queued message may still run: a session's process may not speak to one that is looser by now. */
  readonly mayStart: (sessionId: string, by: string) => Promise<boolean>;
}

/**
 * The one owner of a session: joins its log to what acts on it. A message is decided by the log; what is stored makes
 * `Delivery` bring it to the agent over the `AgentLink`; what the agent says comes back through `Intake`; and how it
 * comes to an end is `Endings`' and `record-end`'s.
 */
export class SessionActor {
  readonly journal: Journal;
  readonly log: SessionLog;
  readonly link: AgentLink;
  readonly delivery: Delivery;
  readonly endings: Endings;
  private readonly steering: Steering;
  private readonly context: ActorContext;
  private readonly intake: Intake;
  private readonly watch: TurnWatch;
  private leaving = false;

  private constructor(context: ActorContext, journal: Journal) {
    const { deps } = context;
    this.context = context;
    this.journal = journal;
    this.log = new SessionLog({
      ...{ deps, journal },
      connection: () => this.link.status,
      react: (committed) => this.react(committed),
    });
    this.intake = new Intake(this.log);
    this.link = this.makeLink();
    this.delivery = new Delivery(this.log, this.link);
    this.steering = new Steering(this.log, this.link);
    this.watch = new TurnWatch(deps.settings, {
      stalled: () => this.background(() => this.run({ type: "stall" })),
      idle: () => this.background(() => this.endings.rest()),
      overdue: () => this.background(() => this.endings.endOverdue()),
    });
    this.endings = new Endings({ log: this.log, link: this.link, watch: this.watch });
  }

  static async load(context: ActorContext, row: SessionRow): Promise<SessionActor> {
    const { store, node } = context.deps;
    return new SessionActor(context, await Journal.load({ store, node, bus: context.bus }, row));
  }

  get id(): string {
    return this.journal.row.id;
  }

  /** Something of it must stay in memory: an agent, a turn, a deadline. */
  get isNeeded(): boolean {
    return this.journal.row.live || this.link.isBusy;
  }

  /** It is being deleted: it takes no command any more. */
  get isLeaving(): boolean {
    return this.leaving;
  }

  view(): Session {
    return sessionView(this.context.deps, this.journal.row, this.link.status);
  }

  /** Decides and commits one command when its time in the mailbox comes; reactions follow the commit. */
  run(command: Command, alongside?: Alongside): Promise<Result<Decision, Rejection>> {
    return this.log.mailbox.run(async () =>
      this.leaving ? notFound("session", this.id) : this.log.perform(command, alongside),
    );
  }

  /** Starts the next queued message when nothing stands in its way. */
  async startNext(): Promise<void> {
    const [next] = this.journal.state.queue;
    const isHeld = next !== undefined && !(await this.context.mayStart(this.id, next.by));
    await this.run(isHeld ? { type: "set_paused", paused: true } : { type: "start_next" });
  }

  /** Unpauses, and takes a stopped or crashed session up again. */
  async resume(): Promise<void> {
    const { reportedState } = this.journal.state;
    if (reportedState === "stopped" || reportedState === "crashed") {
      await this.run({ type: "report_state", state: "idle" });
      this.link.warmUp();
    }
    await this.run({ type: "set_paused", paused: false });
    // A person who resumes the queue has seen what waits in it.
    await this.run({ type: "start_next" });
  }

  async reconnect(): Promise<void> {
    await this.run({ type: "report_state", state: "idle", from: "crashed" });
    this.link.reconnect();
  }

  async patch(patch: PatchSession): Promise<void> {
    const { name, archived, ...wanted } = patch;
    const about = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const change = {
      about,
      ...(name === undefined ? {} : { name }),
      ...(archived === undefined ? {} : { archived }),
    };
    const { log } = this;
    const { model } = patch;
    await log.mailbox.run(async () => {
      if (model === undefined) await log.commit({ ...change, durability: "command" });
      else await log.perform({ type: "set_model", model }, change);
    });
    // An agent that keeps its model says so in a notice; one that is gone gets it with its next process.
    if (model) await this.link.live?.setModel(model).catch(() => undefined);
    if (patch.permissionMode)
      await this.link.live?.setPermissionMode?.(patch.permissionMode).catch(() => undefined);
  }

  /** Resolves when the wish is stored; the agent ends in the background. */
  async stop(): Promise<void> {
    await this.endings.beginStop();
    this.background(() => this.finishStop());
  }

  /** Goes on with a stop that is stored; then with what was sent meanwhile. */
  async finishStop(): Promise<void> {
    await this.endings.finishStop();
    await this.startNext();
  }

  /** Stops what runs and takes the session away; its log stays. Nothing begins in between: it takes no command. */
  async remove(): Promise<void> {
    const { signals } = this.context;
    const { mailbox } = this.log;
    this.leaving = true;
    try {
      // In the mailbox, since what was asked for before may begin a turn.
      const isNeeded = await mailbox.run(async () => this.isNeeded);
      if (isNeeded) {
        await this.endings.beginStop();
        await this.endings.discard();
      }
      await mailbox.run(() => this.journal.remove());
    } catch (error) {
      this.leaving = false;
      throw error;
    }
    signals.sessionRemoved(this.id);
  }

  /** Does nothing when the interaction is settled. */
  async expire(interactionId: string): Promise<void> {
    const time = spokenDuration(this.context.deps.settings.interactionTimeoutMs);
    const asked = this.journal.state.interactions.find(({ id }) => id === interactionId);
    const what = asked?.kind === "question" ? "Question" : "Tool approval";
    await this.run({ type: "expire", interactionId, reason: `${what} timed out after ${time}` });
  }

  /** Watches the turn that was running when the last server ended, then takes up everything that waits. */
  async goOn(): Promise<void> {
    const { turn } = this.journal.state;
    if (turn) this.watch.turnStarted();
    if (turn) this.background(() => this.steering.tell());
    this.endings.insist();
    if (turn && this.journal.row.runtime.prompt?.phase === "accepted") this.deliver(turn.id);
    await this.startNext();
  }

  async close(): Promise<void> {
    this.watch.stop();
    await this.link.detach();
    await this.log.mailbox.drain();
  }

  private makeLink(): AgentLink {
    const { log } = this;
    return new AgentLink({
      log,
      project: () => this.context.project(this.journal.row.about.projectId),
      record: async (batch) => {
        await this.intake.record(batch);
        this.watch.spoke();
      },
      unreadable: (error) => this.background(() => this.endings.endUnreadable(error)),
      connectionChanged: (connection) => this.context.signals.connectionChanged(this.id, connection),
      spawned: (pid) => this.context.signals.agentSpawned(this.id, pid),
      stopped: (reason) => this.context.signals.agentStopped(this.id, reason),
      startFailed: ({ code, message }) => this.context.signals.startFailed(this.id, { code, message }),
      goOn: () => this.background(() => this.startNext()),
      ended: async (exit, ending) => {
        await recordExit(log, exit, ending);
        if (this.endings.isStopLeft) this.background(() => this.finishStop());
      },
      gaveUp: (message, stderrTail) => {
        this.background(() => log.mailbox.run(() => log.perform({ type: "give_up", message, stderrTail })));
        this.context.signals.startFailed(this.id, { code: "AGENT_CRASHED", message });
      },
    });
  }

  /** Effects of what is now stored. */
  private react(committed: Committed): void {
    for (const event of committed.events) {
      if (event.type === "turn_start") {
        this.watch.turnStarted();
        this.deliver(event.turnId);
      }
      // From here on it is the agent's to speak.
      if (event.type === "interaction_resolved" || event.type === "session_status") this.watch.spoke();
      if (event.type === "queue_update" && event.messages.some(({ steer }) => steer)) {
        this.background(() => this.steering.tell());
      }
      if (event.type === "done") {
        this.intake.turnEnded();
        this.watch.turnEnded();
        this.link.turnEnded();
        this.background(() => this.startNext());
      }
    }
    if (Object.values(this.journal.row.runtime.pending).some((request) => request.answer)) {
      this.background(() => this.delivery.answerPending());
    }
    announce(this.context, this.id, committed);
  }

  private deliver(turnId: string): void {
    this.background(async () => {
      await this.delivery.prompt(turnId);
      await this.steering.tell();
    });
  }

  private background(task: () => Promise<unknown>): void {
    this.context.background.run(task);
  }
}
