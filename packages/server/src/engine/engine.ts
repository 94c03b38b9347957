import type { Rejection, SessionStateName, StartFailure, TurnChange } from "@drover/core";
import type { Alarm, ProcessRecord } from "../ports.ts";
import type { Service } from "../service.ts";
import { openVault } from "./accounts/open-vault.ts";
import { accountsService } from "./accounts/service.ts";
import { retireAgent } from "./agent/retire.ts";
import { alarmHandlers } from "./alarms/handlers.ts";
import { AlarmRunner } from "./alarms/runner.ts";
import { Background } from "./background.ts";
import { Bus } from "./bus.ts";
import type { EngineContext } from "./context.ts";
import type { EngineDeps, EngineSignals } from "./deps.ts";
import { Listeners } from "./listeners.ts";
import { sessionDeleted } from "./not-found.ts";
import { workersService } from "./output/service.ts";
import { AgentNews } from "./reactions/agent-news.ts";
import { Announcer } from "./reactions/announcer.ts";
import { Feed, type FeedParts } from "./reactions/feed.ts";
import { Reaction } from "./reactions/reactors.ts";
import { settleAllPending } from "./removal/pending.ts";
import { MergeQueue } from "./review/merge-queue.ts";
import { ReviewKeeper } from "./review/reactor.ts";
import { recoverReviews, reviewService } from "./review/service.ts";
import { agentsService } from "./service/agents.ts";
import { pathsService } from "./service/changes.ts";
import { interactionsService } from "./service/interactions.ts";
import { whyLooser } from "./service/looser.ts";
import { Projects } from "./service/projects.ts";
import { refileSessions } from "./service/refile.ts";
import { sessionsService } from "./service/sessions.ts";
import type { SessionActor } from "./session/actor.ts";
import { type RecoverOptions, recoverSession } from "./session/recovery.ts";
import { Registry } from "./session/registry.ts";
import { holderOf } from "./workers/slot-of.ts";
import { unlockRepositories } from "./workspaces/repository-tops.ts";
import { workspacesService } from "./workspaces/service.ts";

/** Owns every session: accepts commands, recovers sessions from the log at start, releases agents at the end. */
export class Engine {
  readonly service: Service;
  private readonly context: EngineContext;
  /** If set, nothing new is accepted. */
  private refusal: Rejection | undefined;
  private readonly turns: Listeners<TurnChange>;
  private readonly startFailures: Listeners<StartFailure>;
  private readonly background: Background;
  private readonly announcer: Announcer;
  private readonly news: AgentNews;
  private readonly reaction: Reaction;
  private readonly keeping: Reaction;
  private readonly merging: MergeQueue;
  private readonly stopping = new AbortController();

  constructor(deps: EngineDeps) {
    const { store, logger } = deps;
    const background = new Background(deps);
    this.background = background;
    this.turns = new Listeners(logger);
    this.startFailures = new Listeners(logger);
    const alarms = new AlarmRunner({ store, background, fire: (alarm) => this.fire(alarm) });
    const projects: Projects = new Projects(deps.store, {
      ...{ resolvePath: deps.resolvePath, repositoryTop: deps.repositoryTop },
      isHomeOrAbove: deps.isHomeOrAbove,
      refile: (project) => refileSessions(this.context, project),
      refileLater: (project) => background.run(() => refileSessions(this.context, project)),
    });
    const bus = new Bus({ logger, wakeReactors: () => this.wakeReactors() });
    const registry = new Registry({
      deps,
      background,
      alarms,
      bus,
      signals: this.signals(),
      project: (row) => projects.claim(row),
      mayStart: (sessionId, by) => this.mayStart(sessionId, by),
    });
    this.announcer = new Announcer({ deps, registry });
    const render: FeedParts["render"] = (announcement) => this.announcer.render(announcement);
    const feed = new Feed({ store, background, logger, render });
    this.news = new AgentNews({
      registry,
      feed,
      announcer: this.announcer,
      startFailures: this.startFailures,
      slots: deps.workers.slots,
    });
    this.reaction = new Reaction(this.announcer, { store, feed, background, logger });
    this.context = {
      deps,
      registry,
      alarms,
      bus,
      feed,
      projects,
      background,
      stopping: this.stopping.signal,
    };
    this.keeping = new Reaction(new ReviewKeeper(this.context), { store, feed, background, logger });
    this.merging = new MergeQueue(this.context);
    this.service = {
      sessions: sessionsService(this.context),
      reviews: reviewService(this.context, this.merging),
      interactions: interactionsService(this.context),
      agents: agentsService(this.context),
      accounts: accountsService(deps),
      projects: projects.asService(),
      paths: pathsService(this.context),
      workers: workersService(this.context),
      workspaces: workspacesService(this.context),
      server: deps.server,
      feed: this.context.feed.asService(),
      refusing: () => this.refusal,
    };
  }

