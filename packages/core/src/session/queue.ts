import { type Rejection, reject } from "../error.ts";
import type { QueuedMessage } from "../event.ts";
import { ok, type Result } from "../result.ts";
import type { EditQueue } from "./view.ts";

/** A queue with one message reworded, moved, or both. */
export function moveQueued(
  queue: readonly QueuedMessage[],
  messageId: string,
  edit: EditQueue,
): Result<QueuedMessage[], Rejection> {
  const message = queue.find((m) => m.messageId === messageId);
  if (!message) return notQueued(messageId);
  const edited = edit.content === undefined ? message : { ...message, content: edit.content };
  const inPlace = () => ok(queue.map((m) => (m === message ? edited : m)));
  if (!edit.move) return inPlace();
  const anchor = "before" in edit.move ? edit.move.before : edit.move.after;
  // Beside itself it is already.
  if (anchor === messageId) return inPlace();
  const rest = queue.filter((m) => m !== message);
  const at = rest.findIndex((m) => m.messageId === anchor);
  if (at < 0) return notQueued(anchor);
  rest.splice("before" in edit.move ? at : at + 1, 0, edited);
  return ok(rest);
}

const notQueued = (messageId: string): Result<never, Rejection> =>
  reject("NOT_QUEUED", `${messageId} does not wait in this queue; list the queue to see what does`);
