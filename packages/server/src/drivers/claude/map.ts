import type { AgentFact } from "@drover/core";
import { type Json, record, records, text } from "../json.ts";
import { type MapState, speak } from "./map-state.ts";
import { forgotten, mapSystem, rateLimit } from "./map-system.ts";
import { isDenied, isKnown, kindOf, resultOf, titleOf } from "./tools.ts";
import { addUsage, contextWindow, endsTurn, spent, tokensOf, turnEnd } from "./turn-end.ts";

/**
 * One message of the agent → facts. Pure except for `state`; `now` only affects when a limit ends. Never throws; counts
 * and ignores unknown messages.
 */
export function mapSdkMessage(message: Json, state: MapState, now: number): AgentFact[] {
  const facts: AgentFact[] = [];
  switch (message["type"]) {
    case "stream_event":
      streamed(message, state, facts);
      break;
    case "assistant":
      assistant(message, state, facts);
      break;
    case "user":
      for (const block of records(record(message["message"])["content"])) {
        if (block["type"] === "tool_result") toolResult(block, { message, state }, facts);
      }
      break;
    case "tool_use_summary":
      for (const id of Array.isArray(message["preceding_tool_use_ids"])
        ? message["preceding_tool_use_ids"]
        : []) {
        toolResult({ tool_use_id: id, content: message["summary"] }, { message, state }, facts);
      }
      break;
    case "result":
      state.lastResult = message;
      result(message, { state, now }, facts);
      break;
    case "rate_limit_event":
      rateLimit(message, state, facts);
      break;
    case "conversation_reset":
      facts.push(forgotten(state, message));
      break;
    case "system":
      mapSystem(message, state, facts);
      break;
    default: {
      const type = text(message["type"]) ?? "";
      if (!silent.has(type)) state.unknown.count(type);
    }
  }
  return facts;
}

/** Known, and of no interest to people (2.1.325). */
const silent = new Set([
  "auth_status",
  "command_lifecycle",
  "keep_alive",
  "prompt_suggestion",
  "tool_progress",
  "streamlined_text",
  "streamlined_tool_use_summary",
  "transcript_mirror",
]);

/** The call that started the sub-agent, or "" for the main conversation. */
export const parentOf = (message: Json): string => text(message["parent_tool_use_id"]) ?? "";

function streamed(message: Json, state: MapState, facts: AgentFact[]): void {
  const event = record(message["event"]);
  const parent = parentOf(message);
  const key = `${parent}:${event["index"]}`;
  switch (event["type"]) {
    case "message_start":
      state.streamed.set(parent, text(record(event["message"])["id"]) ?? "");
      if (parent === "") countContext(record(event["message"])["usage"], state);
      break;
    case "content_block_start": {
      const block = record(event["content_block"]);
      const toolCallId = startCall(block, { parent, state }, facts);
      if (toolCallId) state.blocks.set(key, { toolCallId, json: "" });
      break;
    }
    case "content_block_delta": {
      const delta = record(event["delta"]);
      const input = state.blocks.get(key);
      if (delta["type"] === "text_delta") speak(facts, "text", { text: text(delta["text"]) ?? "", parent });
      if (delta["type"] === "thinking_delta") {
        speak(facts, "thinking", { text: text(delta["thinking"]) ?? "", parent });
      }
      if (delta["type"] === "input_json_delta" && input) {
        const inputText = text(delta["partial_json"]) ?? "";
        input.json += inputText;
        if (inputText) facts.push({ type: "tool_input", toolCallId: input.toolCallId, inputText });
      }
      break;
    }
    case "content_block_stop": {
      const input = state.blocks.get(key);
      state.blocks.delete(key);
      if (input) readyCall(input.toolCallId, { input: parseInput(input.json), state }, facts);
      break;
    }
    case "message_delta":
      if (parent === "") countContext(event["usage"], state);
  }
}

/** The context is as long as the last request and its reply. */
function countContext(usage: unknown, state: MapState): void {
  const { inputTokens, outputTokens } = tokensOf(record(usage));
  if (inputTokens > 0) state.contextTokens = inputTokens + outputTokens;
}

