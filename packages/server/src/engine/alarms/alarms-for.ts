import type { Attempt, Interaction } from "@drover/core";
import type { AlarmChanges, NewAlarm } from "../../ports.ts";
import type { AlarmRunner } from "./runner.ts";

/** What a commit changes that alarms are set for. */
interface Changed {
  readonly interactions: readonly Interaction[];
  /** The attempt before the commit, and after it. */
  readonly attempts: readonly [before: Attempt | undefined, after: Attempt | undefined];
}

/**
 * An interaction has an alarm, under its own id, for as long as it is open. An attempt that has to wait has one until
 * its prompt is on its way or another attempt takes its place.
 */
export function alarmsFor({ interactions, attempts }: Changed, createdAt: string): AlarmChanges {
  const set: NewAlarm[] = [];
  const clear: string[] = [];
  const [before, after] = attempts.map(waitOf);
  if (before && before.id !== after?.id) clear.push(before.id);
  if (after && after.id !== before?.id) {
    set.push({ id: after.id, kind: "attempt", createdAt, due: { counts: "wall", dueAt: after.until } });
  }
  for (const { id, state, remainingMs } of interactions) {
    if (state === "resolved") clear.push(id);
    else if (remainingMs !== undefined) {
      const due = { counts: "awake", durationMs: remainingMs, remainingMs } as const;
      set.push({ id, kind: "interaction", createdAt, due });
    }
  }
  return { set, clear };
}

function waitOf(attempt: Attempt | undefined): { id: string; until: string } | undefined {
  if (attempt?.notBefore === undefined || attempt.prompt.phase !== "accepted") return undefined;
  return { id: `${attempt.turnId}:${attempt.n}`, until: attempt.notBefore };
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
