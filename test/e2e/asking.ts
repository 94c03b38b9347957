// A turn that asks a person something, and the answer that its agent received.
import type { EventOf, SessionEvent } from "@drover/core";
import type { Conversation } from "./support.ts";

type Asked = EventOf<"approval_required"> | EventOf<"question_prompt">;

/** Sends a message and waits for the approval or question of its turn. */
export async function asked(session: Conversation, content: string): Promise<Asked & { messageId: string }> {
  const { messageId } = await session.send(content);
  const { follower } = session;
  const { turnId } = await follower.until<EventOf<"turn_start">>(
    (event) => event.type === "turn_start" && event.messageId === messageId,
    { what: `the turn of ${content} begins` },
  );
  const isAsked = (event: SessionEvent) =>
    (event.type === "approval_required" || event.type === "question_prompt") && event.turnId === turnId;
  const question = await follower.until<Asked>(isAsked, { what: `${content} asks` });
  return { ...question, messageId };
}

/** The kit's agents end their turn with the answer they received. */
export async function receivedAnswer(session: Conversation): Promise<unknown> {
  const said = (await session.items()).findLast(({ kind }) => kind === "text");
  return JSON.parse(said?.text ?? "");
}

export const lastResolved = (session: Conversation) => session.all("interaction_resolved").at(-1);
