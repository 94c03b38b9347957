import type { Interaction } from "@drover/core";

interface Running {
  readonly sessionId: string;
  readonly remainingMs: number;
  readonly since: number;
  readonly timer: NodeJS.Timeout;
}

/** How often what is left is saved: a crash gives back at most this much. */
const saveEveryMs = 15_000;

/** At least this much is given after a start: nobody loses an approval to a restart. */
const graceAfterStartMs = 60_000;

/**
 * Deadlines that count only time in which the server was up and the machine awake: monotonic timers, what is left
 * saved every 15 s. A closed lid or a clock that jumps expires nothing.
 */
export class InteractionClock implements Disposable {
  private readonly running = new Map<string, Running>();
  private readonly saver: NodeJS.Timeout;
  private readonly onExpired: (sessionId: string, interactionId: string) => void;

  constructor(hooks: {
    onExpired: (sessionId: string, interactionId: string) => void;
    save: (remaining: { id: string; remainingMs: number }[]) => void;
  }) {
    this.onExpired = hooks.onExpired;
    this.saver = setInterval(() => {
      if (this.running.size > 0) hooks.save(this.all());
    }, saveEveryMs).unref();
  }

  start(interaction: Interaction): void {
    this.arm(interaction, interaction.remainingMs);
  }

  /** After a restart: at least the grace, never more than the configured time. */
  restart(interaction: Interaction, timeoutMs: number): void {
    const left = interaction.remainingMs;
    this.arm(
      interaction,
      left === undefined ? undefined : Math.max(left, Math.min(graceAfterStartMs, timeoutMs)),
    );
  }

  stop(interactionId: string): void {
    clearTimeout(this.running.get(interactionId)?.timer);
    this.running.delete(interactionId);
  }

  /** The interaction with the time it has left now. */
  stamp(interaction: Interaction): Interaction {
    const entry = this.running.get(interaction.id);
    if (!entry) return interaction;
    const remainingMs = left(entry);
    return { ...interaction, remainingMs, deadline: new Date(Date.now() + remainingMs).toISOString() };
  }

  all(): { id: string; remainingMs: number }[] {
    return [...this.running].map(([id, entry]) => ({ id, remainingMs: left(entry) }));
  }

  [Symbol.dispose](): void {
    clearInterval(this.saver);
    for (const { timer } of this.running.values()) clearTimeout(timer);
    this.running.clear();
  }

  private arm(interaction: Interaction, remainingMs: number | undefined): void {
    if (remainingMs === undefined) return;
    this.stop(interaction.id);
    const { id, sessionId } = interaction;
    const timer = setTimeout(() => this.onExpired(sessionId, id), Math.min(remainingMs, 2 ** 31 - 1)).unref();
    this.running.set(id, { sessionId, remainingMs, since: performance.now(), timer });
  }
}

const left = (entry: Running): number =>
  Math.max(0, Math.round(entry.remainingMs - (performance.now() - entry.since)));
