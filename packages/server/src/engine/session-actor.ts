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
  reject,
  type Session,
  stateName,
} from "@drover/core";
import type { ProjectRow, Receipted, SessionRow } from "../ports.ts";
import { AgentLink } from "./agent-link.ts";
import { AgentSide, type AgentSideOwner } from "./agent-side.ts";
import { reasonFor, settlePending, spokenDuration } from "./answers.ts";
import { background, untilStored } from "./background.ts";
import type { Bus } from "./bus.ts";
import { Delivery, type DeliveryOwner } from "./delivery.ts";
import type { EngineDeps, EngineSignals } from "./deps.ts";
import { hashOf, newId } from "./ids.ts";
import type { InteractionClock } from "./interaction-clock.ts";
import { type Change, type Committed, Journal } from "./journal.ts";
import { Mailbox } from "./mailbox.ts";
import { TurnWatch } from "./turn-watch.ts";
import { capabilitiesOf, sessionView } from "./view.ts";

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
export class SessionActor implements AgentSideOwner, DeliveryOwner {
  readonly journal: Journal;
  readonly mailbox = new Mailbox();
  readonly link: AgentLink;
  readonly deps: EngineDeps;
  private readonly context: ActorContext;
  private readonly watch: TurnWatch;
  private readonly delivery: Delivery;
  readonly agentSide: AgentSide;

  private constructor(context: ActorContext, journal: Journal) {
    this.context = context;
    this.deps = context.deps;
    this.journal = journal;
    this.agentSide = new AgentSide(this);
    this.link = new AgentLink(this.agentSide);
    this.delivery = new Delivery(this, context.deps.store);
    this.watch = new TurnWatch(context.deps.settings, {
      stalled: () => this.background(() => this.tellStalled()),
      idle: () => this.background(() => this.rest()),
      overdue: () => this.background(() => this.endOverdue()),
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

  /** Something of it must stay in memory: an agent, a turn, a deadline. */
  get isNeeded(): boolean {
    return this.journal.row.live || this.link.isBusy;
  }

  view(): Session {
    const { row } = this.journal;
    return sessionView(this.deps, row, this.link.status);
  }

  /** Decides and commits one command; reactions follow the commit. */
  run<C extends Command>(
    command: C,
    more: { receipt?: (receipt: Receipt) => Receipted } = {},
  ): Promise<Result<Decision, Rejection>> {
    return this.mailbox.run(async () => {
      const decided = decide(this.journal.state, command, this.given());
      if (!decided.ok) return decided;
      const { events, receipt, grant, permissionMode } = decided.value;
      if (events.length === 0 && !receipt) return decided;
      const { about } = this.journal.row;
      const title = command.type === "send" && about.title === "" ? { title: titleOf(command.content) } : {};
      const grants = grant ? { grants: [...about.grants, grant] } : {};
      const amended = command.type === "approve" ? command.input : undefined;
      await this.commit({
        events,
        runtime: { pending: settlePending(this.journal.row.runtime.pending, events, amended) },
        about: { ...title, ...grants, ...(permissionMode ? { permissionMode } : {}) },
        ...(receipt && more.receipt ? { receipt: more.receipt(receipt) } : {}),
        durability: "command",
      });
      return decided;
    });
  }

  async interrupt(): Promise<{ turnId?: string }> {
    const turn = this.journal.state.turn;
    if (!turn) return {};
    await this.run({ type: "interrupt" });
    await this.mailbox.run(async () => {
      const { prompt } = this.journal.row.runtime;
      if (prompt?.turnId !== turn.id) return;
      // Before its first byte is written the agent knows nothing of it: there is nobody to ask.
      if (prompt.phase === "accepted") await this.end(turn.id, undefined);
      else
        await this.commit({ runtime: { prompt: { ...prompt, interrupted: true } }, durability: "command" });
    });
    this.insist();
    return { turnId: turn.id };
  }

  /** Asks the agent to end its interrupted turn, and ends its process when it does not. */
  insist(): void {
    if (!this.interrupted) return;
    this.watch.expectEnd();
    void this.link.cancel(this.interrupted);
  }

  /** The turn a person asked to end, while it has not. */
  get interrupted(): string | undefined {
    const { prompt } = this.journal.row.runtime;
    return prompt?.interrupted ? prompt.turnId : undefined;
  }

  /** Stores the wish, then ends the process; a server that dies in between goes on stopping when it is back. */
  async beginStop(): Promise<{ finished: Promise<void> }> {
    await this.run({ type: "interrupt" });
    if (this.journal.state.queue.length > 0) await this.run({ type: "set_paused", paused: true });
    await this.mailbox.run(() =>
      this.commit({
        events: [{ type: "session_status", state: "stopping" }],
        runtime: { stopping: true },
        durability: "command",
      }),
    );
    return { finished: this.finishStop() };
  }

  /** What was sent while it stopped waits for `startNext`. */
  async finishStop(): Promise<void> {
    await this.link.stop();
    const { turn } = this.journal.state;
    if (turn) await this.endTurn(turn.id, undefined);
    await untilStored(this.deps, () =>
      this.mailbox.run(() =>
        this.commit({
          events: [{ type: "session_status", state: "stopped" }],
          runtime: { stopping: false, process: null, pending: {} },
          durability: "command",
        }),
      ),
    );
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
        events: patch.model === undefined ? [] : this.told({ model: patch.model }),
        about: changed,
        ...(name === undefined ? {} : { name }),
        ...(archived === undefined ? {} : { archived }),
        durability: "command",
      }),
    );
    if (patch.model) await this.link.setModel(patch.model).catch(() => undefined);
  }

