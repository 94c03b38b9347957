import type { AgentMode } from "../agent.ts";
import type { EventOf, LastTurn, QueuedMessage, SessionEvent, SessionStateName, Usage } from "../event.ts";
import { faultSentence } from "../fault-words.ts";
import type { Interaction } from "../interaction.ts";
import type { Review } from "../review.ts";
import { type Said, saidAfter } from "../worker/last-line.ts";
import type { SignalReport } from "../worker/signal.ts";

/** The result of a session's events. Server, CLI and page fold the same log with the same function. */
export interface SessionState {
  readonly lastSeq: number;
  /** What `session_status` last reported and later events have not replaced. */
  readonly reportedState: SessionStateName;
  readonly reason?: { code: string; message: string };
  readonly turn?: {
    readonly id: string;
    readonly messageId: string;
    readonly startedAt: string;
    readonly lockedBy: string;
  };
  /** How the last turn ended, until another starts. */
  readonly lastTurn?: LastTurn;
  /** The number of the last turn's end. An interrupted turn does not count: a person ended it and knows. */
  readonly endedSeq?: number;
  readonly queue: readonly QueuedMessage[];
  readonly queuePaused: boolean;
  /** Open ones only, oldest first. */
  readonly interactions: readonly Interaction[];
  readonly usage: Usage;
  readonly model?: string;
  readonly agentMode?: AgentMode;
  /** The event with the agent's own commands. The list itself is too large to be stored with every commit. */
  readonly commands?: { readonly seq: number; readonly digest: string };
  /** Of a session in a worktree, once a turn has changed something. */
  readonly review?: Review;
  /** The number of the event that opened the review, or reopened it. */
  readonly openedSeq?: number;
  readonly worker?: WorkerProgress;
}

/** What a worker has reported so far. */
export interface WorkerProgress {
  /** The attempts of its last turn. */
  readonly tries: number;
  readonly signal?: SignalReport;
  /** What its last `done` handed over. */
  readonly result?: unknown;
  readonly summary?: string;
  /** The last commit of its branch that was reported. */
  readonly head?: string;
  /** What its last run with proposals has left. */
  readonly proposals?: { readonly open: number; readonly invalid: number };
  /** The last line of what its agent has said. */
  readonly said?: Said;
}

export const emptyState: SessionState = {
  lastSeq: 0,
  reportedState: "idle",
  queue: [],
  queuePaused: false,
  interactions: [],
  usage: { inputTokens: 0, outputTokens: 0 },
};

/** Total and pure: an event this version does not know only advances the number. */
export function evolve(state: SessionState, event: SessionEvent): SessionState {
  const next = { ...state, lastSeq: event.seq };
  switch (event.type) {
    case "turn_start": {
      const { reason: _reason, lastTurn: _lastTurn, ...kept } = next;
      return {
        ...kept,
        reportedState: "running",
        turn: { id: event.turnId, messageId: event.messageId, startedAt: event.at, lockedBy: event.lockedBy },
      };
    }
    case "session_status": {
      const { reason: _, ...kept } = next;
      return {
        ...kept,
        reportedState: event.state,
        ...(event.reason ? { reason: event.reason } : {}),
        ...(event.model ? { model: event.model } : {}),
        ...(event.agentMode ? { agentMode: event.agentMode } : {}),
        usage: mergeUsage(state.usage, event),
      };
    }
    case "approval_required":
    case "question_prompt":
      return { ...next, interactions: [...without(state.interactions, event.id), interactionIn(event)] };
    case "interaction_resolved":
      return { ...next, interactions: without(state.interactions, event.interactionId) };
    case "commands":
      return { ...next, commands: { seq: event.seq, digest: event.digest } };
    case "queue_update":
      return { ...next, queue: event.messages, queuePaused: event.paused };
    case "review":
      return {
        ...next,
        ...(event.state === "open" && state.review?.state !== "open" ? { openedSeq: event.seq } : {}),
        review: reviewIn(event),
      };
    case "signal":
      return { ...next, worker: progressAfter(state.worker, event) };
    case "commits":
      return { ...next, worker: { tries: 1, ...state.worker, head: event.head } };
    case "proposals_created": {
      const { open, invalid } = event;
      return { ...next, worker: { tries: 1, ...state.worker, proposals: { open, invalid } } };
    }
    case "notice": {
      const { attempt } = event.facts;
      const isNewTry = event.code === "INSTRUCTED" || event.code === "RETRY";
      if (!isNewTry || typeof attempt !== "number") return next;
      return { ...next, worker: { ...state.worker, tries: attempt } };
    }
    case "done": {
      const { turn, ...kept } = next;
      if (turn?.id !== event.turnId) return next;
      const { reason, ok, error, at: endedAt } = event;
      return {
        ...kept,
        ...(reason === "cancelled" ? {} : { endedSeq: event.seq }),
        reportedState: endsWithTurn.includes(state.reportedState) ? "idle" : state.reportedState,
        lastTurn: {
          ...{ id: turn.id, startedAt: turn.startedAt, endedAt, reason, ok },
          ...(error ? { message: faultSentence(error.message, error) } : {}),
          ...(error?.until ? { until: error.until } : {}),
        },
      };
    }
    default:
      return next;
  }
}

