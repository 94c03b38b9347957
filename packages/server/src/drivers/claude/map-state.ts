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

/** A turn and the id its prompt was given with. */
export interface Turn {
  readonly id: string;
  readonly uuid: string;
}

/** What was said before and is needed to understand what is said next. One per process, from its first line on. */
export class MapState {
  /** How people know the agent. */
  readonly name: string;
  /** Tool calls without a result. Ids are unique, whoever makes the call. */
  readonly calls = new Map<string, OpenCall>();
  /** By parent and index: sub-agents and parallel calls stream at the same time. */
  readonly blocks = new Map<string, InputBlock>();
  /** By parent, the message whose words came as deltas: the whole message that follows repeats them. */
  readonly streamed = new Map<string, string>();
  readonly tasks = new TaskList();
  /** Kinds of messages this driver has never heard of, and how many of each came. */
  readonly unknown = new Tally();
  model: string | undefined;
  /** Its conversation's id. A person may tell the agent to begin another one. */
  agentSessionId: string | undefined;
  /** Whose result is awaited. */
  turn: Turn | undefined;
  /** The ids of its prompt and of what it was told since, as far as no result has answered them. */
  readonly unanswered = new Set<string>();
  trouble: Trouble = {};
  /** Also of a start that failed. */
  lastResult: Json | undefined;
  /** Spent outside of turns, by background work; told with the next turn. */
  unspoken: Usage | undefined;
  contextTokens: number | undefined;
  isRunning = false;
  /** Background tasks that live. */
  background = 0;

  constructor(options: { readonly name: string }) {
    this.name = options.name;
  }

  /** What a new turn must not inherit from the last. */
  beginTurn(turn: Turn): void {
    this.turn = turn;
    this.unanswered.clear();
    this.unanswered.add(turn.uuid);
    this.trouble = {};
  }
}

/** Says something in somebody's voice; `parent` is the call that started a sub-agent, or "". */
export function speak(
  facts: AgentFact[],
  type: "text" | "thinking",
  said: { text: string; parent: string },
): void {
  if (said.text === "") return;
  facts.push({ type, text: said.text, ...(said.parent === "" ? {} : { parent: said.parent }) });
}
