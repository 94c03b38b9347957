import {
  type Connection,
  describeExit,
  Fault,
  type ProcessEffect,
  type ProcessEnding,
  type ProcessState,
  type ProcessTrigger,
  restingConnection,
  type StartKind,
  type StopReason,
  stepProcess,
} from "@drover/core";
import type { AgentConnection, AgentExit } from "../../ports.ts";
import { Mailbox } from "../session/mailbox.ts";
import { type Opener, openProcess, type PromptStart, turnEndedFirst } from "./open-process.ts";
import { lifetimeOf } from "./program-of.ts";

/** What the process needs from its session; every call into the log goes through the session's mailbox. */
export interface ProcessOwner extends Opener {
  connectionChanged(connection: Connection): void;
  spawned(pid: number): void;
  stopped(reason: StopReason): void;
  /** A start failed, and no retry follows. */
  startFailed(fault: Fault): void;
  /** Retrying is over: queued messages can continue. */
  goOn(): void;
  /** The process is gone and its last output recorded. */
  ended(exit: AgentExit, ending: ProcessEnding): Promise<void>;
  gaveUp(message: string, stderrTail: string | undefined): void;
}

/** What the effects of one trigger operate on. */
interface Subject {
  readonly prompt?: PromptStart;
  readonly exit?: AgentExit;
}

type EffectOf<T extends ProcessEffect["type"]> = Extract<ProcessEffect, { type: T }>;
type EffectTable = {
  readonly [T in ProcessEffect["type"]]: (effect: EffectOf<T>, subject: Subject) => void;
};

/**
 * Runs a session's agent process. The table in core's supervision/process.ts says what follows each trigger; this class
 * holds the state and carries out the effects.
 */
export class ProcessRunner {
  /** The process from its opening to its exit. */
  connection: AgentConnection | undefined;
  /** The start in progress. */
  opening: Promise<AgentConnection> | undefined;
  /** The last stop; rejects with a Fault if the process could not be ended. */
  stopped: Promise<void> = Promise.resolve();
  detached: Promise<void> = Promise.resolve();
  /** The last exit is recorded. */
  recorded: Promise<void> = Promise.resolve();
  private state: ProcessState;
  private abort = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** The stderr of the last agent that ended or failed to start. */
  private stderrTail: string | undefined;
  private readonly sweeps = new Mailbox();
  private readonly owner: ProcessOwner;
  private readonly setUp: () => Promise<void>;