  /** The session as it is, with a model it shall have from now on; an agent that keeps its own says so. */
  private told({ model }: { model: string }): EventBody[] {
    const { told: state, reason, turn, model: before } = this.journal.state;
    if (model === before) return [];
    const turnId = turn ? { turnId: turn.id } : {};
    return [{ type: "session_status", ...turnId, state, model, ...(reason ? { reason } : {}) }];
  }

  async expire(interactionId: string): Promise<void> {
    const time = spokenDuration(this.deps.settings.interactionTimeoutMs);
    await this.run({ type: "expire", interactionId, reason: `Tool approval timed out after ${time}` });
  }

  /** Deadlines and clocks of what was under way when the last server ended; then whatever waits may go on. */
  async goOn(): Promise<void> {
    const { turn } = this.journal.state;
    if (turn) this.watch.turnStarted();
    this.insist();
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
        this.context.signals.turnChanged(this.id, { turnId: event.turnId, phase: "started" });
        this.deliverPrompt(event.turnId);
      }
      // From here on it is the agent's to speak.
      if (event.type === "interaction_resolved" || event.type === "session_status") this.watch.spoke();
      if (event.type === "done") {
        this.agentSide.turnEnded();
        this.watch.turnEnded();
        this.link.turnEnded();
        const { turnId, reason } = event;
        this.context.signals.turnChanged(this.id, { turnId, phase: "ended", reason });
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

  /** Without a fault the turn was cancelled. Does nothing when the turn has ended already. */
  endTurn(turnId: string, fault: Fault | undefined): Promise<void> {
    return untilStored(this.deps, () => this.mailbox.run(() => this.end(turnId, fault)));
  }

  /** From inside the mailbox. */
  private async end(turnId: string, fault: Fault | undefined): Promise<void> {
    const cancelled = !fault || this.interrupted === turnId;
    const ended = decide(
      this.journal.state,
      {
        type: "end_turn",
        turnId,
        reason: cancelled ? "cancelled" : reasonFor(fault.code),
        ...(cancelled ? {} : { fault }),
        cause: cancelled ? "turn_cancelled" : "agent_gone",
      },
      this.given(),
    );
    if (ended.ok && ended.value.events.length > 0) {
      const isUnknown = fault?.code === "RESUME_UNKNOWN";
      await this.commit({
        events: ended.value.events,
        ...(isUnknown ? { runtime: { agentSessionId: null } } : {}),
        durability: "command",
      });
    }
  }

  private async tellStalled(): Promise<void> {
    // Starting, or waiting for a person, it is not the agent that is silent.
    if (stateName(this.journal.state) === "running") await this.run({ type: "tell", state: "stalled" });
  }

  /** Asked to end its turn, the agent has not: its process ends instead. */
  private async endOverdue(): Promise<void> {
    const { turn } = this.journal.state;
    if (turn && turn.id === this.interrupted) await this.link.stop();
  }

  private async rest(): Promise<void> {
    if (!this.journal.state.turn && this.link.isLive) await this.link.stop();
  }

  private background(task: () => Promise<unknown>): void {
    background(this.deps, task);
  }

  given(): Given {
    const { row } = this.journal;
    const { amend, denyReason } = capabilitiesOf(this.deps, row.about);
    return {
      now: new Date().toISOString(),
      newId,
      hash: hashOf,
      session: {
        id: row.id,
        name: row.name,
        agent: row.about.agent,
        permissionMode: row.about.permissionMode,
        grants: row.about.grants,
        mustWait: this.link.status.status === "reconnecting" || row.runtime.stopping,
        denyReasonReachesAgent: denyReason,
        canAmend: amend,
      },
      queueMax: this.deps.settings.queueMax,
      interactionTimeoutMs: this.deps.settings.interactionTimeoutMs,
    };
  }
}

/** Until a person gives one, a session is called by the first line of its first message. */
function titleOf(content: string): string {
  const line = content.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}

export const sessionNotFound = (idOrName: string): Result<never, Rejection> =>
  reject("NOT_FOUND", `There is no session ${idOrName}; list them with GET /api/sessions`, {
    what: "session",
  });
