import {
  type Command,
  type Connection,
  type Decision,
  decide,
  type EventBody,
  type Fault,
  type Given,
  type PatchSession,
  type Receipt,
  type Rejection,
  type Result,
  type Session,
  stateName,
} from "@drover/core";
import type { ProjectRow, Receipted, SessionRow } from "../ports.ts";
import { AgentLink } from "./agent-link.ts";
import { AgentSide, type AgentSideOwner } from "./agent-side.ts";
import { settlePending, spokenDuration } from "./answers.ts";
import { background } from "./background.ts";
import type { Bus } from "./bus.ts";
import { Delivery, type DeliveryOwner } from "./delivery.ts";
import type { EngineDeps, EngineSignals } from "./deps.ts";
import { Endings, type EndingsOwner } from "./endings.ts";
import { givenFor } from "./given.ts";
import type { InteractionClock } from "./interaction-clock.ts";
import { type Change, type Committed, Journal } from "./journal.ts";
import { Mailbox } from "./mailbox.ts";
import { notFound } from "./not-found.ts";
import { TurnWatch } from "./turn-watch.ts";
import { sessionView } from "./view.ts";

interface Receipting {
  /** What is stored with the command, so that the same intent gets the same answer. */
  readonly receipt?: (receipt: Receipt) => Receipted;
}

export interface ActorContext {
  readonly deps: EngineDeps;
  readonly signals: EngineSignals;
  readonly clock: InteractionClock;
  readonly bus: Bus;
  readonly project: (id: string | undefined) => Promise<ProjectRow | undefined>;
}

/**
 * The one owner of a session. Whatever a person, the agent or the clock wants goes through its mailbox: decided by
 * core, committed by the journal, and only then acted upon.
 */
export class SessionActor implements AgentSideOwner, DeliveryOwner, EndingsOwner {
  readonly journal: Journal;
  readonly mailbox = new Mailbox();
  readonly link: AgentLink;
  readonly deps: EngineDeps;
  readonly agentSide: AgentSide;
  readonly endings: Endings;
  readonly watch: TurnWatch;
  private readonly context: ActorContext;
  private readonly delivery: Delivery;

  private constructor(context: ActorContext, journal: Journal) {
    this.context = context;
    this.deps = context.deps;
    this.journal = journal;
    this.agentSide = new AgentSide(this);
    this.link = new AgentLink(this.agentSide);
    this.delivery = new Delivery(this, context.deps.store);
    this.endings = new Endings(this);
    this.watch = new TurnWatch(context.deps.settings, {
      stalled: () => this.background(() => this.tellStalled()),
      idle: () => this.background(() => this.endings.rest()),
      overdue: () => this.background(() => this.endings.endOverdue()),
    });
  }

  static async load(context: ActorContext, row: SessionRow): Promise<SessionActor> {
    return new SessionActor(
      context,
      await Journal.load({ store: context.deps.store, bus: context.bus }, row),
    );
  }

  get id(): string {
    return this.journal.row.id;
  }

  get interrupted(): string | undefined {
    return this.endings.interrupted;
  }

  /** Something of it must stay in memory: an agent, a turn, a deadline. */
  get isNeeded(): boolean {
    return this.journal.row.live || this.link.isBusy;
  }

  view(): Session {
    const { row } = this.journal;
    return sessionView(this.deps, row, this.link.status);
  }

  /** Decides and commits one command; reactions follow the commit. */
  run(command: Command, more: Receipting = {}): Promise<Result<Decision, Rejection>> {
    return this.mailbox.run(async () =>
      this.endings.isLeaving ? notFound("session", this.id) : this.perform(command, more),
    );
  }

  /** From inside the mailbox. */
  async perform(command: Command, more: Receipting = {}): Promise<Result<Decision, Rejection>> {
    const decided = decide(this.journal.state, command, this.given());
    if (!decided.ok) return decided;
    const { events, receipt, grant, permissionMode } = decided.value;
    if (events.length === 0 && !receipt) return decided;
    const { about } = this.journal.row;
    const chosen = {
      ...(command.type === "send" && about.title === "" ? { title: titleOf(command.content) } : {}),
      ...(grant ? { grants: [...about.grants, grant] } : {}),
      ...(permissionMode ? { permissionMode } : {}),
    };
    const amended = command.type === "approve" ? command.input : undefined;
    await this.commit({
      events,
      runtime: { pending: settlePending(this.journal.row.runtime.pending, events, amended) },
      ...(Object.keys(chosen).length > 0 ? { about: chosen } : {}),
      ...(receipt && more.receipt ? { receipt: more.receipt(receipt) } : {}),
      durability: "command",
    });
    return decided;
  }

  /** Unpauses, and takes a stopped or crashed session up again. */
  async resume(): Promise<void> {
    const { told } = this.journal.state;
    if (told === "stopped" || told === "crashed") {
      await this.run({ type: "tell", state: "idle" });
      this.link.warmUp();
    }
    await this.run({ type: "set_paused", paused: false });
    await this.startNext();
  }

  async reconnect(): Promise<void> {
    if (this.journal.state.told === "crashed") await this.run({ type: "tell", state: "idle" });
    this.link.reconnect();
  }

