import type { AgentCommand, OpenToolCall, Task, Usage } from "@drover/core";
import type { FactBatch, Voice } from "../fact-batch.ts";
import { type Json, number, record, records, text } from "../json.ts";
import { changedMode, OwnModes } from "./mode.ts";
import { modelOf } from "./model.ts";
import { parentOf, ToolCalls } from "./tool-calls.ts";

/** A chunk of plain text, which `ChunkTemplate` can learn from. */
export interface PlainChunk {
  readonly text: string;
  readonly voice: Voice;
}

export interface MapperOptions {
  /** The conversation started before this mapper: an update may refer to things it has not seen. */
  readonly isUnderWay: boolean;
  readonly calls?: readonly OpenToolCall[];
  /** The model the agent said it uses. */
  readonly model?: string | undefined;
  readonly modes?: OwnModes;
}

/** `session/update` → facts. Pure: the facts come only from the updates. Never throws, and ignores unknown updates. */
export class UpdateMapper {
  readonly tools: ToolCalls;
  readonly modes: OwnModes;
  #model: string | undefined;
  #usage: Partial<Usage> = {};

  constructor({ isUnderWay, calls = [], model, modes = new OwnModes() }: MapperOptions) {
    this.tools = new ToolCalls({ isUnderWay, open: calls });
    this.#model = model;
    this.modes = modes;
  }

  /** Adds the facts of an update to `facts`; returns its text if the update is only a chunk of text. */
  map(params: unknown, facts: FactBatch): PlainChunk | undefined {
    const update = record(record(params)["update"]);
    const kind = update["sessionUpdate"];
    switch (kind) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const voice: Voice = {
          type: kind === "agent_message_chunk" ? "text" : "thinking",
          parent: parentOf(update),
        };
        return speak(update, voice, facts);
      }
      case "tool_call":
      case "tool_call_update":
        this.tools.mention(update, kind, facts);
        return undefined;
      case "plan":
        facts.push({ type: "tasks", tasks: records(update["entries"]).map(taskOf) });
        return undefined;
      case "usage_update":
        this.#spend(update, facts);
        return undefined;
      case "config_option_update":
        this.useModel(modelOf(update)?.current, facts);
        this.modes.change(changedMode(update), facts);
        return undefined;
      case "current_mode_update":
        this.modes.change(changedMode(update), facts);
        return undefined;
      case "available_commands_update":
        facts.push({ type: "commands", commands: records(update["availableCommands"]).map(commandOf) });
        return undefined;
      case "compaction_update":
        if (update["status"] === "completed") facts.push(compacted);
        return undefined;
      default:
        return undefined;
    }
  }

  /** The model the agent uses, if it has said so. */
  get current(): string | undefined {
    return this.#model;
  }

  useModel(model: string | undefined, facts: FactBatch): void {
    if (model === undefined || model === this.#model) return;
    this.#model = model;
    facts.push({ type: "model", model });
  }

  /** Agents repeat their usage with every message: report it only when it changed. */
  #spend(update: Json, facts: FactBatch): void {
    const cost = record(update["cost"]);
    const news: Partial<Usage> = {};
    const { used, size } = update;
    const amount = cost["currency"] === "USD" ? number(cost["amount"]) : undefined;
    if (number(used) !== undefined && used !== this.#usage.contextTokens) news.contextTokens = Number(used);
    if (number(size) !== undefined && size !== this.#usage.contextMaxTokens) {
      news.contextMaxTokens = Number(size);
    }
    if (amount !== undefined && amount !== this.#usage.costUsd) news.costUsd = amount;
    if (Object.keys(news).length === 0) return;
    this.#usage = { ...this.#usage, ...news };
    facts.push({ type: "usage", usage: news });
  }
}

const compacted = {
  type: "notice",
  code: "COMPACTED",
  message: "The agent shortened its conversation to fit its context",
  facts: {},
} as const;

function speak(update: Json, voice: Voice, facts: FactBatch): PlainChunk | undefined {
  const content = record(update["content"]);
  const words = text(content["text"]);
  if (content["type"] === "text" && words !== undefined) {
    facts.speak(voice, words);
    return { text: words, voice };
  }
  const placeholder = placeholderOf(content);
  if (placeholder !== undefined) facts.speak(voice, placeholder);
  return undefined;
}

/** Transcripts are text; other content is replaced by its name. */
function placeholderOf(content: Json): string | undefined {
  switch (content["type"]) {
    case "image":
    case "audio":
      return `[${content["type"]}]`;
    case "resource_link":
      return `[${text(content["name"]) ?? "resource"}](${text(content["uri"]) ?? ""})`;
    case "resource":
      return `[${text(record(content["resource"])["uri"]) ?? "resource"}]`;
    default:
      return undefined;
  }
}

function commandOf(entry: Json): AgentCommand {
  const description = text(entry["description"]);
  const hint = text(record(entry["input"])["hint"]);
  return {
    name: text(entry["name"]) ?? "",
    ...(description === undefined ? {} : { description }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The entries of a plan have no ids: they are identified by position. */
function taskOf(entry: Json, index: number): Task {
  const status = taskStates.find((known) => known === entry["status"]) ?? "pending";
  const priority = priorities.find((known) => known === entry["priority"]);
  return {
    id: String(index + 1),
    title: text(entry["content"]) ?? "",
    status,
    ...(priority ? { priority } : {}),
  };
}

const taskStates: readonly Task["status"][] = ["pending", "in_progress", "completed", "cancelled"];
const priorities = ["high", "medium", "low"] as const;
