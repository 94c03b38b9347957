import {
  type AgentFact,
  type Attempt,
  type AttemptOutcome,
  boundFact,
  checkConversationId,
  checkRequest,
  type Decision,
  type DecisionContext,
  type DeniedCall,
  decide,
  type EventBody,
  evolve,
  type FollowUps,
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
  withoutSuperseded,
} from "@drover/core";
import type { AgentBatch, PendingRequest, SessionRuntime } from "../../ports.ts";
import { newId } from "../ids.ts";
import type { Change } from "../session/journal.ts";
import { promptArrived } from "../turn/message-context.ts";
import { settlePending } from "../turn/pending-answers.ts";
import { interruptedTurn, isConversationLost } from "../turn/settle-attempt.ts";

export interface BatchContext {
  readonly sessionId: string;
  readonly state: SessionState;
  readonly runtime: SessionRuntime;
  readonly recorder: Recorder;
  readonly decisionContext: DecisionContext;
  readonly isToolCallUsed: (id: string) => boolean;
  /** The open calls that were denied. */
  readonly denied: readonly DeniedCall[];
  readonly followUps: (attempt: Attempt, outcome: AttemptOutcome) => FollowUps;
}

/**
 * One batch of an agent's output as one change: its events, its requests and the position in its raw log, all or
 * nothing, so that a crash neither duplicates nor loses anything. Throws a Fault if the agent sent more than a session
 * can hold.
 */
export function recordBatch(batch: AgentBatch, context: BatchContext): Change {
  const { runtime, recorder, decisionContext, isToolCallUsed, denied } = context;
  const isDenied = (id: string) => denied.some(({ toolCallId }) => toolCallId === id);
  let { state } = context;
  let { pending } = runtime;
  // Agents announce their commands before they get a prompt.
  const isOutput = batch.facts.some(({ type }) => type !== "commands");
  let conversation: { agentSessionId?: string | null } =
    batch.agentSessionId && isOutput ? { agentSessionId: batch.agentSessionId } : {};
  // An agent that produces output has received its prompt.
  const arrived = isOutput ? promptArrived(context) : undefined;
  let attempt: Attempt | null | undefined = arrived?.attempt ?? runtime.attempt;
  const settled: Interaction[] = [];
  const events: EventBody[] = [];
  const add = (bodies: readonly EventBody[]) => {
    for (const body of bodies) {
      events.push(body);
      state = evolve(state, draft(body, state, context.sessionId));
    }
  };
  checkConversationId(batch.agentSessionId);
  const facts = withoutSuperseded(batch.facts).map(boundFact);
  if (isOutput) add(eventsOf(decide(state, speaksAgain, decisionContext)));
  for (const stretch of stretchesOf(facts)) {
    if (stretch.kind === "work") {
      const turn = state.turn ? { turnId: state.turn.id } : {};
      const isInterrupted =
        runtime.stopping || (state.turn !== undefined && interruptedTurn(runtime) === state.turn.id);
      const more = { state: stateName(state), newItemId: () => newId("item") };
      add(recorder.record(stretch.facts, { ...turn, ...more, isToolCallUsed, isDenied, isInterrupted }));
    } else if (stretch.fact.type === "turn_end") {
      const { fact } = stretch;
      if (isConversationLost(fact.fault)) conversation = { agentSessionId: null };
      if (attempt?.turnId !== fact.turnId) continue;
      const command = settleCommand(attempt, fact, context);
      const decided: Result<Decision, Rejection> = decide(state, command, decisionContext);
      add(eventsOf(decided));
      if (decided.ok && decided.value.attempt !== undefined) attempt = decided.value.attempt;
    } else if (stretch.fact.type === "commands") {
      const { commands } = stretch.fact;
      const digest = decisionContext.hash(commands);
      // Agents repeat them with every start, some with every turn.
      const isNews = digest !== state.commands?.digest && (commands.length > 0 || state.commands);
      if (isNews) add([{ type: "commands", commands, digest }]);
    } else if (stretch.fact.type === "request_withdrawn") {
      const { interactionId } = pending[stretch.fact.requestKey] ?? {};
      if (interactionId) add(eventsOf(decide(state, { type: "withdraw", interactionId }, decisionContext)));
    } else if (stretch.fact.type === "approval_changed") {
      const { title, input, diffs } = stretch.fact;
      const toolCallId = recorder.toolCallId(stretch.fact.toolCallId, { isToolCallUsed });
      recorder.requestChanged(toolCallId);
      const command = { type: "change_approval", toolCallId, title, input, diffs } as const;
      add(eventsOf(decide(state, command, decisionContext)));
    } else {
      const { fact } = stretch;
      const raw = batch.raw?.[fact.requestKey];
      checkRequest(raw);
      checkOpen(state, fact);
      const toolCallId = fact.toolCallId && recorder.toolCallId(fact.toolCallId, { isToolCallUsed });
      const asked = decide(state, { type: "ask", request: fact, toolCallId }, decisionContext);
      if (!asked.ok || !asked.value.interaction) continue;
      const { interaction, events: consequences } = asked.value;
      if (interaction.kind === "question") recorder.pauseSpeech();
      if (consequences.some((event) => event.type === "interaction_resolved")) settled.push(interaction);
      const request: PendingRequest = { interactionId: interaction.id, raw };
      pending = { ...pending, [fact.requestKey]: request };
      add(consequences);
    }
  }
  return {
    events,
    runtime: {
      pending: settlePending(pending, events),
      ...conversation,
      ...(runtime.process ? { process: { ...runtime.process, position: batch.position } } : {}),
      ...arrived,
      ...(attempt === undefined ? {} : { attempt }),
    },
    settled,
    durability: "output",
  };
}

/** No person could answer more than this at once. */
function checkOpen({ interactions }: SessionState, fact: AgentFact): void {
  if (interactions.length >= openLimits.requests) {
    throw oversized(`more than ${openLimits.requests} unanswered requests`);
  }
  if (sizeOf(interactions) + sizeOf(fact) > openLimits.size) {
    throw oversized(`unanswered requests of more than ${openLimits.size} characters in total`);
  }
}

const speaksAgain = { type: "report_state", state: "running", from: "stalled" } as const;

function settleCommand(
  attempt: Attempt,
  fact: Extract<AgentFact, { type: "turn_end" }>,
  { recorder, denied, followUps }: BatchContext,
) {
  const { reason, fault } = fact;
  const outcome: AttemptOutcome = { type: "answered", reason, ...(fault ? { fault } : {}) };
  return {
    type: "settle_attempt",
    attempt,
    outcome,
    followUps: followUps(attempt, outcome),
    ...(fact.usage ? { usage: fact.usage } : {}),
    ...(fact.lingers ? { lingers: true } : {}),
    denied: denied.filter(({ toolCallId }) => recorder.isBegun(toolCallId)),
  } as const;
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
  "request_withdrawn",
  "commands",
];

const isWork = (fact: AgentFact): fact is WorkFact => !special.includes(fact.type);

/** A body with the envelope it is about to get, to decide what follows it in the same batch. */
function draft(body: EventBody, state: SessionState, sessionId: string): SessionEvent {
  const seq = state.lastSeq + 1;
  return { ...body, seq, from: seq, at: "", sessionId } as SessionEvent;
}
