import { type Attempt, type AttemptOutcome, Fault, type FollowUps } from "@drover/core";
import type { EngineDeps } from "../deps.ts";

interface Unfinished {
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome;
  /** What is missing, and why: a sentence. */
  readonly lacks: "signal" | "output";
  readonly problem: string;
}

/** How often a turn is tried again after failures that pass. Reminders of the signal count as well. */
const maxRetries = 3;

/** What follows an attempt of a worker that left no signal, or not what its mode has to bring. */
export function workerFollowUps(
  { settings, workers }: Pick<EngineDeps, "settings" | "workers">,
  { attempt, outcome, lacks, problem }: Unfinished,
): { outcome: AttemptOutcome; followUps: FollowUps } {
  const { signalTries, signalBackoffMs } = settings.workers;
  const tries = attempt.n - 1;
  const waitMs = Math.max(signalBackoffMs * 2 ** tries, askedWaitMs(outcome));
  const followAt = new Date(Date.now() + waitMs).toISOString();
  const isAnswered = outcome.type === "answered" && !outcome.fault;
  if (!isAnswered) {
    const mayRetry = tries < maxRetries && passes(outcome);
    const wait = mayRetry ? { waitUntil: followAt } : {};
    return { outcome, followUps: { maxAttempts: attempt.n + 1, mayRetry, followAt, ...wait } };
  }
  if (tries < signalTries) {
    const instruction = workers.texts.instruction(problem);
    return { outcome, followUps: { maxAttempts: attempt.n + 1, instruction, followAt } };
  }
  const asked = tries === 0 ? "" : ` Drover asked for it ${tries === 1 ? "once" : `${tries} times`}.`;
  const { code, missing } = endings[lacks];
  const message = `The worker ended its run without ${missing}. ${problem}${asked} Send it a message to continue.`;
  const fault = new Fault(code, message);
  return { outcome: { type: "answered", reason: "error", fault }, followUps: { maxAttempts: 1 } };
}

const endings = {
  signal: { code: "SIGNAL_MISSING", missing: "a signal" },
  output: { code: "OUTPUT_MISSING", missing: "what its mode has to bring" },
} as const;

/** How long the model's server asked to wait. */
function askedWaitMs(outcome: AttemptOutcome): number {
  const retry = "fault" in outcome ? outcome.fault?.retry : undefined;
  return typeof retry === "object" ? retry.afterMs : 0;
}

const passing: readonly Fault["code"][] = ["NETWORK", "OVERLOADED", "RATE_LIMITED", "TIMEOUT"];

/** Whether a failure is likely to be gone the next time. */
function passes(outcome: AttemptOutcome): boolean {
  if (outcome.type === "exited") return outcome.exit.signal !== null;
  // The server died: whether the prompt arrived is unknown, or the agent's end was not seen.
  if (outcome.type === "recovered") return true;
  if (!("fault" in outcome) || !outcome.fault) return false;
  const { code, facts } = outcome.fault;
  return passing.includes(code) || (code === "AGENT_CRASHED" && facts["endedBy"] !== undefined);
}