  private readonly effects: EffectTable = {
    announce: ({ connection }) => this.owner.connectionChanged(connection),
    announce_spawned: ({ pid }) => this.owner.spawned(pid),
    announce_stopped: ({ reason }) => this.owner.stopped(reason),
    start: ({ start }, { prompt }) => {
      this.opening = this.start(start, prompt);
      // Avoid an unhandled rejection if this is never awaited.
      this.opening.catch(() => undefined);
    },
    end: () => {
      this.stopped = this.end();
    },
    detach: () => {
      this.detached = this.detach();
    },
    sweep: () => void this.sweep(),
    record_exit: (effect, { exit }) => {
      if (exit) this.recorded = this.record(exit, effect);
    },
    set_timer: ({ fires, ms }) => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.apply({ type: fires }), ms).unref();
    },
    clear_timer: () => clearTimeout(this.timer),
    start_failed: ({ fault }) => this.owner.startFailed(fault),
    gave_up: ({ message }) => this.owner.gaveUp(message, this.stderrTail),
    resume_queue: () => this.owner.goOn(),
  };

  /** `setUp` is awaited before each start. */
  constructor(owner: ProcessOwner, setUp: () => Promise<void>) {
    this.owner = owner;
    this.setUp = setUp;
    const { deps, journal } = owner.log;
    const connection = restingConnection(journal.state, deps.settings.supervision);
    this.state = { stage: { name: "none" }, connection, isAnnounced: false };
  }

  get status(): Connection {
    return this.state.connection;
  }

  get stage(): ProcessState["stage"]["name"] {
    return this.state.stage.name;
  }

  apply(trigger: ProcessTrigger, subject: Subject = {}): void {
    const { supervision } = this.owner.log.deps.settings;
    const { row } = this.owner.log.journal;
    const { attempts, backoffMs, maxBackoffMs, stableAfterMs } = supervision;
    const { state, effects } = stepProcess(this.state, trigger, {
      ...{ attempts, backoffMs, maxBackoffMs, stableAfterMs },
      // A worker's process starts with an attempt and ends with it, whatever the agent does.
      lifetime: row.about.kind === "worker" ? "prompt" : lifetimeOf(this.owner.log),
      now: new Date().toISOString(),
    });
    this.state = state;
    for (const effect of effects) {
      // A table cannot express to the compiler that its entry fits this effect.
      const carryOut = this.effects[effect.type] as (effect: ProcessEffect, subject: Subject) => void;
      carryOut(effect, subject);
    }
  }

  /**
   * Ends what the session's last process left behind. The next start waits for it, because it carries the same mark.
   */
  sweep(): Promise<void> {
    const { deps, journal } = this.owner.log;
    const { id } = journal.row;
    return this.sweeps
      .run(() => deps.sweep(id))
      .catch((error) =>
        deps.logger.error("Could not sweep a session", { session: id, error: String(error) }),
      );
  }

  /** Rejects with a Fault. */
  private async start(start: StartKind, prompt: PromptStart | undefined): Promise<AgentConnection> {
    this.abort = new AbortController();
    let connection: AgentConnection;
    try {
      connection = await this.open(start, prompt);
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault("AGENT_UNREACHABLE", String(error));
      const { stderrTail } = fault.facts;
      this.stderrTail = typeof stderrTail === "string" ? stderrTail : undefined;
      this.opening = undefined;
      this.apply({ type: "start_failed", fault, isNeeded: fault !== turnEndedFirst });
      throw fault;
    }
    this.opening = undefined;
    this.connection = connection;
    void connection.ended.then((exit) => this.exited(connection, exit));
    if (this.owner.log.deps.isStorageFull()) connection.pause();
    this.apply({ type: "opened", pid: connection.pid });
    return connection;
  }

  private async open(start: StartKind, prompt: PromptStart | undefined): Promise<AgentConnection> {
    const { owner, abort } = this;
    const how = {
      ...(prompt ? { prompt } : {}),
      spawned: (pid: number) => this.apply({ type: "spawned", pid }),
      connected: (pid: number) => this.apply({ type: "answered", pid }),
    };
    // A process that already exists does not count as a start.
    if (start === "attach") return openProcess(owner, { ...how, attach: true }, abort.signal);
    // Takes minutes: other sessions' agents may start in the meantime.
    await this.setUp();
    return owner.log.deps.limitStarts(async () => {
      await this.sweeps.drain();
      return openProcess(owner, how, abort.signal);
    });
  }

  private exited(connection: AgentConnection, exit: AgentExit): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.stderrTail = exit.stderrTail;
    const { row, state } = this.owner.log.journal;
    this.apply(
      {
        type: "exited",
        isTurnOver: connection.isOver === true,
        isStopStored: row.runtime.stopping,
        hasTurnCrashed: state.lastTurn?.reason === "crashed",
      },
      { exit },
    );
  }

  private async record(exit: AgentExit, { ending, reason }: EffectOf<"record_exit">): Promise<void> {
    await this.owner.ended(exit, ending);
    this.apply({ type: "recorded", ending, reason, message: describeExit(exit) });
  }

  private async end(): Promise<void> {
    try {
      await this.abortStart();
      const { connection } = this;
      if (connection) await this.endConnection(connection);
      await this.sweeps.drain();
    } catch (error) {
      this.apply({ type: "stop_failed" });
      throw error;
    }
    this.apply({ type: "stopped" });
  }

  private async endConnection(connection: AgentConnection): Promise<void> {
    await connection.stop().catch((error: unknown) => this.logSurvivors(connection, error));
    const { stage } = this.state;
    if (stage.name === "stopping" && stage.mode === "discard") return this.release();
    await connection.ended;
    await this.owner.log.mailbox.drain();
  }

  /** Processes that a gone agent left behind, such as another user's, do not prevent the next start. */
  private logSurvivors(connection: AgentConnection, error: unknown): void {
    if (!(error instanceof Fault) || this.connection === connection) throw error;
    const { deps, journal } = this.owner.log;
    deps.logger.error("An agent left processes behind", { session: journal.row.id, error: error.message });
  }

  private async detach(): Promise<void> {
    await this.abortStart();
    this.release();
  }

  private async abortStart(): Promise<void> {
    this.abort.abort();
    await this.opening?.catch(() => undefined);
  }

  private release(): void {
    this.connection?.detach();
    this.connection = undefined;
  }
}
