import type { Attempt, Interaction, QueuedMessage } from "@drover/core";
import type { AlarmChanges, NewAlarm } from "../../ports.ts";
import type { AlarmRunner } from "./runner.ts";

/** What a commit changes that alarms are set for. */
interface Changed {
  readonly interactions: readonly Interaction[];
  /** The attempt before the commit, and after it. */
  readonly attempts: readonly [before: Attempt | undefined, after: Attempt | undefined];
  readonly queues: readonly [before: readonly QueuedMessage[], after: readonly QueuedMessage[]];
}

/**
 * An interaction has an alarm, under its own id, for as long as it is open. An attempt that has to wait has one until
 * its prompt is on its way or another attempt takes its place. A queued message that waits for its time has one while it
 * is queued.
 */
export function alarmsFor({ interactions, attempts, queues }: Changed, createdAt: string): AlarmChanges {
  const set: NewAlarm[] = [];
  const clear: string[] = [];
  const [before, after] = attempts.map(waitOf);
  if (before && before.id !== after?.id) clear.push(before.id);
  if (after && after.id !== before?.id) {
    set.push({ id: after.id, kind: "attempt", createdAt, due: { counts: "wall", dueAt: after.until } });
  }
  const [gone, added] = queueChanges(queues);
  clear.push(...gone.map(({ messageId }) => messageId));
  for (const { messageId: id, notBefore: dueAt } of added) {
    if (dueAt) set.push({ id, kind: "message", createdAt, due: { counts: "wall", dueAt } });
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

/** The timed messages that left the queue, and those that joined it. */
function queueChanges([before, after]: Changed["queues"]): [QueuedMessage[], QueuedMessage[]] {
  if (before === after) return [[], []];
  const missingFrom = (others: readonly QueuedMessage[]) => {
    const ids = new Set(others.map(({ messageId }) => messageId));
    return ({ messageId, notBefore }: QueuedMessage) => notBefore !== undefined && !ids.has(messageId);
  };
  return [before.filter(missingFrom(after)), after.filter(missingFrom(before))];
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
