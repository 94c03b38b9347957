import { type Interaction, interactionIn, type SessionEvent } from "@drover/core";

/** The interactions that events open, settle or follow up on, in their new state. `known` are those from before. */
export function changedInteractions(
  events: readonly SessionEvent[],
  known: readonly Interaction[],
): Interaction[] {
  const changed: Interaction[] = [];
  const opened = [...known];
  for (const event of events) {
    if (event.type === "approval_required" || event.type === "question_prompt") {
      const interaction = interactionIn(event);
      opened.push(interaction);
      changed.push(interaction);
    }
    if (event.type === "interaction_followed_up") {
      const { interactionId, followUp } = event;
      changed.push(...opened.filter(({ id }) => id === interactionId).map((one) => ({ ...one, followUp })));
    }
    if (event.type !== "interaction_resolved") continue;
    const before = opened.findLast((i) => i.id === event.interactionId);
    if (!before) continue;
    const { deadline: _deadline, remainingMs: _remainingMs, ...interaction } = before;
    const { resolution, by, at, reason, scope, answers, cause } = event;
    const how = Object.entries({ reason, scope, answers, cause }).filter(([, value]) => value !== undefined);
    changed.push({ ...interaction, state: "resolved", resolution, by, at, ...Object.fromEntries(how) });
  }
  return changed;
}
