import type { AgentMode } from "./agent.ts";
import type { AgentCommand } from "./agent-commands.ts";
import type { Fault } from "./error.ts";
import type { DoneReason, Usage } from "./event.ts";
import type { Offers, Question } from "./interaction.ts";
import type { Task } from "./item.ts";
import type { ToolKind } from "./tool-kind.ts";

/**
 * What a driver reports about its agent, with the agent's own ids and in order. Drivers know nothing about numbers,
 * items or interactions: `record` turns facts into events.
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
  /** `title` if the agent has found a better one since the call started. */
  | { type: "tool_ready"; toolCallId: string; input: unknown; title?: string }
  | { type: "tool_result"; toolCallId: string; status: "complete" | "error" | "denied"; result: unknown }
  /** The complete list; `change` if the agent mentioned one task of it. */
  | { type: "tasks"; tasks: Task[]; change?: { action: "create" | "update"; task: Task } }
  | { type: "usage"; usage: Partial<Usage> }
  | { type: "model"; model: string }
  | { type: "agent_mode"; mode: AgentMode }
  /** All commands of the agent's own. */
  | { type: "commands"; commands: AgentCommand[] }
  | { type: "notice"; code: string; message: string; facts: Record<string, unknown> }
  | AgentRequest
  /** The agent no longer waits for the answer to a request. */
  | { type: "request_withdrawn"; requestKey: string }
  | {
      type: "turn_end";
      turnId: string;
      reason: DoneReason;
      fault?: Fault;
      usage?: Usage;
      /** The agent continues in the background: what it still waits for was not asked for the turn. */
      lingers?: true;
    };

/** The agent changes a call that it has asked about. */
export interface ApprovalChange {
  type: "approval_changed";
  toolCallId: string;
  title?: string;
  input: unknown;
  diffs?: unknown[];
}

/** The agent waits for a person. `requestKey` identifies the request to the driver when it is answered. */
export type AgentRequest =
  | {
      type: "approval_request";
      requestKey: string;
      toolCallId: string;
      toolName: string;
      toolKind: ToolKind;
      title: string;
      input: unknown;
      /** The change as the agent shows it, if the input does not contain it; as the agent sent it. */
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

/** The result of an agent's request: from a person, a rule or the clock. */
export type AgentAnswer =
  | { type: "approved"; input?: unknown }
  /** `unattended`: not decided by a person, so nothing lasting may follow from it. */
  | { type: "denied"; message: string; unattended?: true }
  | { type: "answered"; answers: Record<string, string | string[]> }
  | { type: "cancelled" };
