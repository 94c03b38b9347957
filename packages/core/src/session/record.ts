import type { EventBody, SessionStateName } from "../event.ts";
import type { AgentFact } from "../facts.ts";
import type { ToolOutcome } from "../item.ts";
import { agentCallId } from "./open-calls.ts";
import { RunningCalls } from "./running-calls.ts";
import { emptyTimeline, type OpenItem, type Timeline } from "./timeline.ts";

/** What turning facts into events needs besides the log: fresh ids and what the store knows. */
export interface RecordContext {
  readonly turnId?: string;
  /** The session's state, which a status event repeats if it only reports usage or a model. */
  readonly state: SessionStateName;
  readonly newItemId: () => string;
  /** Whether the session's log already holds a closed tool call with this id. */
  readonly isToolCallUsed: (toolCallId: string) => boolean;
  /** Whether the call was denied, by a person, a rule or the clock. */
  readonly isDenied?: (toolCallId: string) => boolean;
  /** A person has ended the turn: what fails now was interrupted. */
  readonly isInterrupted?: boolean;
}

/** Facts an agent reports about its own work; requests and turn ends are decided elsewhere. */
export type WorkFact = Exclude<
  AgentFact,
  {
    type:
      | "approval_request"
      | "approval_changed"
      | "question_request"
      | "request_withdrawn"
      | "turn_end"
      | "commands";
  }
>;

/** People decide an interaction by its own id or its tool call's, so no tool call may have the id of an interaction. */
const isReserved = (toolCallId: string): boolean => /^int_[0-9a-z]{26}$/.test(toolCallId);

/**
 * No item grows past this: memory holds open items completely, and an agent may speak for hours without a pause. A
 * longer text continues in a new item.
 */
export const maxItemText = 262_144;

/**
 * Facts → events. It tracks which item each parent is speaking and which of Drover's tool call ids stands for the
 * agent's, because an agent may reuse an id. One recorder per commit, the next one copied from it: if storing fails,
 * the same facts are recorded again from the same starting point.
 */
export class Recorder {
  /** What each parent is saying; the agent itself is the parent `""`. */
  private speaking = new Map<string, { itemId: string; type: "text" | "thinking"; size: number }>();
  /** Drover's id of each open tool call, by the agent's id. */
  private aliases = new Map<string, string>();
  private running = new RunningCalls();
  /** The task list of this turn has started. */
  private hasReportedTasks = false;
  /** Tool calls that this recorder has closed: the store does not know them yet. */
  private readonly closed = new Set<string>();

  /** Continues from the end of the log: open items continue, open tool calls keep their ids. */
  constructor(timeline: Timeline) {
    for (const { item } of Object.values(timeline.open) as OpenItem[]) {
      if (item.kind === "text" || item.kind === "thinking") {
        this.speaking.set(item.parentToolCallId ?? "", {
          itemId: item.id,
          type: item.kind,
          size: item.text?.length ?? 0,
        });
      }
      if (item.kind === "tasks") this.hasReportedTasks = true;
      if (item.tool) {
        const { toolCallId } = item.tool;
        this.aliases.set(agentCallId(toolCallId), toolCallId);
        this.running.restore(item.tool);
      }
    }
  }

  /** For what comes after everything recorded here is stored. */
  copy(): Recorder {
    const next = new Recorder(emptyTimeline);
    next.speaking = new Map([...this.speaking].map(([parent, speech]) => [parent, { ...speech }]));
    next.aliases = new Map(this.aliases);
    next.running = this.running.copy();
    next.hasReportedTasks = this.hasReportedTasks;
    return next;
  }

  record(facts: readonly WorkFact[], context: RecordContext): EventBody[] {
    const events: EventBody[] = [];
    const stamp = context.turnId ? { turnId: context.turnId } : {};
    for (const fact of facts) {
      const body = this.one(fact, context);
      if (!body) continue;
      const last = events.at(-1);
      // Deltas of one item that arrive together are stored as one.
      if (last && isSpeech(last) && isSpeech(body) && last.itemId === body.itemId) last.text += body.text;
      else events.push({ ...stamp, ...body });
    }
    return events;
  }

  /** Drover's id for an agent's tool call; the same until the call has its result. */
  toolCallId(agentId: string, context: Pick<RecordContext, "isToolCallUsed">): string {
    const known = this.aliases.get(agentId);
    if (known) return known;
    let id = agentId;
    const isTaken = () => isReserved(id) || this.closed.has(id) || context.isToolCallUsed(id);
    for (let n = 2; isTaken(); n++) id = `${agentId}~${n}`;
    this.aliases.set(agentId, id);
    return id;
  }