  /** Loads the live sessions. Returns once the log is recovered; agents are reattached in the background. */
  async recover(options: RecoverOptions = {}): Promise<{ sessions: number; attached: Promise<void> }> {
    await openVault(this.context.deps);
    await this.context.feed.open();
    await Promise.all([this.reaction.start(), this.keeping.start()]);
    const { deps, projects } = this.context;
    const isNewHome = (await deps.store.sessions({ limit: 1, archived: false })).rows.length === 0;
    // The page suggests the first project for a new session; without one, it would be the user's home.
    if (isNewHome) await projects.addFirst(deps.tourDirectory, "Tour");
    const rows = await deps.store.liveSessions();
    const actors = await Promise.all(rows.map((row) => this.context.registry.actor(row)));
    for (const { log, link } of actors) deps.workers.slots.register(holderOf(log, link));
    await this.context.alarms.start();
    const attached = Promise.all(actors.map((actor) => this.recoverOne(actor, options)));
    void attached.finally(() => deps.workers.slots.open());
    this.background.run(() => refileSessions(this.context));
    this.background.run(() => settleAllPending(this.context));
    this.background.run(() => unlockRepositories(this.context));
    this.background.run(() => recoverReviews(this.context, this.merging));
    return { sessions: rows.length, attached: attached.then(() => undefined) };
  }

  /** Live sessions by state, and events stored since the start. */
  statistics(): { sessions: Partial<Record<SessionStateName, number>>; appendedEvents: number } {
    return { sessions: this.announcer.count(), appendedEvents: this.context.bus.published };
  }

  /** The agent processes that sessions have on record; some may have ended already. */
  async processes(): Promise<(ProcessRecord & { readonly sessionId: string })[]> {
    const actors = await this.context.registry.loaded();
    return actors.flatMap(({ id, journal }) => {
      const { process } = journal.row.runtime;
      return process ? [{ ...process, sessionId: id }] : [];
    });
  }

  private wakeReactors(): void {
    this.reaction.wake();
    this.keeping.wake();
  }

  private async fire(alarm: Alarm): Promise<void> {
    const actor = await this.context.registry.find(alarm.sessionId);
    if (actor) await alarmHandlers[alarm.kind](actor, alarm);
  }

  private async mayStart(sessionId: string, by: string): Promise<boolean> {
    const [, sender] = /^agent:(.+)$/.exec(by) ?? [];
    return (
      sender === undefined ||
      (await whyLooser(this.context, sender, { sessionId, isToRun: true })) === undefined
    );
  }

  /** Turns of all sessions as they start and end, published after the commit. */
  onTurn(listener: (change: TurnChange) => void): Disposable {
    return this.turns.add(listener);
  }

  onStartFailure(listener: (failure: StartFailure) => void): Disposable {
    return this.startFailures.add(listener);
  }

  /**
   * When storage is full, nothing new is accepted and every agent is paused; when there is room again, all of it
   * resumes.
   */
  async holdAgents(refusal: Rejection | undefined): Promise<void> {
    this.refusal = refusal;
    if (refusal) this.merging.cancel(refusal);
    for (const actor of await this.context.registry.loaded()) {
      if (refusal) actor.link.live?.pause();
      else actor.link.live?.unpause();
      if (!refusal && actor.isNeeded) this.background.run(() => actor.goOn());
    }
  }

  async close(options: { stopAgents: boolean }): Promise<void> {
    this.refusal = {
      code: "SHUTTING_DOWN",
      message: "The server is shutting down; try again when it is back",
    };
    this.stopping.abort();
    this.context.deps.workers.slots.close();
    await this.context.alarms.close();
    const actors = await this.context.registry.loaded();
    if (options.stopAgents) await Promise.all(actors.map((actor) => retireAgent(actor, this.context.deps)));
    await Promise.all(actors.map((actor) => actor.close()));
    await this.background.close();
  }

  private async recoverOne(actor: SessionActor, options: RecoverOptions): Promise<void> {
    try {
      await recoverSession(actor, options);
    } catch (error) {
      this.context.deps.logger.error("Could not recover a session", {
        session: actor.id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }

  private signals(): EngineSignals {
    return {
      sessionRemoved: (sessionId) => this.forget(sessionId),
      connectionChanged: (sessionId, connection) => void this.news.status(sessionId, connection),
      agentSpawned: (sessionId, pid) => void this.news.spawned(sessionId, pid),
      agentStopped: (sessionId, reason) => void this.news.stopped(sessionId, reason),
      startFailed: (sessionId, why) => void this.news.startFailed(sessionId, why),
      turnChanged: (change) => this.turns.emit(change),
    };
  }

  private forget(sessionId: string): void {
    this.merging.cancel(sessionDeleted, sessionId);
    this.context.registry.forget(sessionId);
    this.context.deps.workers.slots.forget(sessionId);
    this.announcer.forget(sessionId);
    this.context.bus.news();
  }
}
