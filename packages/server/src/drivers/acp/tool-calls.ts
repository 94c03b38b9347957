import { isDeepStrictEqual } from "node:util";
import { type FileDiff, type OpenToolCall, type ToolKind, toolKinds } from "@drover/core";
import type { FactBatch } from "../fact-batch.ts";
import { isRecord, type Json, number, record, records, text } from "../json.ts";
import { metaHint } from "./meta.ts";
import { type ShownInput, shownInput } from "./shown-input.ts";

/**
 * How a tool call was mentioned: only the first kind announces a call, the others may also refer to one that was never
 * announced.
 */
export type Mention = "tool_call" | "tool_call_update" | "request_permission";

/** What is known about a tool call without a result: an update repeats only what changed. */
export interface ToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Some agents announce a call before they say its kind (grok 1.0.41). */
  kind: ToolKind;
  title: string;
  input: unknown;
  /** Exactly as the agent sent it: an approval covers every part of it. */
  content: readonly unknown[];
  locations: readonly string[];
  rawOutput: unknown;
  /** A command's output, for agents that stream it outside the protocol. */
  output: string;
  exitCode: number | undefined;
  /** What a person is deciding about; undefined if there is no open request. */
  asked: ShownInput | undefined;
  /** The input and title as last reported. */
  reported: unknown;
  reportedTitle: string;
}

/** People look for the end of a command's output. It goes into one event, which must stay small. */
const maxOutput = 262_144;

/**
 * The tool calls of a conversation, by the agent's own ids: `tool_start` when one is first mentioned. A reader that
 * starts in the middle of a turn cannot know which calls have started: it assumes that an update refers to a started
 * call, and a permission request may announce a call a second time.
 */
export class ToolCalls {
  /** A turn is running whose beginning was not read. */
  #isUnderWay: boolean;
  readonly #open = new Map<string, ToolCall>();
  #closed = new Set<string>();
  #closedLastTurn = new Set<string>();

  /** `open`: calls that an earlier server recorded and that have not ended. */
  constructor(options: { readonly isUnderWay: boolean; readonly open?: readonly OpenToolCall[] }) {
    this.#isUnderWay = options.isUnderWay;
    for (const { input, ...call } of options.open ?? []) {
      this.#open.set(call.toolCallId, { ...newCall(call), input, reported: input });
    }
  }

  /** Learns what `update` says about its call and reports what is new. Ignores calls without an id and closed calls. */
  mention(update: Json, how: Mention, facts: FactBatch): ToolCall | undefined {
    const toolCallId = text(update["toolCallId"]);
    if (!toolCallId) return undefined;
    const call = this.#open.get(toolCallId) ?? this.#meet(toolCallId, update, { how, facts });
    if (call === undefined) return undefined;
    learn(call, update);
    const isRetitled = call.title !== call.reportedTitle;
    const isNews = !isEmpty(call.input) && !isDeepStrictEqual(call.input, call.reported);
    if (isRetitled || isNews) reportInput(call, facts);
    if (how !== "request_permission") reportChange(call, facts);
    const { status } = update;
    if (how !== "request_permission" && (status === "completed" || status === "failed")) {
      this.#close(call, status, facts);
    }
    return call;
  }

  /** The decision about this call is no longer pending. */
  answered(toolCallId: string | undefined): void {
    const call = toolCallId === undefined ? undefined : this.#open.get(toolCallId);
    if (call) call.asked = undefined;
  }

  /**
   * Updates about this turn's calls that arrive during the next turn are too late; calls of earlier turns are
   * forgotten.
   */
  endTurn(): void {
    this.#isUnderWay = false;
    this.#closedLastTurn = new Set([...this.#closed, ...this.#open.keys()]);
    this.#closed = new Set();
    this.#open.clear();
  }

