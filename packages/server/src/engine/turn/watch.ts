import type { EngineSettings } from "../deps.ts";

export interface TurnWatchHooks {
  /** A running turn has been silent for `stallAfter`. */
  stalled(): void;
  /** No turn for `idleAfter`. */
  idle(): void;
  /** The agent did not end its turn within the grace after being asked to. */
  overdue(): void;
  /** A worker's run has taken as long as it may. */
  timedOut(): void;
}

/** The timers around a turn: silence, idleness, an overdue end and the time limit of workers. */
export class TurnWatch {
  private silence: NodeJS.Timeout | undefined;
  private idle: NodeJS.Timeout | undefined;
  private end: NodeJS.Timeout | undefined;
  private limit: NodeJS.Timeout | undefined;
  private isHeld = false;
  private readonly settings: EngineSettings;
  private readonly hooks: TurnWatchHooks;

  constructor(settings: EngineSettings, hooks: TurnWatchHooks) {
    this.settings = settings;
    this.hooks = hooks;
  }

  turnStarted(): void {
    this.stop();
    this.silence = setTimeout(this.hooks.stalled, this.settings.stallAfterMs).unref();
  }

  /** Refreshing a timer is cheap enough for every batch of output. */
  spoke(): void {
    this.silence?.refresh();
    this.idle?.refresh();
  }

  /** A worker's agent got its prompt. */
  runStarted(): void {
    const { turnTimeoutMs } = this.settings.workers;
    clearTimeout(this.limit);
    if (turnTimeoutMs > 0) this.limit = setTimeout(this.hooks.timedOut, turnTimeoutMs).unref();
    this.isHeld = false;
  }

  /** Its time was up while it waited for a person, which does not count. */
  runHeld(): void {
    this.isHeld = true;
  }

  /** A person has answered: a run that was held gets its time again. */
  runReleased(): void {
    if (this.isHeld) this.runStarted();
  }

  expectEnd(): void {
    clearTimeout(this.end);
    this.end = setTimeout(this.hooks.overdue, this.settings.supervision.stopGraceMs).unref();
  }

  turnEnded(): void {
    this.stop();
    this.idle = setTimeout(this.hooks.idle, this.settings.idleAfterMs).unref();
  }

  stop(): void {
    clearTimeout(this.silence);
    clearTimeout(this.idle);
    clearTimeout(this.end);
    clearTimeout(this.limit);
    this.silence = undefined;
    this.idle = undefined;
    this.isHeld = false;
  }
}
