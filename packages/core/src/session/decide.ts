import { type Rejection, reject } from "../error.ts";
import type { DoneReason, EventBody, QueuedMessage, Usage } from "../event.ts";
import { ok, type Result } from "../result.ts";
import type { Command, Decider, Decision, Given } from "./command.ts";
import { cancelInteractions, interactionDeciders } from "./decide-interactions.ts";
import { editQueue, notQueued } from "./queue.ts";
import { type SessionState, stateName } from "./state.ts";
import type { Receipt } from "./view.ts";

const deciders: { readonly [K in Command["type"]]: Decider<K> } = {
  send(state, command, given) {
    if (command.strict && state.turn) {
      const { lockedBy, startedAt } = state.turn;
      return reject("SESSION_LOCKED", `${lockedBy} has a turn running; wait for its end or interrupt it`, {
        lockedBy,
        lockedAt: startedAt,
      });
    }
    const message: QueuedMessage = {
      messageId: given.newId("message"),
      content: command.content,
      by: command.by,
      at: given.now,
      ...(command.clientId ? { clientId: command.clientId } : {}),
    };
    const receipt = {
      messageId: message.messageId,
      ...(command.clientMessageId ? { clientMessageId: command.clientMessageId } : {}),
      sessionId: given.session.id,
      requested: command.requested,
      cursor: state.lastSeq,
    };
    const runsNow = !state.turn && !given.session.mustWait && state.queue.length === 0;
    if (runsNow) {
      const started = startTurn(message, given);
      const unpause: EventBody[] = state.queuePaused ? [queueUpdate(false, [])] : [];
      return ok({
        events: [...unpause, ...started.events],
        receipt: {
          ...receipt,
          turnId: started.turnId,
          queuePosition: 0,
          applied: "started",
          ...(command.requested === "steer" ? { degradedBecause: "idle" } : {}),
        },
      });
    }
    if (state.queue.length >= given.queueMax) {
      return reject(
        "QUEUE_FULL",
        `${given.queueMax} messages wait already; drop one or wait for a turn to end`,
        {
          limit: given.queueMax,
        },
      );
    }
    const degradedBecause = command.requested === "steer" ? whyNotSteered(state, given) : undefined;
    if (command.requested === "steer" && state.turn && !degradedBecause) {
      const steers = state.queue.filter(({ steer }) => steer);
      const rest = state.queue.filter(({ steer }) => !steer);
      return ok({
        events: [queueUpdate(state.queuePaused, [...steers, { ...message, steer: true }, ...rest])],
        receipt: { ...receipt, turnId: state.turn.id, queuePosition: 0, applied: "steered" },
      });
    }
    return ok({
      events: [queueUpdate(state.queuePaused, [...state.queue, message])],
      receipt: {
        ...receipt,
        queuePosition: state.queue.length + 1,
        applied: "queued",
        ...(degradedBecause ? { degradedBecause } : {}),
      },
    });
  },

  steer(state, { messageId }, given) {
    const message = state.queue.find((m) => m.messageId === messageId);
    if (!message || !state.turn) return ok({ events: [] });
    const rest = state.queue.filter((m) => m !== message);
    return ok({
      events: [
        // Nothing is left to be held back.
        queueUpdate(state.queuePaused && rest.length > 0, rest),
        messageEvent(message, state.turn.id, given),
      ],
    });
  },

  start_next(state, _command, given) {
    const [next, ...rest] = state.queue;
    if (!next || state.turn || state.queuePaused || given.session.mustWait) return ok({ events: [] });
    return ok({ events: [queueUpdate(false, rest), ...startTurn(next, given).events] });
  },

  edit_queued(state, { messageId, edit, by }) {
    const edited = editQueue(state, messageId, { ...edit, by });
    return edited.ok ? ok({ events: [queueUpdate(state.queuePaused, edited.value)] }) : edited;
  },

  drop_queued(state, { messageId }) {
    const rest = state.queue.filter((m) => m.messageId !== messageId);
    if (rest.length === state.queue.length) return notQueued(state, messageId);
    return ok({ events: [queueUpdate(state.queuePaused, rest)] });
  },

  set_paused(state, { paused }) {
    return ok({ events: state.queuePaused === paused ? [] : [queueUpdate(paused, state.queue)] });
  },

  interrupt(state) {
    if (!state.turn) return ok({ events: [] });
    return ok({ events: [...cancelInteractions(state, "turn_cancelled"), ...pauseWaiting(state)] });
  },

  stop(state) {
    const open = state.turn ? cancelInteractions(state, "turn_cancelled") : [];
    return ok({ events: [...open, ...pauseWaiting(state), { type: "session_status", state: "stopping" }] });
  },

  stall(state) {
    // Starting, or waiting for a person, it is not the agent that is silent.
    if (stateName(state) !== "running") return ok({ events: [] });
    return ok({ events: [{ type: "session_status", ...inTurn(state), state: "stalled" }] });
  },

  tell(state, { state: told, from = state.told, reason }) {
    if (state.told !== from || (state.told === told && !reason)) return ok({ events: [] });
    const status = { state: told, ...(reason ? { reason } : {}) };
    return ok({ events: [{ type: "session_status", ...inTurn(state), ...status }] });
  },

  set_model(state, { model }) {
    if (model === state.model) return ok({ events: [] });
    const { told, reason } = state;
    const status = { state: told, model, ...(reason ? { reason } : {}) };
    return ok({ events: [{ type: "session_status", ...inTurn(state), ...status }] });
  },

  give_up(state, { message, stderrTail }) {
    const code = "AGENT_CRASHED";
    const reason = { code, message, ...(stderrTail ? { stderrTail } : {}) };
    return ok({
      events: [
        { type: "error", code, message, retry: "never" },
        ...pauseWaiting(state),
        { type: "session_status", state: "crashed", reason },
      ],
    });
  },

  ...interactionDeciders,

  end_turn(state, command) {
    if (state.turn?.id !== command.turnId) return ok({ events: [] });
    const { turnId, reason, fault, usage, denied = [] } = command;
    const closed = denied.map(
      (call): EventBody => ({ type: "tool_result", turnId, ...call, status: "denied", result: {} }),
    );
    const used: EventBody[] = usage ? [totals(state, usage)] : [];
    const error: EventBody[] = fault ? [{ type: "error", turnId, ...fault.toWire() }] : [];
    const done: EventBody = {
      type: "done",
      turnId,
      reason,
      ok: reason === "end_turn" || reason === "waiting_for_input",
      partial: !wholeEndings.includes(reason),
      ...(fault ? { error: fault.toWire() } : {}),
      ...(usage ? { usage } : {}),
    };
    const open = command.lingers && reason !== "cancelled" ? [] : cancelInteractions(state, command.cause);
    return ok({ events: [...used, ...closed, ...open, ...error, done] });
  },
};

