import type { Interaction } from "@drover/core";
import type { AlarmChanges, NewAlarm } from "../../ports.ts";
import type { AlarmRunner } from "./runner.ts";

/** An interaction has an alarm, under its own id, for as long as it is open. */
export function alarmsFor(interactions: readonly Interaction[], createdAt: string): AlarmChanges {
  const set: NewAlarm[] = [];
  const clear: string[] = [];
  for (const { id, state, remainingMs } of interactions) {
    if (state === "resolved") clear.push(id);
    else if (remainingMs !== undefined) {
      const due = { counts: "awake", durationMs: remainingMs, remainingMs } as const;
      set.push({ id, kind: "interaction", createdAt, due });
    }
  }
  return { set, clear };
}

/** The interaction with the time that remains to settle it. */
export function withRemainingTime(
  alarms: Pick<AlarmRunner, "remainingMs">,
  interaction: Interaction,
): Interaction {
  const remainingMs = alarms.remainingMs(interaction.id);
  if (remainingMs === undefined) return interaction;
  return { ...interaction, remainingMs, deadline: new Date(Date.now() + remainingMs).toISOString() };
}
