import { reject } from "../error.ts";
import type { EventBody, QueuedMessage } from "../event.ts";
import { ok } from "../result.ts";
import { isSignalQuestion } from "../worker/signal-question.ts";
import { firstAttempt } from "./attempt.ts";
import { isHeldByGate } from "./change-gate.ts";
import type { Command, Decider, DecisionContext } from "./command.ts";
import { queueUpdate } from "./event-bodies.ts";
import { editQueue, nextDue, notQueued } from "./queue.ts";
import type { SessionState } from "./state.ts";
import type { Receipt } from "./view.ts";

type MessageCommand = Extract<
  Command["type"],
  "send" | "enqueue" | "steer" | "start_next" | "edit_queued" | "drop_queued" | "set_paused"
>;

/** Messages: start a turn, wait in the queue, or reach the agent in its running turn. */
export const messageDeciders: { readonly [K in MessageCommand]: Decider<K> } = {
  send(state, command, context) {
    if (command.strict && state.turn) {
      const { lockedBy, startedAt } = state.turn;
      return reject("SESSION_LOCKED", `${lockedBy} has a turn running; wait for it to end or interrupt it`, {
        lockedBy,
        lockedAt: startedAt,
      });
    }
    const { notBefore } = command;
    if (notBefore !== undefined && command.requested === "steer") {
      return reject("BAD_REQUEST", "A message for the running turn cannot wait for a time; queue it instead");
    }
    const title = context.session.title === "" ? { title: titleOf(command.content) } : {};
    const message = newMessage(command, command, context);
    const receipt = {
      messageId: message.messageId,
      ...(command.clientMessageId ? { clientMessageId: command.clientMessageId } : {}),
      sessionId: context.session.id,
      requested: command.requested,
      cursor: state.lastSeq,
    };
    const isNext = nextDue([...state.queue, message], context.now) === message;
    const runsNow = !state.turn && !isHeld(state, context) && isNext;
    if (runsNow) {
      const started = startTurn(message, context);
      const unpause: EventBody[] = state.queuePaused ? [queueUpdate(false, state.queue)] : [];
      const events = [...unpause, ...started.events];
      return ok({
        events,
        attempt: firstAttempt(started.turnId, state.lastSeq + events.length),
        ...title,
        receipt: {
          ...receipt,
          turnId: started.turnId,
          queuePosition: 0,
          applied: "started",
          ...(command.requested === "steer" ? { degradedBecause: "idle" } : {}),
        },
      });
    }
    const full = queueFull(state, context);
    if (full) return full;
    const degradedBecause = command.requested === "steer" ? whyNotSteered(state, context) : undefined;
    if (command.requested === "steer" && state.turn && !degradedBecause) {
      const steers = state.queue.filter(({ steer }) => steer);
      const others = state.queue.filter(({ steer }) => !steer);
      return ok({
        events: [queueUpdate(state.queuePaused, [...steers, { ...message, steer: true }, ...others])],
        ...title,
        receipt: { ...receipt, turnId: state.turn.id, queuePosition: 0, applied: "steered" },
      });
    }
    // An empty queue holds nothing back, so a message that waits for its time is not held back either.
    const isPaused = state.queuePaused && (notBefore === undefined || state.queue.length > 0);
    return ok({
      events: [queueUpdate(isPaused, [...state.queue, message])],
      ...title,
      receipt: {
        ...receipt,
        queuePosition: state.queue.length + 1,
        applied: "queued",
        ...(degradedBecause ? { degradedBecause } : {}),
      },
    });
  },

  enqueue(state, command, context) {
    const full = queueFull(state, context);
    if (full) return full;
    const { before } = command.message;
    const messages = [...state.queue];
    const place = before === undefined ? messages.length : messages.findIndex((m) => m.messageId === before);
    if (before !== undefined && place < 0) return notQueued(state, before);
    const { content, notBefore } = command.message;
    const { attachments } = command;
    messages.splice(place, 0, newMessage({ content, notBefore, attachments }, command, context));
    return ok({ events: [queueUpdate(state.queuePaused, messages)] });
  },

  steer(state, { messageId }, context) {
    const message = state.queue.find((m) => m.messageId === messageId);
    if (!message || !state.turn) return ok({ events: [] });
    const others = state.queue.filter((m) => m !== message);
    return ok({
      events: [
        // Nothing is left to hold back.
        queueUpdate(state.queuePaused && others.length > 0, others),
        messageEvent(message, state.turn.id, context),
      ],
    });
  },

  start_next(state, _command, context) {
    const next = nextDue(state.queue, context.now);
    const others = state.queue.filter((message) => message !== next);
    if (!next || state.turn || state.queuePaused || isHeld(state, context)) return ok({ events: [] });
    const started = startTurn(next, context);
    const events = [queueUpdate(false, others), ...started.events];
    return ok({ events, attempt: firstAttempt(started.turnId, state.lastSeq + events.length) });
  },

  edit_queued(state, { messageId, edit, by }) {
    const edited = editQueue(state, messageId, { ...edit, by });
    return edited.ok ? ok({ events: [queueUpdate(state.queuePaused, edited.value)] }) : edited;
  },

  drop_queued(state, { messageId }) {
    const others = state.queue.filter((m) => m.messageId !== messageId);
    if (others.length === state.queue.length) return notQueued(state, messageId);
    return ok({ events: [queueUpdate(state.queuePaused, others)] });
  },

  set_paused(state, { paused }) {
    return ok({ events: state.queuePaused === paused ? [] : [queueUpdate(paused, state.queue)] });
  },
};

