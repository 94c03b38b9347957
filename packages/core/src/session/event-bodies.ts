import type { EventBody, QueuedMessage } from "../event.ts";
import type { SessionState } from "./state.ts";

export const inTurn = ({ turn }: SessionState): { turnId?: string } => (turn ? { turnId: turn.id } : {});

/**
 * After a person or the agent ends a turn, the queue waits until it is resumed. Messages that wait for their time did not
 * wait for this turn.
 */
export const pauseWaiting = ({ queue, queuePaused }: SessionState): EventBody[] =>
  queue.some(({ notBefore }) => notBefore === undefined) && !queuePaused ? [queueUpdate(true, queue)] : [];

export const queueUpdate = (paused: boolean, messages: readonly QueuedMessage[]): EventBody => ({
  type: "queue_update",
  paused,
  messages: [...messages],
});
