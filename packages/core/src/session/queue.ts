import { type Rejection, reject } from "../error.ts";
import type { QueuedMessage } from "../event.ts";
import { ok, type Result } from "../result.ts";
import type { SessionState } from "./state.ts";
import type { EditQueue } from "./view.ts";

/** The queue with one message edited, moved, or both. An edited message counts as sent by its last editor. */
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
  // A message moved next to itself stays where it is.
  if (anchor === messageId) return inPlace();
  const others = queue.filter((m) => m !== message);
  const at = others.findIndex((m) => m.messageId === anchor);
  if (at < 0) return notQueued(state, anchor);
  others.splice("before" in edit.move ? at : at + 1, 0, edited);
  return ok(others);
}

/** Whether a message has to wait for its time. */
const isEarly = ({ notBefore }: QueuedMessage, now: string): boolean =>
  notBefore !== undefined && Date.parse(notBefore) > Date.parse(now);

/** The message that may start next. */
export const nextDue = (queue: readonly QueuedMessage[], now: string): QueuedMessage | undefined =>
  queue.find((message) => !isEarly(message, now));

export function notQueued({ turn }: Pick<SessionState, "turn">, messageId: string): Result<never, Rejection> {
  return turn?.messageId === messageId
    ? reject("NOT_QUEUED", `${messageId} is already running; interrupt the turn instead`)
    : reject("NOT_QUEUED", `${messageId} is not in this queue; see GET /api/sessions/:id/queue`);
}