/** Endings at which the agent itself stopped speaking: what it said is whole. */
const wholeEndings: readonly DoneReason[] = [
  "end_turn",
  "waiting_for_input",
  "max_tokens",
  "max_turns",
  "refusal",
];

/** Pure: what a command makes of a session, or why not. */
export function decide<K extends Command["type"]>(
  state: SessionState,
  command: Extract<Command, { type: K }>,
  given: Given,
): Result<Decision, Rejection> {
  const decider = deciders[command.type as K];
  return decider(state, command, given);
}

function startTurn(message: QueuedMessage, given: Given): { events: EventBody[]; turnId: string } {
  const turnId = given.newId("turn");
  const { messageId, by } = message;
  return {
    turnId,
    events: [
      { type: "turn_start", turnId, messageId, lockedBy: message.clientId ?? by },
      messageEvent(message, turnId, given),
    ],
  };
}

const messageEvent = (
  { messageId, content, by }: QueuedMessage,
  turnId: string,
  { newId }: Given,
): EventBody => ({ type: "message", turnId, itemId: newId("item"), messageId, content, by });

function whyNotSteered({ turn, interactions }: SessionState, { session }: Given): Receipt["degradedBecause"] {
  if (!session.canSteer) return "unsupported";
  if (!turn) return "idle";
  return interactions.length > 0 ? "open-interaction" : undefined;
}

const inTurn = ({ turn }: SessionState): { turnId?: string } => (turn ? { turnId: turn.id } : {});

/** A turn's usage added to the session's, told before the turn's last event. */
const totals = (state: SessionState, usage: Usage): EventBody => ({
  type: "session_status",
  ...inTurn(state),
  state: stateName(state),
  inputTokens: state.usage.inputTokens + usage.inputTokens,
  outputTokens: state.usage.outputTokens + usage.outputTokens,
  ...(usage.costUsd === undefined ? {} : { costUsd: (state.usage.costUsd ?? 0) + usage.costUsd }),
});

/** What waits does not start by itself when a person, or the agent, has put an end to things. */
const pauseWaiting = ({ queue, queuePaused }: SessionState): EventBody[] =>
  queue.length > 0 && !queuePaused ? [queueUpdate(true, queue)] : [];

const queueUpdate = (paused: boolean, messages: readonly QueuedMessage[]): EventBody => ({
  type: "queue_update",
  paused,
  messages: [...messages],
});
