import type { AgentFact, Usage } from "@drover/core";
import type { Json } from "../json.ts";
import { Tally } from "../line-mapper.ts";
import type { Trouble } from "./faults.ts";
import { TaskList } from "./tasks.ts";

export interface OpenCall {
  readonly toolName: string;
  input: unknown;
  isReady: boolean;
}

/** A tool call whose input is being streamed. */
export interface InputBlock {
  readonly toolCallId: string;
  json: string;
}

/** A turn and the id of its prompt. */
export interface Turn {
  readonly id: string;
  readonly uuid: string;
}

/** Earlier messages needed to understand later ones. One per process, from its first line on. */
export class MapState {
  /** The agent's display name. */
  readonly name: string;
  /** Tool calls without a result. Ids are unique across sub-agents. */
  readonly calls = new Map<string, OpenCall>();
  /** By parent and index: sub-agents and parallel calls stream at the same time. */
  readonly blocks = new Map<string, InputBlock>();
  /** By parent, the message whose text came as deltas: the complete message that follows repeats it. */
  readonly streamed = new Map<string, string>();
  readonly tasks = new TaskList();
  /** Unknown kinds of messages, with their counts. */
  readonly unknown = new Tally();
  model: string | undefined;
  /** The conversation's id. A person may tell the agent to start another one. */
  agentSessionId: string | undefined;
  /** The turn whose result is awaited. */
  turn: Turn | undefined;
  /** The ids of the prompt and of messages added since, as far as no result has answered them. */
  readonly unanswered = new Set<string>();
  trouble: Trouble = {};
  /** Also set for a start that failed. */
  lastResult: Json | undefined;
  /** Spent outside of turns by background work; reported with the next turn. */
  unspoken: Usage | undefined;
  contextTokens: number | undefined;
  isRunning = false;
  /** Running background tasks. */
  background = 0;

  constructor(options: { readonly name: string }) {
    this.name = options.name;
  }

  /** Clears what a new turn must not inherit from the last one. */
  beginTurn(turn: Turn): void {
    this.turn = turn;
    this.unanswered.clear();
    this.unanswered.add(turn.uuid);
    this.trouble = {};
  }
}

/** Adds speech; `parent` is the call that started the sub-agent, or "". */
export function speak(
  facts: AgentFact[],
  type: "text" | "thinking",
  said: { text: string; parent: string },
): void {
  if (said.text === "") return;
  facts.push({ type, text: said.text, ...(said.parent === "" ? {} : { parent: said.parent }) });
}
