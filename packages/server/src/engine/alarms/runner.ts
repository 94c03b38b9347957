import type { Alarm, AlarmChanges, Alarms, Due } from "../../ports.ts";
import type { Background } from "../background.ts";
import { systemTime, type Time } from "./time.ts";

export interface AlarmRunnerParts {
  readonly store: Alarms;
  readonly background: Pick<Background, "run">;
  /** Must be idempotent: an alarm fires again when the server dies before its row is removed. */
  readonly fire: (alarm: Alarm) => Promise<void>;
  readonly time?: Time;
}

interface Running {
  readonly alarm: Alarm;
  /** The awake time at which its `due` was correct. */
  readonly since: number;
  hasFired: boolean;
}

/** How often remaining times are saved: a crash gives back at most this much. */
const saveEveryMs = 15_000;

/** A start grants at least this much, so that a restart doesn't expire an approval. */
const graceAfterStartMs = 60_000;

/**
 * Fires alarms when they are due. One timer serves all of them: it goes off when the next alarm is due, and at least
 * every 15 s, to save remaining times and to notice that the wall clock was set or the machine slept.
 */
export class AlarmRunner {
  private readonly parts: AlarmRunnerParts;
  private readonly time: Time;
  private readonly running = new Map<string, Running>();
  private timer: Disposable | undefined;
  private savedAt: number;
  private isClosed = false;

  constructor(parts: AlarmRunnerParts) {
    this.parts = parts;
    this.time = parts.time ?? systemTime;
    this.savedAt = this.time.awakeMs();
  }

  /** Resumes the alarms that the last server left. */
  async start(): Promise<void> {
    for (const alarm of await this.parts.store.alarms()) {
      this.running.set(alarm.id, this.runningFrom({ ...alarm, due: withGrace(alarm.due) }));
    }
    this.schedule();
  }

  /** What a commit has stored. */
  apply(sessionId: string, { set, clear }: AlarmChanges): void {
    if (set.length === 0 && clear.length === 0) return;
    for (const alarm of set) this.running.set(alarm.id, this.runningFrom({ ...alarm, sessionId }));
    for (const id of clear) this.running.delete(id);
    this.schedule();
  }

  /** Undefined when no such alarm is set. */
  remainingMs(id: string): number | undefined {
    const entry = this.running.get(id);
    return entry && Math.max(0, Math.round(this.dueIn(entry)));
  }

  /** Saves remaining times and fires nothing more. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.timer?.[Symbol.dispose]();
    await this.save();
  }

  private runningFrom(alarm: Alarm): Running {
    return { alarm, since: this.time.awakeMs(), hasFired: false };
  }

  private dueIn({ alarm: { due }, since }: Running): number {
    return due.counts === "awake"
      ? due.remainingMs - (this.time.awakeMs() - since)
      : Date.parse(due.dueAt) - this.time.wallMs();
  }

  private schedule(): void {
    this.timer?.[Symbol.dispose]();
    if (this.isClosed || this.running.size === 0) return;
    let next = saveEveryMs;
    for (const entry of this.running.values()) {
      if (!entry.hasFired) next = Math.min(next, this.dueIn(entry));
    }
    this.timer = this.time.callAfter(Math.max(0, next), () => this.wake());
  }

  private wake(): void {
    for (const entry of this.running.values()) {
      if (!entry.hasFired && this.dueIn(entry) <= 0) this.fire(entry);
    }
    // A failed save is made up for by the next one.
    if (this.time.awakeMs() - this.savedAt >= saveEveryMs) void this.save();
    this.schedule();
  }

  private fire(entry: Running): void {
    const { alarm } = entry;
    entry.hasFired = true;
    this.parts.background.run(async () => {
      await this.parts.fire(alarm);
      // Usually the alarm's own commit has already cleared it.
      if (this.running.get(alarm.id) !== entry) return;
      await this.parts.store.removeFired(alarm);
      if (this.running.get(alarm.id) === entry) this.running.delete(alarm.id);
    });
  }

  private async save(): Promise<void> {
    this.savedAt = this.time.awakeMs();
    const remaining = [...this.running.values()]
      .filter(({ alarm }) => alarm.due.counts === "awake")
      .map((entry) => ({ id: entry.alarm.id, remainingMs: Math.max(0, this.dueIn(entry)) }));
    if (remaining.length > 0) await this.parts.store.saveRemaining(remaining).catch(() => undefined);
  }
}

/** Never more than the alarm had when it was set. */
function withGrace(due: Due): Due {
  if (due.counts === "wall") return due;
  const grace = Math.min(graceAfterStartMs, due.durationMs);
  return { ...due, remainingMs: Math.max(due.remainingMs, grace) };
}
