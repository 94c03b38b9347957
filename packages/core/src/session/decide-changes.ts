import type { Interaction } from "../interaction.ts";
import { ok } from "../result.ts";
import { firstAttempt } from "./attempt.ts";
import type { Command, Decider, DecisionContext } from "./command.ts";
import { newMessage, startTurn } from "./decide-messages.ts";
import { queueUpdate } from "./event-bodies.ts";
import { resolve } from "./settle-interaction.ts";
import type { SessionState } from "./state.ts";

type Denial = Omit<Extract<Command, { type: "deny" }>, "type" | "toolCallId"> & {
  readonly interaction: Interaction;
};

/** The files are as they were before the turn. The reason is the agent's next message, before those in the queue. */
export function denyChanges(
  state: SessionState,
  { interaction, by, clientId, reason }: Denial,
  context: DecisionContext,
): ReturnType<Decider<"deny">> {
  const content = reason?.trim() ? reason : undefined;
  const why = content === undefined ? {} : { reason: content, reasonDelivered: true };
  const denied = resolve(interaction, { resolution: "denied", by, ...why });
  if (content === undefined) return ok({ events: [denied], interaction });
  const message = newMessage({ content }, { by, ...(clientId ? { clientId } : {}) }, context);
  if (state.turn || context.session.mustWait) {
    const queued = queueUpdate(state.queuePaused, [message, ...state.queue]);
    return ok({ events: [denied, queued], interaction });
  }
  const started = startTurn(message, context);
  const events = [denied, ...started.events];
  const attempt = firstAttempt(started.turnId, state.lastSeq + events.length);
  return ok({ events, interaction, attempt });
}
