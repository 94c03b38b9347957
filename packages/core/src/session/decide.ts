import type { Rejection } from "../error.ts";
import type { DoneReason, EventBody, Usage } from "../event.ts";
import { ok, type Result } from "../result.ts";
import type { Command, Decider, Decision, Given } from "./command.ts";
import { cancelInteractions, interactionDeciders } from "./decide-interactions.ts";
import { messageDeciders } from "./decide-messages.ts";
import { inTurn, pauseWaiting } from "./event-bodies.ts";
import { type SessionState, stateName } from "./state.ts";

const deciders: { readonly [K in Command["type"]]: Decider<K> } = {
  ...messageDeciders,

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

  report_state(state, { state: next, from, reason }) {
    const { reportedState } = state;
    if (from !== undefined && reportedState !== from) return ok({ events: [] });
    if (reportedState === next && !reason) return ok({ events: [] });
    const status = { state: next, ...(reason ? { reason } : {}) };
    return ok({ events: [{ type: "session_status", ...inTurn(state), ...status }] });
  },

  set_model(state, { model }) {
    if (model === state.model) return ok({ events: [] });
    const { reportedState, reason } = state;
    const status = { state: reportedState, model, ...(reason ? { reason } : {}) };
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

/** A turn's usage added to the session's, told before the turn's last event. */
const totals = (state: SessionState, usage: Usage): EventBody => ({
  type: "session_status",
  ...inTurn(state),
  state: stateName(state),
  inputTokens: state.usage.inputTokens + usage.inputTokens,
  outputTokens: state.usage.outputTokens + usage.outputTokens,
  ...(usage.costUsd === undefined ? {} : { costUsd: (state.usage.costUsd ?? 0) + usage.costUsd }),
});
