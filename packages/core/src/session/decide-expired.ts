import type { EventBody } from "../event.ts";
import { exactText } from "../exact-text.ts";
import type { ExpiryFollowUp, Interaction } from "../interaction.ts";
import { ok } from "../result.ts";
import type { Command, Decider } from "./command.ts";
import { messageDeciders } from "./decide-messages.ts";

type ExpiredCommand = Extract<Command["type"], "ask_again" | "dismiss">;

/** What a person does about an interaction that expired. */
export const expiredDeciders: { readonly [K in ExpiredCommand]: Decider<K> } = {
  ask_again(state, { interaction, by, clientId }, context) {
    const content = expiryMessage(interaction);
    const client = clientId ? { clientId } : {};
    const message = { type: "send", content, by, ...client, requested: "queue", strict: false } as const;
    const sent = messageDeciders.send(state, message, context);
    if (!sent.ok) return sent;
    // Last, because the attempt knows the number of its prompt's event.
    return ok({ ...sent.value, events: [...sent.value.events, followedUp(interaction, "asked_again", by)] });
  },

  dismiss: (_state, { interaction, by }) => ok({ events: [followedUp(interaction, "dismissed", by)] }),
};

function followedUp({ id, toolCallId, kind }: Interaction, followUp: ExpiryFollowUp, by: string): EventBody {
  return { type: "interaction_followed_up", interactionId: id, toolCallId, kind, followUp, by };
}

/** The message that asks the agent to try again. */
function expiryMessage({ kind, title, toolName, questions = [] }: Interaction): string {
  if (kind === "question") {
    const asked = questions.map(({ question }) => question).join(" ") || title || "";
    return `Your question ${quoted(asked)} expired before anyone answered it. If you still need an answer, please ask again.`;
  }
  const wanted = title || toolName || "a tool call";
  return `Your request for approval of ${quoted(wanted)} expired before anyone answered it. If you still need it, please try again.`;
}

const maxQuoted = 200;

/** These are the agent's words inside a person's message: on one line and short, they cannot pass for the person's. */
function quoted(words: string): string {
  const line = exactText(words.replace(/\s+/g, " ").trim());
  return `"${line.length > maxQuoted ? `${line.slice(0, maxQuoted)}…` : line}"`;
}
