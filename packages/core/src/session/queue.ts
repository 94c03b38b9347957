import { type Rejection, reject } from "../error.ts";
import type { QueuedMessage } from "../event.ts";
import { ok, type Result } from "../result.ts";
import type { SessionState } from "./state.ts";
import type { EditQueue } from "./view.ts";

/** The queue with one message reworded, moved, or both. Its words are then those of the one who chose them last. */
export function editQueue(
  state: Pick<SessionState, "queue" | "turn">,
  messageId: string,
  edit: EditQueue & { readonly by: string },
): Result<QueuedMessage[], Rejection> {
  const { queue } = state;
  const message = queue.find((m) => m.messageId === messageId);
  if (!message) return notQueued(state, messageId);
  const edited = edit.content === undefined ? message : { ...message, content: edit.content, by: edit.by };
  const inPlace = () => ok(queue.map((m) => (m === message ? edited : m)));
  if (!edit.move) return inPlace();
  const anchor = "before" in edit.move ? edit.move.before : edit.move.after;
  // Moved next to itself, a message stays where it is.
  if (anchor === messageId) return inPlace();
  const rest = queue.filter((m) => m !== message);
  const at = rest.findIndex((m) => m.messageId === anchor);
  if (at < 0) return notQueued(state, anchor);
  rest.splice("before" in edit.move ? at : at + 1, 0, edited);
  return ok(rest);
}

export function notQueued({ turn }: Pick<SessionState, "turn">, messageId: string): Result<never, Rejection> {
  return turn?.messageId === messageId
    ? reject("NOT_QUEUED", `${messageId} is running already; interrupt the turn instead`)
    : reject("NOT_QUEUED", `${messageId} does not wait in this queue; list the queue to see what does`);
}
