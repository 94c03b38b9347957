import type { EngineSignals } from "../deps.ts";
import type { InteractionClock } from "../session/interaction-clock.ts";
import type { Committed } from "../session/journal.ts";

interface Announcer {
  readonly signals: EngineSignals;
  readonly clock: InteractionClock;
}

/** Tells the rest of the engine what is now stored of a session; what waits for a person gets its deadline. */
export function announce(
  { signals, clock }: Announcer,
  sessionId: string,
  { events, interactions }: Committed,
): void {
  for (const event of events) {
    if (event.type === "turn_start") {
      signals.turnChanged({ sessionId, turnId: event.turnId, phase: "started" });
    }
    if (event.type === "done") {
      signals.turnChanged({ sessionId, turnId: event.turnId, phase: "ended", reason: event.reason });
    }
  }
  for (const interaction of interactions) {
    if (interaction.state === "open") {
      clock.start(interaction);
    } else {
      clock.stop(interaction.id);
    }
  }
}
