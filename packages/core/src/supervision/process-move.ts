import { type ConnectionTrigger, type StopReason, supervise } from "../supervision.ts";
import type { ProcessEffect, ProcessRules, ProcessStage, ProcessState, StartKind } from "./process-state.ts";

/** A step being built. */
export class Move {
  state: ProcessState;
  readonly effects: ProcessEffect[] = [];
  readonly rules: ProcessRules;

  constructor(state: ProcessState, rules: ProcessRules) {
    this.state = state;
    this.rules = rules;
  }

  get status(): ProcessState["connection"]["status"] {
    return this.state.connection.status;
  }

  enter(stage: ProcessStage): this {
    this.state = { ...this.state, stage };
    return this;
  }

  add(effect: ProcessEffect): this {
    this.effects.push(effect);
    return this;
  }

  start(start: StartKind): void {
    this.enter({ name: "opening", start }).add({ type: "start", start });
  }

  expectProcess(): this {
    this.state = { ...this.state, isAnnounced: true };
    return this;
  }

  announceStopped(reason: StopReason): this {
    if (!this.state.isAnnounced) return this;
    this.state = { ...this.state, isAnnounced: false };
    return this.add({ type: "announce_stopped", reason });
  }

  /** Announces the connection that `supervise` returns, and waits if it asks for another try. */
  connect(trigger: ConnectionTrigger): this {
    const wasConnected = this.status === "connected";
    const { announced, effect } = supervise(this.state.connection, trigger, this.rules);
    for (const next of announced) {
      const isAwaited = next.status === "reconnecting" && effect.type === "start_after";
      const connection = isAwaited ? { ...next, nextTryAt: this.after(effect.ms) } : next;
      this.state = { ...this.state, connection };
      this.add({ type: "announce", connection });
    }
    if (effect.type === "start_after") {
      this.enter({ name: "waiting" }).add({ type: "set_timer", fires: "retry_due", ms: effect.ms });
    } else if (wasConnected && this.status !== "connected") this.add({ type: "clear_timer" });
    const { gaveUp, lastError = "The agent ended" } = this.state.connection;
    return announced.length > 0 && gaveUp ? this.add({ type: "gave_up", message: lastError }) : this;
  }

  private after(ms: number): string {
    return new Date(Date.parse(this.rules.now) + ms).toISOString();
  }
}
