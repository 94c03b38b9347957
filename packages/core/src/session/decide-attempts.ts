import type { DoneReason, EventBody, Usage } from "../event.ts";
import { ok } from "../result.ts";
import { afterAttempt, type FollowUp, nextAttempt } from "./attempt.ts";
import type { Command, Decider } from "./command.ts";
import { inTurn, pauseWaiting } from "./event-bodies.ts";
import { cancelInteractions } from "./settle-interaction.ts";
import { type SessionState, stateName } from "./state.ts";

type AttemptCommand = Extract<Command["type"], "interrupt" | "settle_attempt">;

/** How attempts end: with the end of their turn, or with another attempt. */
export const attemptDeciders: { readonly [K in AttemptCommand]: Decider<K> } = {
  interrupt(state, { attempt, denied }, context) {
    if (state.turn?.id !== attempt.turnId) return ok({ events: [] });
    const events = [...cancelInteractions(state, "turn_cancelled"), ...pauseWaiting(state)];
    const interrupted = { ...attempt, prompt: { ...attempt.prompt, interrupted: true as const } };
    const settled = attemptDeciders.settle_attempt(
      { ...state, interactions: [] },
      { type: "settle_attempt", attempt, outcome: { type: "interrupted" }, followUps: nothing, denied },
      context,
    );
    if (!settled.ok || settled.value.events.length === 0) return ok({ events, attempt: interrupted });
    return ok({ ...settled.value, events: [...events, ...settled.value.events] });
  },

  settle_attempt(state, command, context) {
    const { attempt, outcome, followUps, usage, lingers, denied } = command;
    const { turnId } = attempt;
    if (state.turn?.id !== turnId) return ok({ events: [] });
    const { isStopping } = context.session;
    const after = afterAttempt(attempt, outcome, { ...followUps, isStopping });
    if (after.type === "keep") return ok({ events: [] });
    const { fault } = after;
    const used: EventBody[] = usage ? [totals(state, usage)] : [];
    const closed = denied.map(
      (call): EventBody => ({ type: "tool_result", turnId, ...call, status: "denied", result: {} }),
    );
    const isCancelled = after.type === "end" && after.reason === "cancelled";
    const cause = outcome.type === "answered" || !fault ? "turn_cancelled" : "agent_gone";
    const open = lingers && !isCancelled ? [] : cancelInteractions(state, cause);
    const error: EventBody[] = fault ? [{ type: "error", turnId, ...fault.toWire() }] : [];
    const events = [...used, ...closed, ...open, ...error];
    if (after.type !== "end") {
      events.push({ type: "notice", turnId, ...noticeOf(after), facts: { attempt: attempt.n + 1 } });
      return ok({ events, attempt: nextAttempt(attempt, after, state.lastSeq + events.length) });
    }
    const { reason } = after;
    events.push({
      type: "done",
      turnId,
      reason,
      ok: reason === "end_turn" || reason === "waiting_for_input",
      partial: !wholeEndings.includes(reason),
      ...(fault ? { error: fault.toWire() } : {}),
      ...(usage ? { usage } : {}),
    });
    return ok({ events, attempt: null });
  },
};

const nothing = { maxAttempts: 1 };

/** Endings at which the agent itself stopped speaking: its text is complete. */
const wholeEndings: readonly DoneReason[] = [
  "end_turn",
  "waiting_for_input",
  "max_tokens",
  "max_turns",
  "refusal",
];

/** What the transcript says when a turn continues; an instruction is found by this event. */
function noticeOf(followUp: FollowUp): { code: string; message: string } {
  switch (followUp.type) {
    case "retry":
      return { code: "RETRIED", message: "The prompt was sent again." };
    case "switch_account":
      return {
        code: "ACCOUNT_SWITCHED",
        message: `The turn continues with the account ${followUp.account}.`,
      };
    case "wait":
      return { code: "WAITING", message: `The turn continues at ${followUp.until}.` };
    case "instruct":
      return { code: "INSTRUCTED", message: followUp.text };
  }
}

/** Adds a turn's usage to the session's, reported before the turn's last event. */
const totals = (state: SessionState, usage: Usage): EventBody => ({
  type: "session_status",
  ...inTurn(state),
  state: stateName(state),
  inputTokens: state.usage.inputTokens + usage.inputTokens,
  outputTokens: state.usage.outputTokens + usage.outputTokens,
  ...(usage.costUsd === undefined ? {} : { costUsd: (state.usage.costUsd ?? 0) + usage.costUsd }),
});
