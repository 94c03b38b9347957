import { type Connection, type SupervisionStep, supervise, type Trigger } from "@drover/core";
import type { EngineSettings } from "../deps.ts";

export interface SupervisorHooks {
  /** The status is another; announce it. */
  changed(connection: Connection): void;
  /** The wait before the next of the bounded tries is over. */
  tryNow(): void;
  /** That was the last try. */
  gaveUp(message: string): void;
}

/**
 * How a session stands with its agent, and the clocks that change it. The rules are core's `supervise`; what they want
 * started at once is the caller's to start.
 */
export class Supervisor {
  private connection: Connection;
  private nextTry: NodeJS.Timeout | undefined;
  private stability: NodeJS.Timeout | undefined;
  private readonly settings: EngineSettings["supervision"];
  private readonly hooks: SupervisorHooks;

  constructor(settings: EngineSettings["supervision"], initial: Connection, hooks: SupervisorHooks) {
    this.settings = settings;
    this.connection = initial;
    this.hooks = hooks;
  }

  get status(): Connection {
    return this.connection;
  }

  /** Another try follows by itself. */
  get isWaiting(): boolean {
    return this.nextTry !== undefined;
  }

  apply(trigger: Trigger): SupervisionStep {
    const step = supervise(this.connection, trigger, this.settings);
    const { announced, effect } = step;
    for (const connection of announced) {
      const isAwaited = connection.status === "reconnecting" && effect.type === "start_after";
      this.connection = isAwaited ? { ...connection, nextTryAt: fromNow(effect.ms) } : connection;
      this.hooks.changed(this.connection);
    }
    if (trigger.type === "ready" && announced.length > 0) this.awaitStability();
    if (this.connection.status !== "connected") clearTimeout(this.stability);
    if (effect.type !== "none") this.cancelTry();
    if (effect.type === "start_after") this.awaitTry(effect.ms);
    const last = announced.at(-1);
    if (last?.gaveUp) this.hooks.gaveUp(last.lastError ?? "The agent ended");
    return step;
  }

  /** Nothing changes by itself from here on. */
  stop(): void {
    clearTimeout(this.stability);
    this.cancelTry();
  }

  /** A connection that holds for so long has made good for the tries before it. */
  private awaitStability(): void {
    clearTimeout(this.stability);
    this.stability = setTimeout(() => this.apply({ type: "stable" }), this.settings.stableAfterMs).unref();
  }

  private awaitTry(ms: number): void {
    this.nextTry = setTimeout(() => {
      this.nextTry = undefined;
      this.hooks.tryNow();
    }, ms).unref();
  }

  private cancelTry(): void {
    clearTimeout(this.nextTry);
    this.nextTry = undefined;
  }
}

const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();
