import type { AgentMode } from "./agent.ts";
import type { Fault } from "./error.ts";
import type { DoneReason, Usage } from "./event.ts";
import type { Offers, Question } from "./interaction.ts";
import type { Task } from "./item.ts";
import type { ToolKind } from "./tool-kind.ts";

/**
 * What a driver tells about its agent, in the agent's own ids and in the order it was said. Drivers know nothing
 * of numbers, items or interactions: `record` turns facts into events.
 */
export type AgentFact =
  | ApprovalChange
  | { type: "text" | "thinking"; text: string; parent?: string }
  | {
      type: "tool_start";
      toolCallId: string;
      toolName: string;
      kind: ToolKind;
      title: string;
      parent?: string;
    }
  | { type: "tool_input"; toolCallId: string; inputText: string }
  /** `title` when the agent has found better words for the call since it began. */
  | { type: "tool_ready"; toolCallId: string; input: unknown; title?: string }
  | { type: "tool_result"; toolCallId: string; status: "complete" | "error" | "denied"; result: unknown }
  /** The whole list; `change` where the agent spoke of one task of it. */
  | { type: "tasks"; tasks: Task[]; change?: { action: "create" | "update"; task: Task } }
  | { type: "usage"; usage: Partial<Usage> }
  | { type: "model"; model: string }
  | { type: "agent_mode"; mode: AgentMode }
  | { type: "notice"; code: string; message: string; facts: Record<string, unknown> }
  | AgentRequest
  | {
      type: "turn_end";
      turnId: string;
      reason: DoneReason;
      fault?: Fault;
      usage?: Usage;
      /** The agent works on in the background: what it still waits for was not asked for the turn's sake. */
      lingers?: true;
    };

/** The agent waits for a person. `requestKey` is how the driver knows the request again when it is answered. */
/** The agent says something else of a call that it has asked about. */
export interface ApprovalChange {
  type: "approval_changed";
  toolCallId: string;
  input: unknown;
  diffs?: unknown[];
}

export type AgentRequest =
  | {
      type: "approval_request";
      requestKey: string;
      toolCallId: string;
      toolName: string;
      toolKind: ToolKind;
      title: string;
      input: unknown;
      /** What the agent shows of the change, where the input does not tell it; as the agent sent them. */
      diffs?: unknown[];
      /** The files the agent says it works on. */
      locations?: string[];
      offers?: Offers;
      /** There is more than one way to say yes: a person chooses. */
      choice?: Question;
    }
  | {
      type: "question_request";
      requestKey: string;
      toolCallId?: string;
      title: string;
      questions: Question[];
    };

/** What a person, a rule or the clock made of an agent's request. */
export type AgentAnswer =
  | { type: "approved"; input?: unknown }
  /** `unattended`: no person said so, and nothing that lasts may come of it. */
  | { type: "denied"; message: string; unattended?: true }
  | { type: "answered"; answers: Record<string, string | string[]> }
  | { type: "cancelled" };
