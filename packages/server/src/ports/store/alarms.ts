/** What happens when an alarm is due. */
export type AlarmKind = "interaction" | "attempt" | "message";

export type Due =
  /** Counts only the time in which the server runs and the machine is awake. */
  | { readonly counts: "awake"; readonly durationMs: number; readonly remainingMs: number }
  /** A time of the calendar: past it, the alarm is due whatever happened in between. */
  | { readonly counts: "wall"; readonly dueAt: string };

export interface NewAlarm {
  /** Setting an alarm again replaces the one with the same id. */
  readonly id: string;
  readonly kind: AlarmKind;
  readonly createdAt: string;
  readonly due: Due;
}

/** Stored until a commit clears it, or until it has fired: a crash loses no alarm. */
export interface Alarm extends NewAlarm {
  /** The session whose commit set it. */
  readonly sessionId: string;
}

/** Part of a commit. An alarm that is both set and cleared is cleared. */
export interface AlarmChanges {
  readonly set: readonly NewAlarm[];
  readonly clear: readonly string[];
}

export interface Alarms {
  /** Every alarm that is set; those of deleted sessions are gone. */
  alarms(): Promise<Alarm[]>;
  /** Saves how much time awake alarms have, so that a restart does not start it over. */
  saveRemaining(remaining: readonly { readonly id: string; readonly remainingMs: number }[]): Promise<void>;
  /** Takes away an alarm that has fired, unless it was set again since. */
  removeFired(alarm: Pick<Alarm, "id" | "createdAt">): Promise<void>;
}
