// The parts of the OpenAI Responses API that Codex uses.
import { randomUUID } from "node:crypto";
import type { Dialect, Json, Turn } from "./model.ts";
import type { Entry, Step, ToolCall } from "./script.ts";
import { chunks, type StreamEvent } from "./stream.ts";
import { callsOf } from "./tools.ts";

interface InputItem {
  type?: string;
  role?: string;
  content?: string | { text?: string }[];
  output?: unknown;
}

interface OfferedTool {
  type: string;
  name?: string;
}

function entryOf(item: InputItem): Entry[] {
  const type = item.type ?? "message";
  if (type.endsWith("_call_output")) return [{ role: "tool", text: JSON.stringify(item.output) }];
  if (type.endsWith("_call") || type === "reasoning") return [{ role: "assistant", text: "" }];
  if (type !== "message" || (item.role !== "user" && item.role !== "assistant")) return [];
  const content = item.content ?? "";
  const text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n");
  return [{ role: item.role, text }];
}

const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll("-", "")}`;

type Item = Json & { id: string; type: string };

const thought = (text: string): Item => ({
  ...{ type: "reasoning", id: newId("rs"), encrypted_content: "c2NyaXB0ZWQ=" },
  summary: [{ type: "summary_text", text }],
});

const words = (text: string): Item => ({
  ...{ type: "message", id: newId("msg"), role: "assistant", status: "completed" },
  content: [{ type: "output_text", text, annotations: [] }],
});

/** A tool without parameters takes its input as plain text. */
function functionCall({ name, input }: ToolCall, tools: Turn["tools"]): Item {
  const base = { call_id: newId("call"), status: "completed", name };
  return tools.get(name)?.isFreeform
    ? { type: "custom_tool_call", id: newId("ctc"), ...base, input: String(input["input"]) }
    : { type: "function_call", id: newId("fc"), ...base, arguments: JSON.stringify(input) };
}

function outputOf(step: Step, { tools }: Turn): Item[] {
  return [
    ...(step.think ? [thought(step.think)] : []),
    ...(step.say ? [words(step.say)] : []),
    ...callsOf(step, tools).map((call) => functionCall(call, tools)),
  ];
}

/** How each type of item begins, the name and place of its deltas, and its complete text. */
function streamed(item: Item): { start: Json; kind: string; place: Json; whole: string; key: string } {
  switch (item.type) {
    case "reasoning": {
      const { text } = (item["summary"] as [{ text: string }])[0];
      const kind = "response.reasoning_summary_text";
      return { start: { summary: [] }, kind, place: { summary_index: 0 }, whole: text, key: "text" };
    }
    case "message": {
      const { text } = (item["content"] as [{ text: string }])[0];
      const kind = "response.output_text";
      return { start: { content: [] }, kind, place: { content_index: 0 }, whole: text, key: "text" };
    }
    case "custom_tool_call": {
      const kind = "response.custom_tool_call_input";
      return { start: { input: "" }, kind, place: {}, whole: String(item["input"]), key: "input" };
    }
    default: {
      const whole = String(item["arguments"]);
      const kind = "response.function_call_arguments";
      return { start: { arguments: "" }, kind, place: {}, whole, key: "arguments" };
    }
  }
}

const usage = {
  ...{ input_tokens: 100, output_tokens: 20, total_tokens: 120 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
};

const responseOf = ({ model }: Turn) => ({
  ...{ id: newId("resp"), object: "response", model },
  ...{ error: null, incomplete_details: null },
});

export const openaiResponses: Dialect = {
  read(path, body): Turn | undefined {
    if (!path.endsWith("/responses")) return undefined;
    const input =
      typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : body["input"];
    const tools = (body["tools"] ?? []) as OfferedTool[];
    const asksOutside = !/approval policy is currently never/i.test(JSON.stringify(input));
    return {
      conversation: ((input ?? []) as InputItem[]).flatMap(entryOf),
      tools: new Map(
        tools.map((tool) => [tool.name ?? tool.type, { asksOutside, isFreeform: tool.type === "custom" }]),
      ),
      model: String(body["model"]),
      stream: body["stream"] === true,
    };
  },

  reply: (turn, step) => ({
    ...responseOf(turn),
    ...{ status: "completed", output: outputOf(step, turn), usage },
  }),

  *stream(turn, step) {
    const output = outputOf(step, turn);
    const base = responseOf(turn);
    let sequence_number = 0;
    const event = (type: string, fields: Json): StreamEvent => ({
      name: type,
      data: { type, sequence_number: sequence_number++, ...fields },
    });
    yield event("response.created", { response: { ...base, status: "in_progress", output: [] } });
    for (const [output_index, item] of output.entries()) {
      const { start, kind, place, whole, key } = streamed(item);
      const at = { item_id: item.id, output_index, ...place };
      yield event("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", ...start },
      });
      for (const delta of chunks(whole)) yield event(`${kind}.delta`, { ...at, delta });
      yield event(`${kind}.done`, { ...at, [key]: whole });
      yield event("response.output_item.done", { output_index, item });
    }
    yield event("response.completed", { response: { ...base, status: "completed", output, usage } });
  },

  error: ({ status, message, type = status === 401 ? "invalid_request_error" : "server_error", fields }) => ({
    error: { message, type, ...fields },
  }),

  other: (path) => (path.endsWith("/models") ? { object: "list", data: [], models: [] } : undefined),
};
