import type { AlarmRunner } from "../alarms/runner.ts";
import type { EngineSignals } from "../deps.ts";
import type { Committed } from "../session/journal.ts";

interface Listeners {
  readonly signals: EngineSignals;
  readonly alarms: Pick<AlarmRunner, "apply">;
}

/** Reports to the rest of the engine what a commit has stored. */
export function announce(
  { signals, alarms }: Listeners,
  sessionId: string,
  { events, alarms: changes }: Committed,
): void {
  for (const event of events) {
    if (event.type === "turn_start") {
      signals.turnChanged({ sessionId, turnId: event.turnId, phase: "started" });
    }
    if (event.type === "done") {
      signals.turnChanged({ sessionId, turnId: event.turnId, phase: "ended", reason: event.reason });
    }
  }
  alarms.apply(sessionId, changes);
}
