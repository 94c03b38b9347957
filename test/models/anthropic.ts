// The Anthropic Messages API, as far as Claude Code uses it.
import { randomUUID } from "node:crypto";
import { chunks, type Dialect, eventStream, type Json, sendJson, type Turn } from "./model.ts";
import type { Entry, Step } from "./script.ts";

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

/** A user's message may hold tool results and new words at once: each is an entry of its own. */
function entriesOf(message: Message): Entry[] {
  return blocksOf(message).map((block) => ({
    role: block.type === "tool_result" ? "tool" : message.role === "assistant" ? "assistant" : "user",
    text: block.text ?? JSON.stringify(block),
  }));
}

const shellTool = "Bash";

function contentOf(step: Step): Block[] {
  const call = step.run
    ? { name: shellTool, input: { command: step.run, description: "A scripted command" } }
    : step.call;
  return [
    ...(step.think ? [{ type: "thinking", thinking: step.think, signature: "c2NyaXB0ZWQ=" }] : []),
    ...(step.say ? [{ type: "text", text: step.say }] : []),
    ...[...(call ? [call] : []), ...(step.calls ?? [])].map((one) => ({
      type: "tool_use",
      id: `toolu_${randomUUID().replaceAll("-", "")}`,
      ...one,
    })),
  ];
}

/** How each kind of block begins, and the one delta kind that fills it. */
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
    const tools = (body["tools"] ?? []) as { name: string; input_schema?: Json }[];
    // Claude Code also asks for titles and the like, with the prompt inside and no tools: those are not the turn.
    const messages = tools.length > 0 ? ((body["messages"] ?? []) as Message[]) : [];
    return {
      conversation: messages.flatMap(entriesOf),
      tools: new Map(tools.map((tool) => [tool.name, tool.input_schema ?? {}])),
      model: String(body["model"]),
      stream: body["stream"] === true,
    };
  },

  reply(turn, step, response) {
    const content = contentOf(step);
    const stop_reason = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
    const id = `msg_${randomUUID().replaceAll("-", "")}`;
    const message = { id, type: "message", role: "assistant", model: turn.model, stop_sequence: null };
    if (!turn.stream) return sendJson(response, 200, { ...message, content, stop_reason, usage });
    const send = eventStream(response);
    send("message_start", { message: { ...message, content: [], stop_reason: null, usage } });
    for (const [index, block] of content.entries()) {
      const { start, whole, delta } = streamed(block);
      send("content_block_start", { index, content_block: start });
      for (const part of chunks(whole)) send("content_block_delta", { index, delta: delta(part) });
      send("content_block_stop", { index });
    }
    send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
    send("message_stop", {});
    response.end();
  },

  error: (status, message, type = errorTypes[status] ?? "api_error") => ({
    type: "error",
    error: { type, message },
  }),

  other(path) {
    if (path === "/v1/messages/count_tokens") return { input_tokens: 100 };
    return path === "/v1/models" ? { data: [], has_more: false } : undefined;
  },
};