/** The same for a worker, which is also known by what it says. */
export function evolveWorker(state: SessionState, event: SessionEvent): SessionState {
  const next = evolve(state, event);
  const said = saidAfter(next.worker?.said, event);
  return said === undefined || said === next.worker?.said
    ? next
    : { ...next, worker: { tries: 1, ...next.worker, said } };
}

const without = (interactions: readonly Interaction[], id: string) => interactions.filter((i) => i.id !== id);

/** The interaction that an event opens, without the event's own fields. */
export function interactionIn(event: EventOf<"approval_required"> | EventOf<"question_prompt">): Interaction {
  const { type: _type, seq: _seq, from: _from, at: _at, ...interaction } = event;
  return interaction;
}

/** The review that an event describes, without the event's own fields. */
function reviewIn(event: EventOf<"review">): Review {
  const {
    type: _type,
    seq: _seq,
    from: _from,
    at: _at,
    sessionId: _id,
    turnId: _turn,
    by: _by,
    ...review
  } = event;
  return review;
}

function progressAfter(before: WorkerProgress | undefined, event: EventOf<"signal">): WorkerProgress {
  const { run, status, result = before?.result, error, tries, summary = before?.summary } = event;
  const report = { run, status, ...(event.result === undefined ? {} : { result: event.result }) };
  return {
    tries,
    signal: { ...report, ...(error === undefined ? {} : { error }) },
    ...(result === undefined ? {} : { result }),
    ...(summary === undefined ? {} : { summary }),
    ...(before?.head === undefined ? {} : { head: before.head }),
    ...(before?.proposals === undefined ? {} : { proposals: before.proposals }),
    ...(before?.said === undefined ? {} : { said: before.said }),
  };
}

/** States that apply only during a turn; the others outlive it. */
const endsWithTurn: readonly SessionStateName[] = [
  "queued",
  "starting",
  "running",
  "stalled",
  "waiting_for_input",
];

function mergeUsage(usage: Usage, news: { readonly [K in keyof Usage]?: Usage[K] | undefined }): Usage {
  const merged = { ...usage };
  for (const key of [
    "inputTokens",
    "outputTokens",
    "costUsd",
    "contextTokens",
    "contextMaxTokens",
  ] as const) {
    const value = news[key];
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** Whether a turn has ended, or a review has opened, since a person last looked at the session. */
export const isUnread = (
  { endedSeq = 0, openedSeq = 0 }: Pick<SessionState, "endedSeq" | "openedSeq">,
  seenSeq: number,
): boolean => Math.max(endedSeq, openedSeq) > seenSeq;

/** States that a person should see before an open interaction. */
const outlastsInteractions: readonly SessionStateName[] = [
  "stopping",
  "crashed",
  "stopped",
  "waiting_for_quota",
];

/** The one word for a session's state: of all that apply, the one a person should see first. */
export function stateName(state: SessionState): SessionStateName {
  const { reportedState } = state;
  if (outlastsInteractions.includes(reportedState)) return reportedState;
  // A message that was removed from the queue waits for nothing.
  if (reportedState === "queued" && (state.turn || state.queue.length > 0)) return reportedState;
  if (state.interactions.length > 0) return "waiting_for_input";
  if (reportedState === "stalled" || reportedState === "starting") return reportedState;
  return state.turn ? "running" : "idle";
}
