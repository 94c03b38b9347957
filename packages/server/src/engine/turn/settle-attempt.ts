import {
  type AgentExit,
  type AttemptKey,
  type AttemptOutcome,
  deniedCalls,
  type Fault,
  isSameAttempt,
  type ProcessEnding,
} from "@drover/core";
import type { SessionRuntime } from "../../ports.ts";
import { learnFrom } from "../accounts/learn.ts";
import type { SessionLog } from "../session/log.ts";

/** The turn a person asked to end, until it has ended. */
export const interruptedTurn = ({ attempt }: SessionRuntime): string | undefined =>
  attempt?.prompt.interrupted ? attempt.turnId : undefined;

/** Records the outcome of an attempt, unless the turn has already moved past that attempt. */
export async function settleAttempt(
  log: SessionLog,
  key: AttemptKey | undefined,
  outcome: AttemptOutcome,
): Promise<void> {
  if (key) await log.untilStored(() => settleAttemptNow(log, key, outcome));
}

/** `settleAttempt` from inside the mailbox. */
async function settleAttemptNow(log: SessionLog, key: AttemptKey, outcome: AttemptOutcome): Promise<void> {
  const { row, timeline } = log.journal;
  const { attempt } = row.runtime;
  if (!attempt || !isSameAttempt(attempt, key)) return;
  const known = await withAccount(log, outcome);
  const followUps = log.deps.followUps({ sessionId: row.id, attempt, outcome: known });
  const fault = "fault" in known ? known.fault : undefined;
  await log.perform(
    { type: "settle_attempt", attempt, outcome: known, followUps, denied: deniedCalls(timeline) },
    isConversationLost(fault) ? { runtime: { agentSessionId: null } } : {},
  );
}

/** The same outcome, once it is noted what it says about the account. */
async function withAccount(log: SessionLog, outcome: AttemptOutcome): Promise<AttemptOutcome> {
  if (!("fault" in outcome) || !outcome.fault) return outcome;
  return { ...outcome, fault: await learnFrom(log, outcome.fault) };
}

/** The agent no longer knows its conversation: the next prompt starts a new one. */
export const isConversationLost = (fault: Fault | undefined): boolean => fault?.code === "RESUME_UNKNOWN";

/** The agent's process is gone, and all its output is recorded. */
export async function recordExit(log: SessionLog, exit: AgentExit, ending: ProcessEnding): Promise<void> {
  const { attempt } = log.journal.row.runtime;
  await log.untilStored(async () => {
    if (attempt) await settleAttemptNow(log, attempt, { type: "exited", ending, exit });
    // Requests the process made outside of a turn can no longer be answered either.
    const cause = log.journal.row.runtime.stopping ? "turn_cancelled" : "agent_gone";
    const runtime = { process: null, pending: {} };
    await log.perform({ type: "release", cause }, { runtime, durability: "output" });
  });
}
