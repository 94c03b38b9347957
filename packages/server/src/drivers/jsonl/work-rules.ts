import {
  type AgentFact,
  type JsonPath,
  type LineRule,
  matchesRule,
  type Preset,
  type ToolEndRule,
  type ToolKind,
  type ToolStartRule,
  toolKindSchema,
  type Usage,
  type UsageRule,
  valueAt,
} from "@drover/core";
import { type Json, number, text } from "../json.ts";
import { Calls } from "./calls.ts";

/** A preset's rules for what an agent does besides speaking: thinking, tool calls, token usage. */
export class WorkRules {
  /** The turn's usage, once a line has reported it. */
  usage: Usage | undefined;
  readonly #preset: Preset;
  readonly #calls = new Calls();
  /** Ids of running calls, the most recent last. */
  readonly #open: string[] = [];
  #unnamed = 0;

  constructor(preset: Preset) {
    this.#preset = preset;
  }

  /** Undefined if no rule matches the line. */
  map(message: Json): AgentFact[] | undefined {
    const { thinking, toolStarted, toolFinished, toolFailed, usage } = this.#preset;
    const find = <R extends LineRule>(rules: readonly R[] | undefined): R | undefined =>
      rules?.find((rule) => matchesRule(message, rule));
    const [thought, started, used] = [find(thinking), find(toolStarted), find(usage)];
    const wrong = find(toolFailed);
    const finished = wrong ?? find(toolFinished);
    if (!(thought || started || finished || used)) return undefined;
    if (used) this.usage = add(this.usage, used, message);
    return [
      ...(thought ? think(thought, message) : []),
      ...(started ? this.#begin(started, message) : []),
      ...(finished ? this.#end(finished, message, wrong ? "error" : "complete") : []),
    ];
  }

  beginTurn(): void {
    this.usage = undefined;
  }

  #begin(rule: ToolStartRule, message: Json): AgentFact[] {
    const toolCallId = idAt(rule.id, message) ?? `call-${++this.#unnamed}`;
    const toolName = textAt(rule.name, message) || "tool";
    if (!this.#open.includes(toolCallId)) this.#open.push(toolCallId);
    return this.#calls.begin({
      toolCallId,
      toolName,
      title: textAt(rule.title, message) || toolName,
      kind: kindAt(rule.kind, message),
      input: (rule.input && valueAt(message, rule.input)) ?? {},
    });
  }

  #end(rule: ToolEndRule, message: Json, status: "complete" | "error"): AgentFact[] {
    const id = rule.id ? idAt(rule.id, message) : this.#open.at(-1);
    const at = id === undefined ? -1 : this.#open.lastIndexOf(id);
    if (id === undefined || at < 0) return [];
    this.#open.splice(at, 1);
    const output = rule.output && valueAt(message, rule.output);
    return this.#calls.end(id, status, output === undefined ? {} : { text: shown(output) });
  }
}

function think(rule: LineRule, message: Json): AgentFact[] {
  const words = text(valueAt(message, rule.at ?? ["text"]));
  return words ? [{ type: "thinking", text: words }] : [];
}

function idAt(path: JsonPath | undefined, message: Json): string | undefined {
  const id = path && valueAt(message, path);
  return typeof id === "number" ? String(id) : text(id) || undefined;
}

const textAt = (source: JsonPath | string | undefined, message: Json): string | undefined =>
  typeof source === "string" ? source : source && text(valueAt(message, source));

function kindAt(source: JsonPath | ToolKind | undefined, message: Json): ToolKind {
  const known = toolKindSchema.safeParse(textAt(source, message));
  return known.success ? known.data : "other";
}

const shown = (output: unknown): string => text(output) ?? JSON.stringify(output, null, 2);

function add(usage: Usage | undefined, rule: UsageRule, message: Json): Usage {
  const count = (path: JsonPath | undefined) => (path && number(valueAt(message, path))) ?? 0;
  const costUsd = (usage?.costUsd ?? 0) + count(rule.costUsd);
  return {
    inputTokens: (usage?.inputTokens ?? 0) + count(rule.inputTokens),
    outputTokens: (usage?.outputTokens ?? 0) + count(rule.outputTokens),
    ...(rule.costUsd || usage?.costUsd !== undefined ? { costUsd } : {}),
  };
}
