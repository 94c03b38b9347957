import type { Rejection } from "../error.ts";
import { ok, type Result } from "../result.ts";
import type { Command, Decider, Decision, DecisionContext } from "./command.ts";
import { attemptDeciders } from "./decide-attempts.ts";
import { expiredDeciders } from "./decide-expired.ts";
import { interactionDeciders } from "./decide-interactions.ts";
import { messageDeciders } from "./decide-messages.ts";
import { inTurn, pauseWaiting } from "./event-bodies.ts";
import { cancelInteractions, withdrawQuestions } from "./settle-interaction.ts";
import { type SessionState, stateName } from "./state.ts";

const deciders: { readonly [K in Command["type"]]: Decider<K> } = {
  ...messageDeciders,
  ...attemptDeciders,
  ...interactionDeciders,
  ...expiredDeciders,

  stop(state) {
    const open = state.turn ? cancelInteractions(state, "turn_cancelled") : [];
    const asked = withdrawQuestions(state);
    return ok({
      events: [...open, ...asked, ...pauseWaiting(state), { type: "session_status", state: "stopping" }],
    });
  },

  stall(state) {
    // While it is starting, or waiting for a person, silence is not the agent's.
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
};

/** Pure: the effect of a command on a session, or why it is rejected. */
export function decide<K extends Command["type"]>(
  state: SessionState,
  command: Extract<Command, { type: K }>,
  context: DecisionContext,
): Result<Decision, Rejection> {
  const decider = deciders[command.type as K];
  return decider(state, command, context);
}