function parseInput(json: string): unknown {
  try {
    return json === "" ? {} : JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * A complete message. For a sub-agent it is all there is; otherwise the deltas said it already, and it completes
 * inputs.
 */
function assistant(message: Json, state: MapState, facts: AgentFact[]): void {
  const parent = parentOf(message);
  const { id, content } = record(message["message"]);
  const error = text(message["error"]);
  if (error !== undefined) {
    // Not an answer but the reason there is none; the result reports it as a failure.
    state.trouble = { ...state.trouble, kind: error };
    return;
  }
  const isRepeated = state.streamed.get(parent) === id;
  for (const block of records(content)) {
    const { type } = block;
    if (type === "text" && !isRepeated) speak(facts, "text", { text: text(block["text"]) ?? "", parent });
    if (type === "thinking" && !isRepeated) {
      speak(facts, "thinking", { text: text(block["thinking"]) ?? "", parent });
    }
    const toolCallId = startCall(block, { parent, state }, facts);
    if (toolCallId) readyCall(toolCallId, { input: block["input"], state }, facts);
    if (text(type)?.endsWith("_tool_result")) toolResult(block, { message, state }, facts);
  }
}

const toolBlocks = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

/** Announces the call of a block once. Returns its id if the block is a call. */
export function startCall(
  block: Json,
  { parent, state }: { parent: string; state: MapState },
  facts: AgentFact[],
): string | undefined {
  const toolCallId = text(block["id"]);
  if (!toolBlocks.has(text(block["type"]) ?? "") || !toolCallId) return undefined;
  if (!state.calls.has(toolCallId)) {
    const toolName = text(block["name"]) ?? "tool";
    state.calls.set(toolCallId, { toolName, input: undefined, isReady: false });
    const call = { toolCallId, toolName, kind: kindOf(toolName), title: toolName };
    facts.push({ type: "tool_start", ...call, ...(parent === "" ? {} : { parent }) });
  }
  return toolCallId;
}

/** The call's input is complete. Both the deltas and the message say so; the first one counts. */
export function readyCall(
  toolCallId: string,
  { input, state }: { input: unknown; state: MapState },
  facts: AgentFact[],
): void {
  const call = state.calls.get(toolCallId);
  if (!call || call.isReady) return;
  call.isReady = true;
  call.input = input;
  const title = titleOf(call.toolName, input);
  const news = isKnown(input) && title !== call.toolName ? { title } : {};
  facts.push({ type: "tool_ready", toolCallId, input, ...news });
  const tasks = state.tasks.written(call);
  if (tasks) facts.push({ type: "tasks", tasks });
}

function toolResult(
  block: Json,
  { message, state }: { message: Json; state: MapState },
  facts: AgentFact[],
): void {
  const toolCallId = text(block["tool_use_id"]);
  const call = toolCallId && state.calls.get(toolCallId);
  if (!call) return;
  state.calls.delete(toolCallId);
  const isError = block["is_error"] === true;
  // The tool's structured result is beside the message, which then contains no other result.
  const structured = message["tool_use_result"];
  const failure = isDenied(message, toolCallId) ? "denied" : "error";
  facts.push({
    type: "tool_result",
    toolCallId,
    status: isError ? failure : "complete",
    result: resultOf(block, structured),
  });
  const tasks = isError ? undefined : state.tasks.answered(call, structured);
  if (tasks) facts.push({ type: "tasks", ...tasks });
}

function result(message: Json, { state, now }: { state: MapState; now: number }, facts: AgentFact[]): void {
  const usage = addUsage(state.unspoken ?? { inputTokens: 0, outputTokens: 0 }, spent(message));
  const { turn, unanswered } = state;
  const prompts = unanswered.size;
  if (!turn || !endsTurn(message, unanswered)) {
    state.unspoken = usage;
    // What it says next answers a message added during the turn.
    if (unanswered.size < prompts) speak(facts, "text", { text: "\n\n", parent: "" });
    return;
  }
  const { name, trouble } = state;
  const { contextTokens } = state;
  const contextMaxTokens = contextWindow(message, state.model);
  if (contextTokens !== undefined) {
    const window = contextMaxTokens === undefined ? {} : { contextMaxTokens };
    facts.push({ type: "usage", usage: { contextTokens, ...window } });
  }
  const lingers = state.background > 0 ? ({ lingers: true } as const) : {};
  facts.push({ ...turnEnd(turn.id, message, { name, trouble, now }), usage, ...lingers });
  state.turn = undefined;
  state.unspoken = undefined;
  state.calls.clear();
  state.blocks.clear();
  state.streamed.clear();
}
