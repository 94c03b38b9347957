import {
  type AgentFact,
  boundFact,
  checkConversationId,
  checkRequest,
  type Decision,
  decide,
  type deniedCalls,
  type EventBody,
  evolve,
  type Given,
  type Interaction,
  openLimits,
  oversized,
  type Recorder,
  type Rejection,
  type Result,
  type SessionEvent,
  type SessionState,
  sizeOf,
  stateName,
  type WorkFact,
} from "@drover/core";
import type { AgentBatch, PendingRequest, SessionRuntime } from "../../ports.ts";
import { newId } from "../ids.ts";
import type { Change } from "../session/journal.ts";
import { promptArrived } from "./message-context.ts";
import { settlePending } from "./pending-answers.ts";
import { interruptedTurn } from "./record-end.ts";

export interface BatchContext {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly runtime: SessionRuntime;
  readonly recorder: Recorder;
  readonly given: Given;
  readonly isToolCallUsed: (id: string) => boolean;
  /** Of the calls that are open, those that were denied. */
  readonly denied: readonly DeniedCall[];
}

type DeniedCall = ReturnType<typeof deniedCalls>[number];

/**
 * One batch of an agent's output as one change: its events, its requests and how far its raw log has been read,
 * all or nothing, so that after a crash nothing is stored twice and nothing is left out. Throws a Fault when the agent
 * sent more than a session can hold.
 */
export function recordBatch(batch: AgentBatch, context: BatchContext): Change {
  const { runtime, recorder, given, isToolCallUsed, denied } = context;
  const isDenied = (id: string) => denied.some(({ toolCallId }) => toolCallId === id);
  let { state } = context;
  let { pending } = runtime;
  const settled: Interaction[] = [];
  const events: EventBody[] = [];
  const add = (bodies: readonly EventBody[]) => {
    for (const body of bodies) {
      events.push(body);
      state = evolve(state, draft(body, state, context.sessionId));
    }
  };
  checkConversationId(batch.agentSessionId);
  const facts = batch.facts.map(boundFact);
  if (facts.length > 0) add(eventsOf(decide(state, speaksAgain, given)));
  for (const stretch of stretchesOf(facts)) {
    if (stretch.kind === "work") {
      const turn = state.turn ? { turnId: state.turn.id } : {};
      const isInterrupted =
        runtime.stopping || (state.turn !== undefined && interruptedTurn(runtime) === state.turn.id);
      const more = { state: stateName(state), newItemId: () => newId("item") };
      add(recorder.record(stretch.facts, { ...turn, ...more, isToolCallUsed, isDenied, isInterrupted }));
    } else if (stretch.fact.type === "turn_end") {
      add(endOf(stretch.fact, state, context));
    } else if (stretch.fact.type === "approval_changed") {
      const { input, diffs } = stretch.fact;
      const toolCallId = recorder.toolCallId(stretch.fact.toolCallId, { isToolCallUsed });
      add(eventsOf(decide(state, { type: "change_approval", toolCallId, input, diffs }, given)));
    } else {
      const { fact } = stretch;
      const raw = batch.raw?.[fact.requestKey];
      checkRequest(raw);
      checkOpen(state, fact);
      const toolCallId = fact.toolCallId && recorder.toolCallId(fact.toolCallId, { isToolCallUsed });
      const asked = decide(state, { type: "ask", request: fact, toolCallId }, given);
      if (!asked.ok || !asked.value.interaction) continue;
      const { interaction, events: consequences } = asked.value;
      if (interaction.kind === "question") recorder.pauseSpeech();
      if (consequences.some((event) => event.type === "interaction_resolved")) settled.push(interaction);
      const request: PendingRequest = { interactionId: interaction.id, raw };
      pending = { ...pending, [fact.requestKey]: request };
      add(consequences);
    }
  }
  // The next turn begins a new conversation; the fault says so.
  const isUnknown = batch.facts.some(
    (fact) => fact.type === "turn_end" && fact.fault?.code === "RESUME_UNKNOWN",
  );
  return {
    events,
    runtime: {
      pending: settlePending(pending, events),
      ...(batch.agentSessionId && batch.facts.length > 0 ? { agentSessionId: batch.agentSessionId } : {}),
      ...(isUnknown ? { agentSessionId: null } : {}),
      ...(runtime.process ? { process: { ...runtime.process, position: batch.position } } : {}),
      ...(batch.facts.length > 0 ? promptArrived(context) : {}),
    },
    settled,
    durability: "output",
  };
}

/** No person could answer more than this at once. */
function checkOpen({ interactions }: SessionState, fact: AgentFact): void {
  if (interactions.length >= openLimits.requests) {
    throw oversized(`more than ${openLimits.requests} requests that wait for an answer`);
  }
  if (sizeOf(interactions) + sizeOf(fact) > openLimits.size) {
    throw oversized(`requests that wait for an answer, of more than ${openLimits.size} characters in all`);
  }
}

const speaksAgain = { type: "report_state", state: "running", from: "stalled" } as const;

function endOf(
  fact: Extract<AgentFact, { type: "turn_end" }>,
  state: SessionState,
  { runtime, recorder, given, denied }: BatchContext,
): readonly EventBody[] {
  // Whatever the agent calls the end of a turn that a person asked it to end, it was cancelled.
  const cancelled = interruptedTurn(runtime) === fact.turnId;
  const end = {
    type: "end_turn",
    turnId: fact.turnId,
    reason: cancelled ? "cancelled" : fact.reason,
    ...(fact.fault && !cancelled ? { fault: fact.fault } : {}),
    ...(fact.usage ? { usage: fact.usage } : {}),
    ...(fact.lingers ? { lingers: true } : {}),
    denied: denied.filter(({ toolCallId }) => recorder.isBegun(toolCallId)),
    cause: "turn_cancelled",
  } as const;
  return eventsOf(decide(state, end, given));
}

const eventsOf = (decided: Result<Decision, Rejection>): readonly EventBody[] =>
  decided.ok ? decided.value.events : [];

type Stretch = { kind: "work"; facts: WorkFact[] } | { kind: "special"; fact: Exclude<AgentFact, WorkFact> };

/** Work facts in stretches, with requests and turn ends between them, in order. */
function stretchesOf(facts: readonly AgentFact[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const fact of facts) {
    if (!isWork(fact)) {
      stretches.push({ kind: "special", fact });
      continue;
    }
    const last = stretches.at(-1);
    if (last?.kind === "work") last.facts.push(fact);
    else stretches.push({ kind: "work", facts: [fact] });
  }
  return stretches;
}

const special: readonly AgentFact["type"][] = [
  "turn_end",
  "approval_request",
  "approval_changed",
  "question_request",
];

const isWork = (fact: AgentFact): fact is WorkFact => !special.includes(fact.type);

/** A body with the envelope it is about to get, for deciding what follows it in the same batch. */
function draft(body: EventBody, state: SessionState, sessionId: string): SessionEvent {
  const seq = state.lastSeq + 1;
  return { ...body, seq, from: seq, at: "", sessionId } as SessionEvent;
}