  #meet(
    toolCallId: string,
    update: Json,
    { how, facts }: { how: Mention; facts: FactBatch },
  ): ToolCall | undefined {
    const isClosed = this.#closed.has(toolCallId) || this.#closedLastTurn.has(toolCallId);
    if (how === "tool_call_update" && isClosed) return undefined;
    // Some agents restart their call numbering in every turn.
    this.#closedLastTurn.delete(toolCallId);
    this.#closed.delete(toolCallId);
    const kind = kindOf(update["kind"]);
    const toolName = text(update["name"]) || metaHint(update, ["toolName"]) || kind;
    const title = text(update["title"]) || toolName;
    const call = newCall({ toolCallId, toolName, kind, title });
    this.#open.set(toolCallId, call);
    const hasBegunBefore = this.#isUnderWay && how === "tool_call_update";
    if (!hasBegunBefore) {
      const parent = parentOf(update);
      facts.push({ type: "tool_start", toolCallId, toolName, kind, title, ...(parent ? { parent } : {}) });
    }
    return call;
  }

  #close(call: ToolCall, status: "completed" | "failed", facts: FactBatch): void {
    const { toolCallId } = call;
    if (call.reported === undefined && call.input !== undefined) reportInput(call, facts);
    facts.push({
      type: "tool_result",
      toolCallId,
      status: status === "completed" ? "complete" : "error",
      result: resultOf(call),
    });
    this.#open.delete(toolCallId);
    this.#closed.add(toolCallId);
  }
}

const newCall = (known: Pick<ToolCall, "toolCallId" | "toolName" | "kind" | "title">): ToolCall => ({
  ...known,
  input: undefined,
  content: [],
  locations: [],
  rawOutput: undefined,
  output: "",
  exitCode: undefined,
  asked: undefined,
  reported: undefined,
  reportedTitle: known.title,
});

/** A person must not approve something the agent has withdrawn. */
function reportChange(call: ToolCall, facts: FactBatch): void {
  if (call.asked === undefined) return;
  const shown = shownInput(call);
  if (isDeepStrictEqual(shown, call.asked)) return;
  call.asked = shown;
  const { toolCallId, title } = call;
  facts.push({ type: "approval_changed", toolCallId, title, ...shown });
}

export const parentOf = (update: Json): string | undefined =>
  update["_meta"] ? metaHint(update, ["parentToolUseId", "parentToolCallId"]) : undefined;

/** A tool's output: its texts joined, and files before and after. */
function contentOf(content: readonly Json[]): { text?: string; diffs?: FileDiff[] } {
  const texts = content.flatMap((part) => text(record(part["content"])["text"]) ?? []);
  const diffs = content.filter((part) => part["type"] === "diff").map(diffOf);
  return {
    ...(texts.length > 0 ? { text: texts.join("\n") } : {}),
    ...(diffs.length > 0 ? { diffs } : {}),
  };
}

const diffOf = (part: Json): FileDiff => ({
  path: text(part["path"]) ?? "",
  oldText: text(part["oldText"]) ?? null,
  newText: text(part["newText"]) ?? "",
});

function learn(call: ToolCall, update: Json): void {
  const { kind, rawInput, rawOutput, content, locations } = update;
  if (kind !== undefined && kind !== null) call.kind = kindOf(kind);
  call.title = text(update["title"]) || call.title;
  if (rawInput !== undefined && rawInput !== null) call.input = rawInput;
  if (Array.isArray(content)) call.content = content;
  if (Array.isArray(locations)) call.locations = records(locations).flatMap(({ path }) => text(path) ?? []);
  if (rawOutput !== undefined && rawOutput !== null) call.rawOutput = rawOutput;
  if (isRecord(update["_meta"])) learnTerminal(call, update["_meta"]);
}

/** A client without terminals gets a command's output in `_meta` (seen with Codex's adapter 2.6). */
function learnTerminal(call: ToolCall, meta: Json): void {
  const printed = text(record(meta["terminal_output_delta"] ?? meta["terminal_output"])["data"]);
  if (printed) call.output = (call.output + printed).slice(-maxOutput);
  call.exitCode = number(record(meta["terminal_exit"])["exit_code"]) ?? call.exitCode;
}

function reportInput(call: ToolCall, facts: FactBatch): void {
  const { toolCallId, input, title } = call;
  const news = title === call.reportedTitle ? {} : { title };
  call.reported = input;
  call.reportedTitle = title;
  facts.push({ type: "tool_ready", toolCallId, input: input ?? {}, ...news });
}

function resultOf(call: ToolCall): unknown {
  const { output, exitCode, rawOutput } = call;
  const shown = contentOf(records(call.content));
  return {
    ...(output && shown.text === undefined ? { text: output } : {}),
    ...shown,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(rawOutput === undefined ? {} : { rawOutput }),
  };
}

/** Agents announce a call with `{}` before they know its input. */
const isEmpty = (input: unknown): boolean =>
  input === undefined || (isRecord(input) && Object.keys(input).length === 0);

const kindOf = (kind: unknown): ToolKind => toolKinds.find((known) => known === kind) ?? "other";
