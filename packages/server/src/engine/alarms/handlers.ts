import type { Alarm, AlarmKind } from "../../ports.ts";
import type { SessionActor } from "../session/actor.ts";
import { spokenDuration } from "../turn/pending-answers.ts";

type Handler = (actor: SessionActor, alarm: Alarm) => Promise<void>;

/** What each kind of alarm does when it fires. It may fire twice, so each does nothing the second time. */
export const alarmHandlers: { readonly [K in AlarmKind]: Handler } = {
  interaction: (actor, { id }) => expire(actor, id),
  attempt: async (actor) => actor.deliverDue(),
  message: (actor) => actor.startNext(),
};

async function expire(actor: SessionActor, interactionId: string): Promise<void> {
  const asked = actor.journal.state.interactions.find(({ id }) => id === interactionId);
  if (!asked) return;
  // The time it was given: the setting may have changed since.
  const time = spokenDuration(asked.remainingMs ?? 0);
  const what = asked.kind === "question" ? "Question" : "Tool approval";
  await actor.run({ type: "expire", interactionId, reason: `${what} timed out after ${time}` });
}
