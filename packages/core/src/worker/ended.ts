import { Fault, type Retry } from "../error.ts";
import type { EventBody, Usage } from "../event.ts";
import type { Question } from "../interaction.ts";
import type { AttemptOutcome } from "../session/outcome.ts";

/**
 * How an attempt of a worker ended, kept until its signal and its work are collected: a server that is killed in between
 * collects them when it is back.
 */
export interface EndedAttempt {
  readonly outcome: StoredOutcome;
  readonly usage?: Usage;
}

/** An outcome as plain data. */
type StoredOutcome = AttemptOutcome extends infer O
  ? O extends { readonly fault: Fault }
    ? Omit<O, "fault"> & { readonly fault: StoredFault }
    : O extends { readonly fault?: Fault }
      ? Omit<O, "fault"> & { readonly fault?: StoredFault }
      : O
  : never;

interface StoredFault {
  readonly code: Fault["code"];
  readonly message: string;
  readonly retry: Retry;
  readonly facts: Readonly<Record<string, unknown>>;
}

export function storeOutcome(outcome: AttemptOutcome): StoredOutcome {
  if (!("fault" in outcome) || !outcome.fault) return outcome as StoredOutcome;
  const { code, message, retry, facts } = outcome.fault;
  return { ...outcome, fault: { code, message, retry, facts } };
}

export function restoreOutcome(stored: StoredOutcome): AttemptOutcome {
  if (!("fault" in stored) || !stored.fault) return stored as AttemptOutcome;
  const { code, message, retry, facts } = stored.fault;
  return { ...stored, fault: new Fault(code, message, { retry, facts: { ...facts } }) };
}

/** What an attempt of a worker has left: decides, with its outcome, how it ends. */
export interface Collected {
  /** The signal, the commits, and what prevented them. */
  readonly events: readonly EventBody[];
  /** The worker asks these, under this id. */
  readonly asks?: { readonly toolCallId: string; readonly questions: readonly Question[] };
}
