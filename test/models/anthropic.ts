// The parts of the Anthropic Messages API that Claude Code uses.
import { randomUUID } from "node:crypto";
import type { Dialect, Json, Turn } from "./model.ts";
import type { Entry, Step } from "./script.ts";
import { chunks, type StreamEvent } from "./stream.ts";
import { callsOf } from "./tools.ts";

interface Block {
  type: string;
  text?: string;
  [key: string]: unknown;
}

interface Message {
  role: string;
  content: string | Block[];
}

const blocksOf = ({ content }: Message): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** A user's message may have both tool results and new text: each becomes a separate entry. */
function entriesOf(message: Message): Entry[] {
  return blocksOf(message).map((block) => ({
    role: block.type === "tool_result" ? "tool" : message.role === "assistant" ? "assistant" : "user",
    text: block.text ?? JSON.stringify(block),
  }));
}

function contentOf(step: Step, { tools }: Turn): Block[] {
  return [
    ...(step.think ? [{ type: "thinking", thinking: step.think, signature: "c2NyaXB0ZWQ=" }] : []),
    ...(step.say ? [{ type: "text", text: step.say }] : []),
    ...callsOf(step, tools).map((call) => ({
      type: "tool_use",
      id: `toolu_${randomUUID().replaceAll("-", "")}`,
      ...call,
    })),
  ];
}

/** The whole message of a step. */
function messageOf(step: Step, turn: Turn) {
  const content = contentOf(step, turn);
  const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  const id = `msg_${randomUUID().replaceAll("-", "")}`;
  const { model } = turn;
  return {
    ...{ id, type: "message", role: "assistant", model },
    ...{ content, stop_reason, stop_sequence: null, usage },
  };
}

/** An event has its type twice: as its name and in its data. */
const event = (type: string, fields: Json): StreamEvent => ({ name: type, data: { type, ...fields } });

/** How each kind of block begins, and the kind of delta that fills it. */
function streamed(block: Block): { start: Block; whole: string; delta: (part: string) => Json } {
  switch (block.type) {
    case "thinking":
      return {
        start: { ...block, thinking: "" },
        whole: String(block["thinking"]),
        delta: (thinking) => ({ type: "thinking_delta", thinking }),
      };
    case "tool_use":
      return {
        start: { ...block, input: {} },
        whole: JSON.stringify(block["input"]),
        delta: (partial_json) => ({ type: "input_json_delta", partial_json }),
      };
    default:
      return {
        start: { ...block, text: "" },
        whole: block.text ?? "",
        delta: (text) => ({ type: "text_delta", text }),
      };
  }
}

const usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

export const anthropic: Dialect = {
  read(path, body): Turn | undefined {
    if (path !== "/v1/messages") return undefined;
    const tools = (body["tools"] ?? []) as { name: string }[];
    // Claude Code also requests titles and the like, with the prompt but without tools; those are not part of the turn.
    const messages = tools.length > 0 ? ((body["messages"] ?? []) as Message[]) : [];
    return {
      conversation: messages.flatMap(entriesOf),
      tools: new Map(tools.map((tool) => [tool.name, {}])),
      model: String(body["model"]),
      stream: body["stream"] === true,
    };
  },

  reply: (turn, step) => messageOf(step, turn),

  *stream(turn, step) {
    const { content, stop_reason, ...message } = messageOf(step, turn);
    yield event("message_start", { message: { ...message, content: [], stop_reason: null } });
    for (const [index, block] of content.entries()) {
      const { start, whole, delta } = streamed(block);
      yield event("content_block_start", { index, content_block: start });
      for (const part of chunks(whole)) yield event("content_block_delta", { index, delta: delta(part) });
      yield event("content_block_stop", { index });
    }
    yield event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
    yield event("message_stop", {});
  },

  error: ({ status, message, type = errorTypes[status] ?? "api_error", fields }) => ({
    type: "error",
    error: { type, message, ...fields },
  }),

  other(path) {
    if (path === "/v1/messages/count_tokens") return { input_tokens: 100 };
    return path === "/v1/models" ? { data: [], has_more: false } : undefined;
  },
};