  /** Whether the call, by Drover's id, has started and has no result yet. */
  isBegun(toolCallId: string): boolean {
    return this.running.has(toolCallId);
  }

  /** Whether the call has started here and has no result yet. */
  isOpen(agentId: string): boolean {
    return this.aliases.has(agentId);
  }

  /** The agent has changed a request about this call, by Drover's id. Throws `oversized` if it does so without end. */
  requestChanged(toolCallId: string): void {
    this.running.requestChanged(toolCallId);
  }

  /** A person is asked: text after their answer is another item than text before it. */
  pauseSpeech(): void {
    this.endSpeech();
  }

  /** The turn is over: later text does not belong to its items. */
  endTurn(): void {
    this.speaking.clear();
    this.aliases.clear();
    this.running.clear();
    this.hasReportedTasks = false;
  }

  private one(fact: WorkFact, context: RecordContext): EventBody | undefined {
    switch (fact.type) {
      case "text":
      case "thinking":
        return this.speak(fact, context);
      case "tool_start": {
        const toolCallId = this.toolCallId(fact.toolCallId, context);
        // After a restart, a request may announce a call again that has already started.
        if (this.running.has(toolCallId)) return undefined;
        const parent = fact.parent ? { parentToolCallId: this.aliases.get(fact.parent) ?? fact.parent } : {};
        this.endSpeech(parent.parentToolCallId);
        this.running.begin(toolCallId, fact.toolName);
        const { toolName, kind, title } = fact;
        return { type: "tool_call_start", toolCallId, toolName, kind, title, ...parent };
      }
      case "tool_input": {
        const toolCallId = this.toolCallId(fact.toolCallId, context);
        this.running.addText(toolCallId, fact.inputText.length);
        return { type: "tool_call_delta", toolCallId, inputText: fact.inputText };
      }
      case "tool_ready": {
        const toolCallId = this.toolCallId(fact.toolCallId, context);
        this.running.setInput(toolCallId, fact.input);
        const { input, title } = fact;
        return { type: "tool_call_end", toolCallId, input, ...(title ? { title } : {}) };
      }
      case "tool_result": {
        const toolCallId = this.toolCallId(fact.toolCallId, context);
        const toolName = this.running.toolName(toolCallId) ?? "tool";
        this.aliases.delete(fact.toolCallId);
        this.running.end(toolCallId);
        this.closed.add(toolCallId);
        const status = outcomeOf(fact.status, toolCallId, context);
        return { type: "tool_result", toolCallId, toolName, status, result: fact.result };
      }
      case "tasks": {
        this.endSpeech();
        const { tasks, change } = fact;
        // Readers know only what this turn has reported of a list.
        const isKnown = this.hasReportedTasks || tasks.length === 1;
        this.hasReportedTasks = true;
        return {
          type: "task_update",
          ...(change && isKnown ? change : { action: "snapshot", tasks }),
        };
      }
      case "usage":
        return { type: "session_status", state: context.state, ...fact.usage };
      case "model":
        return { type: "session_status", state: context.state, model: fact.model };
      case "agent_mode":
        return { type: "session_status", state: context.state, agentMode: fact.mode };
      case "notice":
        this.endSpeech();
        return { type: "notice", code: fact.code, message: fact.message, facts: fact.facts };
    }
  }

  private speak(
    fact: Extract<WorkFact, { type: "text" | "thinking" }>,
    context: RecordContext,
  ): EventBody | undefined {
    if (fact.text === "") return undefined;
    const parent = fact.parent ? (this.aliases.get(fact.parent) ?? fact.parent) : "";
    let speech = this.speaking.get(parent);
    if (!speech || speech.type !== fact.type || speech.size >= maxItemText) {
      speech = { itemId: context.newItemId(), type: fact.type, size: 0 };
      this.speaking.set(parent, speech);
    }
    speech.size += fact.text.length;
    return {
      type: fact.type === "text" ? "text_delta" : "thinking_delta",
      itemId: speech.itemId,
      text: fact.text,
      ...(parent ? { parentToolCallId: parent } : {}),
    };
  }

  private endSpeech(parent = ""): void {
    this.speaking.delete(parent);
  }
}

/** Agents report an interrupted call as failed, and some as denied. */
function outcomeOf(reported: ToolOutcome, toolCallId: string, context: RecordContext): ToolOutcome {
  if (reported === "complete") return reported;
  if (context.isDenied?.(toolCallId)) return "denied";
  return context.isInterrupted ? "interrupted" : reported;
}

type Speech = Extract<EventBody, { type: "text_delta" | "thinking_delta" }>;

function isSpeech(event: EventBody): event is Speech {
  return event.type === "text_delta" || event.type === "thinking_delta";
}
