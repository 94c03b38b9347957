import { exitFault } from "../agent-exit.ts";
import { Fault, type Retry } from "../error.ts";
import type { DoneReason } from "../event.ts";
import { doneReasonOf } from "../fault-rules.ts";
import type { ProcessEnding } from "../supervision.ts";
import type { EndedAttempt } from "../worker/ended.ts";
import type { AttemptOutcome } from "./outcome.ts";

export type { AttemptOutcome } from "./outcome.ts";

/** One try to get a turn done: a prompt, and how far it got. Most turns have one. */
export interface Attempt {
  readonly turnId: string;
  /** Counts from 1. */
  readonly n: number;
  /** The account it runs on; absent if it uses the agent's own login. */
  readonly account?: string;
  /** The prompt is not delivered before this time. */
  readonly notBefore?: string;
  readonly prompt: AttemptPrompt;
  /** A worker's: it is over, and what it left is being collected. */
  readonly ended?: EndedAttempt;
}

export interface AttemptPrompt {
  readonly kind: "message" | "continue" | "instruct" | "answers";
  /** The number of the event with its text. */
  readonly seq: number;
  /** If it is found at `writing` after a crash, it is unknown whether it arrived. */
  readonly phase: PromptPhase;
  /** A person asked to end the turn: a restarted server keeps asking, and then ends the process. */
  readonly interrupted?: true;
  /** It is sent alone; context for the agent waits for the next prompt. */
  readonly isBare?: true;
  /** Messages for the running turn, by the numbers of their events. */
  readonly steers?: readonly Steer[];
}

export const promptPhases = ["accepted", "writing", "written"] as const;
export type PromptPhase = (typeof promptPhases)[number];

export interface Steer {
  readonly messageId: string;
  readonly seq: number;
  /** The agent's input has taken all of it. */
  readonly isWritten?: true;
}

/** Which attempt of which turn. */
export type AttemptKey = Pick<Attempt, "turnId" | "n">;

export const isSameAttempt = (one: AttemptKey | undefined, other: AttemptKey | undefined): boolean =>
  one?.turnId === other?.turnId && one?.n === other?.n;

/** What is available to follow an attempt. */
export interface FollowUps {
  /** How many attempts a turn may have in total. */
  readonly maxAttempts: number;
  /** The same prompt may be sent again after a fault that allows it. */
  readonly mayRetry?: boolean;
  readonly nextAccount?: string;
  readonly waitUntil?: string;
  readonly instruction?: string;
  /** The prompt or the instruction is not sent before this time. */
  readonly followAt?: string;
}

/** Another attempt of the same turn. `fault` is why the last one failed. */
export type FollowUp = { readonly fault?: Fault } & (
  | { readonly type: "retry"; readonly until?: string }
  | { readonly type: "switch_account"; readonly account: string }
  | { readonly type: "wait"; readonly until: string }
  | { readonly type: "instruct"; readonly text: string; readonly until?: string }
);

export type AfterAttempt =
  /** Nothing follows: the attempt continues. */
  | { readonly type: "keep" }
  | { readonly type: "end"; readonly reason: DoneReason; readonly fault?: Fault }
  | FollowUp;

export type OutcomeRow =
  | Exclude<AttemptOutcome["type"], "exited" | "recovered">
  | `exited_${ProcessEnding}`
  | `recovered_${"found" | "gone"}`;

/**
 * `keep`: the attempt continues. `answer`: it ends as the agent said. `cancel`: it was cancelled. `fault`: it failed.
 * `uncertain`: it is unknown whether the prompt arrived. `switch`: it continues with another account, or is cancelled.
 */
type Cell = "keep" | "answer" | "cancel" | "fault" | "uncertain" | "switch";

const outcomes: Readonly<Record<OutcomeRow, Readonly<Record<PromptPhase, Cell>>>> = {
  answered: { accepted: "answer", writing: "answer", written: "answer" },
  // This process never got an accepted prompt: the next process does.
  exited_rest: { accepted: "keep", writing: "cancel", written: "cancel" },
  exited_stop: { accepted: "keep", writing: "cancel", written: "cancel" },
  exited_switch: { accepted: "keep", writing: "switch", written: "switch" },
  exited_lost: { accepted: "fault", writing: "fault", written: "fault" },
  failed: { accepted: "fault", writing: "fault", written: "fault" },
  // Before its first byte is written the agent knows nothing about a prompt; afterwards the agent is asked to end its
  // turn.
  interrupted: { accepted: "cancel", writing: "keep", written: "keep" },
  stopped: { accepted: "cancel", writing: "cancel", written: "cancel" },
  recovered_found: { accepted: "keep", writing: "uncertain", written: "keep" },
  recovered_gone: { accepted: "keep", writing: "uncertain", written: "fault" },
};