  async patch(patch: PatchSession): Promise<void> {
    const { name, archived, ...about } = patch;
    const changed = Object.fromEntries(Object.entries(about).filter(([, value]) => value !== undefined));
    await this.mailbox.run(() =>
      this.commit({
        events: patch.model === undefined ? [] : this.withModel(patch.model),
        about: changed,
        ...(name === undefined ? {} : { name }),
        ...(archived === undefined ? {} : { archived }),
        durability: "command",
      }),
    );
    // An agent that keeps its model says so in a notice; one that is gone gets it with its next process.
    if (patch.model) await this.link.setModel(patch.model).catch(() => undefined);
  }

  /** The session as it is, with a model it shall have from now on. */
  private withModel(model: string): EventBody[] {
    const { told: state, reason, turn, model: before } = this.journal.state;
    if (model === before) return [];
    const turnId = turn ? { turnId: turn.id } : {};
    return [{ type: "session_status", ...turnId, state, model, ...(reason ? { reason } : {}) }];
  }

  /** Ends what runs, then takes the session away; its log stays. */
  async remove(): Promise<void> {
    await this.endings.remove();
    this.context.signals.sessionRemoved(this.id);
  }

  async expire(interactionId: string): Promise<void> {
    const time = spokenDuration(this.deps.settings.interactionTimeoutMs);
    await this.run({ type: "expire", interactionId, reason: `Tool approval timed out after ${time}` });
  }

  /** Deadlines and clocks of what was under way when the last server ended; then whatever waits may go on. */
  async goOn(): Promise<void> {
    const { turn } = this.journal.state;
    if (turn) this.watch.turnStarted();
    this.endings.insist();
    if (turn && this.journal.row.runtime.prompt?.phase === "accepted") this.deliverPrompt(turn.id);
    await this.startNext();
  }

  restartDeadlines(): void {
    for (const interaction of this.journal.state.interactions) {
      this.context.clock.restart(interaction, this.deps.settings.interactionTimeoutMs);
    }
  }

  deliverPrompt(turnId: string): void {
    this.background(() => this.delivery.prompt(turnId));
  }

  answerPending(): Promise<void> {
    return this.delivery.answerPending();
  }

  async close(): Promise<void> {
    this.watch.stop();
    await this.link.detach();
    await this.mailbox.drain();
  }

  project(): Promise<ProjectRow | undefined> {
    return this.context.project(this.journal.row.about.projectId);
  }

  connectionChanged(connection: Connection): void {
    this.context.signals.connectionChanged(this.id, connection);
  }

  connected(): void {
    this.background(() => this.startNext());
  }

  spoke(): void {
    this.watch.spoke();
  }

  /** Starts the next queued message when nothing stands in its way. */
  async startNext(): Promise<void> {
    await this.run({ type: "start_next" });
  }

  async commit(change: Change): Promise<void> {
    const starts = change.events?.find((event) => event.type === "turn_start");
    const ends = change.events?.some((event) => event.type === "done");
    const prompt = starts
      ? { prompt: { turnId: starts.turnId ?? "", phase: "accepted" as const } }
      : ends
        ? { prompt: null }
        : {};
    this.react(await this.journal.commit({ ...change, runtime: { ...change.runtime, ...prompt } }));
  }

  /** Effects of what is now stored. None of them is awaited here: the mailbox is free for the next command. */
  private react({ events, interactions }: Committed): void {
    for (const event of events) {
      if (event.type === "turn_start") {
        this.watch.turnStarted();
        this.context.signals.turnChanged({ sessionId: this.id, turnId: event.turnId, phase: "started" });
        this.deliverPrompt(event.turnId);
      }
      // From here on it is the agent's to speak.
      if (event.type === "interaction_resolved" || event.type === "session_status") this.watch.spoke();
      if (event.type === "done") {
        this.agentSide.turnEnded();
        this.watch.turnEnded();
        this.link.turnEnded();
        const { turnId, reason } = event;
        this.context.signals.turnChanged({ sessionId: this.id, turnId, phase: "ended", reason });
        this.background(() => this.startNext());
      }
    }
    for (const interaction of interactions) {
      if (interaction.state === "open") {
        this.context.clock.start(interaction);
        this.context.signals.interactionOpened(interaction);
      } else {
        this.context.clock.stop(interaction.id);
        this.context.signals.interactionResolved(interaction);
      }
    }
    if (Object.values(this.journal.row.runtime.pending).some((request) => request.answer)) {
      this.background(() => this.answerPending());
    }
    this.context.signals.sessionChanged(this.id);
  }

  endTurn(turnId: string, fault: Fault | undefined): Promise<void> {
    return this.endings.endTurn(turnId, fault);
  }

  private async tellStalled(): Promise<void> {
    // Starting, or waiting for a person, it is not the agent that is silent.
    if (stateName(this.journal.state) === "running") await this.run({ type: "tell", state: "stalled" });
  }

  private background(task: () => Promise<unknown>): void {
    background(this.deps, task);
  }

  given(): Given {
    return givenFor(this.deps, this.journal.row, this.link.status);
  }
}

/** Until a person gives one, a session is called by the first line of its first message. */
function titleOf(content: string): string {
  const line = content.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}
