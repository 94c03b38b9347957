import { isChangeGate } from "../approval-kind.ts";
import type { EventBody } from "../event.ts";
import type { Interaction } from "../interaction.ts";
import { isSignalQuestion } from "../worker/signal-question.ts";
import type { Cause, DecisionContext } from "./command.ts";
import type { SessionState } from "./state.ts";

/** The event that settles an interaction. */
export function resolve(
  interaction: Interaction,
  how: Omit<
    Extract<EventBody, { type: "interaction_resolved" }>,
    "type" | "turnId" | "interactionId" | "toolCallId" | "kind"
  >,
): EventBody {
  const { id, toolCallId, kind, turnId } = interaction;
  const turn = turnId ? { turnId } : {};
  return { type: "interaction_resolved", ...turn, interactionId: id, toolCallId, kind, ...how };
}

/** A reason, and whether it reaches the agent. */
export function deliveredReason(
  reason: string | undefined,
  context: DecisionContext,
): { reason?: string; reasonDelivered?: boolean } {
  return reason ? { reason, reasonDelivered: context.session.denyReasonReachesAgent } : {};
}

/**
 * Interactions left open by a turn that ends are closed with it. What a turn has changed is still there after its
 * process is gone: a change gate stays open. So do the questions that a worker ended its run with.
 */
export function cancelInteractions(state: SessionState, cause: Cause): EventBody[] {
  const resolution = cause === "agent_gone" ? "expired" : "cancelled";
  return state.interactions
    .filter((interaction) => !isChangeGate(interaction) && !isSignalQuestion(interaction))
    .map((interaction) => resolve(interaction, { resolution, by: "server", cause }));
}

/** A person stops a worker that waits for answers. */
export const withdrawQuestions = (state: SessionState): EventBody[] =>
  state.interactions
    .filter(isSignalQuestion)
    .map((i) => resolve(i, { resolution: "cancelled", by: "server", cause: "turn_cancelled" }));