type RetryRow = Exclude<Retry, object> | "after";

/** What may follow a fault, best first. */
const faultFollowUps: Readonly<Record<RetryRow, readonly FollowUp["type"][]>> = {
  never: [],
  same: ["retry"],
  "other-account": ["switch_account", "wait"],
  after: ["wait", "switch_account"],
};

/** Decides what follows an attempt. Nothing else ends a turn or starts its next attempt. */
export function afterAttempt(
  { n, prompt }: Pick<Attempt, "n" | "prompt">,
  outcome: AttemptOutcome,
  available: FollowUps & { readonly isStopping: boolean },
): AfterAttempt {
  const cell = outcomes[rowOf(outcome)][prompt.phase];
  if (cell === "keep") return { type: "keep" };
  if (prompt.interrupted) return { type: "end", reason: "cancelled" };
  const end = endOf(cell, outcome);
  if (available.isStopping || n >= available.maxAttempts) return end;
  const offered = possibleFollowUps(cell, end).flatMap((type) => offerOf(type, available) ?? []);
  const [followUp] = offered;
  return followUp ? { ...followUp, ...(end.fault ? { fault: end.fault } : {}) } : end;
}

export function rowOf(outcome: AttemptOutcome): OutcomeRow {
  if (outcome.type === "exited") return `exited_${outcome.ending}`;
  if (outcome.type === "recovered") return `recovered_${outcome.agent}`;
  return outcome.type;
}

type End = Extract<AfterAttempt, { type: "end" }>;

function endOf(cell: Cell, outcome: AttemptOutcome): End {
  if (cell === "answer" && outcome.type === "answered") {
    const { reason, fault } = outcome;
    return { type: "end", reason, ...(fault ? { fault } : {}) };
  }
  const fault = cell === "uncertain" ? deliveryUncertain() : cell === "fault" ? faultOf(outcome) : undefined;
  return fault
    ? { type: "end", reason: doneReasonOf(fault.code), fault }
    : { type: "end", reason: "cancelled" };
}

function faultOf(outcome: AttemptOutcome): Fault | undefined {
  if (outcome.type === "failed") return outcome.fault;
  if (outcome.type === "exited") return exitFault(outcome.exit);
  if (outcome.type !== "recovered") return undefined;
  return new Fault("AGENT_CRASHED", "The agent ended while Drover was not running.");
}

const deliveryUncertain = (): Fault =>
  new Fault(
    "DELIVERY_UNCERTAIN",
    "Drover stopped while delivering this prompt and cannot tell whether the agent received it. Check its work, then send it again.",
  );

function possibleFollowUps(cell: Cell, { reason, fault }: End): readonly FollowUp["type"][] {
  if (cell === "switch") return ["switch_account"];
  if (cell === "uncertain") return ["retry"];
  if (fault) return faultFollowUps[typeof fault.retry === "object" ? "after" : fault.retry];
  return reason === "cancelled" ? [] : ["instruct"];
}

function offerOf(type: FollowUp["type"], available: FollowUps): FollowUp | undefined {
  const { mayRetry, nextAccount, waitUntil, instruction, followAt } = available;
  const later = followAt === undefined ? {} : { until: followAt };
  switch (type) {
    case "retry":
      return mayRetry ? { type, ...later } : undefined;
    case "switch_account":
      return nextAccount === undefined ? undefined : { type, account: nextAccount };
    case "wait":
      return waitUntil === undefined ? undefined : { type, until: waitUntil };
    case "instruct":
      return instruction === undefined ? undefined : { type, text: instruction, ...later };
  }
}

/** The first attempt of a turn. */
export const firstAttempt = (turnId: string, seq: number): Attempt => ({
  turnId,
  n: 1,
  prompt: { kind: "message", seq, phase: "accepted" },
});

/** The attempt that follows; `seq` is the number of the event that announces it. */
export function nextAttempt(attempt: Attempt, followUp: FollowUp, seq: number): Attempt {
  const { turnId, n, prompt } = attempt;
  const account = followUp.type === "switch_account" ? followUp.account : attempt.account;
  return {
    turnId,
    n: n + 1,
    ...(account === undefined ? {} : { account }),
    ...("until" in followUp && followUp.until ? { notBefore: followUp.until } : {}),
    prompt: followUp.type === "instruct" ? { kind: "instruct", seq, phase: "accepted" } : repeated(prompt),
  };
}

/** Repeats the messages that people added to the turn along with its prompt. */
const repeated = ({ kind, seq, steers }: AttemptPrompt): AttemptPrompt => ({
  ...{ kind, seq, phase: "accepted" },
  ...(steers ? { steers: steers.map(({ messageId, seq: at }) => ({ messageId, seq: at })) } : {}),
});