/** A worker that has asked gets its answers before any other message. */
const isHeld = (state: SessionState, context: DecisionContext): boolean =>
  context.session.mustWait || isHeldByGate(state, context) || state.interactions.some(isSignalQuestion);

interface MessageContent extends Pick<QueuedMessage, "content"> {
  readonly attachments?: QueuedMessage["attachments"] | undefined;
  readonly notBefore?: string | undefined;
}

export function newMessage(
  { content, notBefore, attachments }: MessageContent,
  { by, clientId }: { by: string; clientId?: string },
  { newId, now }: DecisionContext,
): QueuedMessage {
  return {
    ...{ messageId: newId("message"), content, by, at: now },
    ...(clientId ? { clientId } : {}),
    ...(notBefore ? { notBefore } : {}),
    ...(attachments ? { attachments } : {}),
  };
}

function queueFull({ queue }: SessionState, { queueMax: limit }: DecisionContext) {
  if (queue.length < limit) return undefined;
  return reject("QUEUE_FULL", `${limit} messages are already waiting; drop one or wait for a turn to end`, {
    limit,
  });
}

/** A turn starts with its message, whose event is the last of these. A worker's process has to wait for its turn. */
export function startTurn(
  message: QueuedMessage,
  context: DecisionContext,
): { events: EventBody[]; turnId: string } {
  const turnId = context.newId("turn");
  const { messageId, by } = message;
  return {
    turnId,
    events: [
      { type: "turn_start", turnId, messageId, lockedBy: message.clientId ?? by },
      ...(context.session.worker
        ? [{ type: "session_status" as const, turnId, state: "queued" as const }]
        : []),
      messageEvent(message, turnId, context),
    ],
  };
}

const messageEvent = (
  { messageId, content, by, attachments }: QueuedMessage,
  turnId: string,
  { newId }: DecisionContext,
): EventBody => ({
  type: "message",
  turnId,
  itemId: newId("item"),
  messageId,
  content,
  by,
  ...(attachments ? { attachments } : {}),
});

function whyNotSteered(
  { turn, interactions }: SessionState,
  { session }: DecisionContext,
): Receipt["degradedBecause"] {
  if (!session.canSteer) return "unsupported";
  if (!turn) return "idle";
  return interactions.length > 0 ? "open-interaction" : undefined;
}

/** Until a person sets one, a session's title is the first line of its first message. */
export function titleOf(content: string): string {
  const line = content.trim().split("\n", 1)[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line;
}
