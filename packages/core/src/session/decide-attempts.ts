import type { FaultCode } from "../error.ts";
import type { DoneReason, EventBody, Usage } from "../event.ts";
import { ok } from "../result.ts";
import { storeOutcome } from "../worker/ended.ts";
import { type AfterAttempt, type Attempt, afterAttempt, type FollowUp, nextAttempt } from "./attempt.ts";
import type { Command, Decider, DecisionContext } from "./command.ts";
import { askForSignal } from "./decide-signal.ts";
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
    const { isStopping, worker } = context.session;
    const isEnded = attempt.ended !== undefined && !command.collected;
    // Nothing is left to wait for: the agent has no turn any more.
    const isCancelled = isEnded && (outcome.type === "interrupted" || outcome.type === "stopped");
    if (isEnded && !isCancelled) return ok({ events: [] });
    const after = isCancelled ? cancelled : afterAttempt(attempt, outcome, { ...followUps, isStopping });
    if (after.type === "keep") return ok({ events: [] });
    if (worker && !command.collected && mayHaveLeft(attempt, after)) {
      const ended = { outcome: storeOutcome(outcome), ...(usage ? { usage } : {}) };
      return ok({ events: [], attempt: { ...attempt, ended } });
    }
    const { fault } = after;
    const used: EventBody[] = usage ? [totals(state, usage)] : [];
    const closed = denied.map(
      (call): EventBody => ({ type: "tool_result", turnId, ...call, status: "denied", result: {} }),
    );
    const cause = outcome.type === "answered" || !fault ? "turn_cancelled" : "agent_gone";
    const isOver = after.type === "end" && after.reason === "cancelled";
    const open = lingers && !isOver ? [] : cancelInteractions(state, cause);
    const error: EventBody[] = fault ? [{ type: "error", turnId, ...fault.toWire() }] : [];
    const { events: left = [], asks } = command.collected ?? {};
    const events = [...used, ...closed, ...open, ...left, ...error];
    if (after.type !== "end") {
      events.push({ type: "notice", turnId, ...noticeOf(after), facts: factsOf(after, attempt, context) });
      return ok({ events, attempt: nextAttempt(attempt, after, state.lastSeq + events.length) });
    }
    const { reason } = after;
    if (asks) events.push(askForSignal(state, asks, context));
    events.push({
      type: "done",
      turnId,
      reason,
      ok: reason === "end_turn" || reason === "waiting_for_input",
      partial: !wholeEndings.includes(reason),
      ...(fault ? { error: fault.toWire() } : {}),
      ...(usage ? { usage } : {}),
    });
    if (command.collected) events.push(...stateAfterWork(after));
    return ok({ events, attempt: null });
  },
};

const cancelled: Extract<AfterAttempt, { type: "end" }> = { type: "end", reason: "cancelled" };

/** Whether an agent that had its prompt may have left something, however it ended. */
const mayHaveLeft = ({ prompt }: Attempt, after: AfterAttempt): boolean =>
  prompt.phase !== "accepted" && !(after.type === "end" && after.reason === "cancelled");

/** Follows the end of a worker's turn: a person has to look at one that failed. */
function stateAfterWork({ reason, fault }: Extract<AfterAttempt, { type: "end" }>): EventBody[] {
  if (reason === "waiting_for_input") return [{ type: "session_status", state: "waiting_for_input" }];
  if (!fault || !failures.includes(fault.code)) return [{ type: "session_status", state: "idle" }];
  const { code, message } = fault;
  return [{ type: "session_status", state: "crashed", reason: { code, message } }];
}

/** Faults of the worker itself. */
const failures: readonly FaultCode[] = ["SIGNAL_ERROR", "SIGNAL_MISSING", "OUTPUT_MISSING"];

function factsOf(followUp: FollowUp, { n }: Attempt, { now }: DecisionContext): Record<string, unknown> {
  if (followUp.type !== "retry" && followUp.type !== "instruct") return { attempt: n + 1 };
  const { fault, until } = followUp;
  const after = until === undefined ? {} : { afterMs: Math.max(0, Date.parse(until) - Date.parse(now)) };
  return { attempt: n + 1, try: n, ...(fault ? { class: fault.code } : {}), ...after };
}

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
      return { code: "RETRY", message: "The prompt is sent again." };
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
