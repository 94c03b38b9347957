// The OpenAI Responses API, as far as Codex uses it.
import { randomUUID } from "node:crypto";
import { chunks, type Dialect, eventStream, type Json, sendJson, type Turn } from "./model.ts";
import type { Entry, Step } from "./script.ts";

interface InputItem {
  type?: string;
  role?: string;
  content?: string | { text?: string }[];
  output?: unknown;
}

interface OfferedTool {
  type: string;
  name?: string;
  parameters?: Json;
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

/** Codex asks a person only when the model wants a command to run outside its sandbox. */
const escalated = { sandbox_permissions: "require_escalated", justification: "A scripted command" };

/** How Codex's shell tools, of which it offers one by model, take a command. */
const shellTools: Record<string, (command: string) => Json> = {
  exec_command: (cmd) => ({ cmd, ...escalated }),
  shell_command: (command) => ({ command, ...escalated }),
};

function callOf(step: Step, tools: Turn["tools"]): Step["call"] {
  if (!step.run) return step.call;
  const name = Object.keys(shellTools).find((known) => tools.has(known));
  const input = name ? shellTools[name]?.(step.run) : undefined;
  if (!name || !input) throw new Error(`no shell tool among ${[...tools.keys()].join(", ")}`);
  return { name, input };
}

const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll("-", "")}`;

function outputOf(step: Step, tools: Turn["tools"]): (Json & { id: string })[] {
  const call = callOf(step, tools);
  const message = step.say && {
    ...{ type: "message", id: newId("msg"), role: "assistant", status: "completed" },
    content: [{ type: "output_text", text: step.say, annotations: [] }],
  };
  const functionCall = call && {
    ...{ type: "function_call", id: newId("fc"), call_id: newId("call"), status: "completed" },
    ...{ name: call.name, arguments: JSON.stringify(call.input) },
  };
  return [message, functionCall].filter((item) => item !== undefined && item !== "");
}

const usage = {
  ...{ input_tokens: 100, output_tokens: 20, total_tokens: 120 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
};

export const openaiResponses: Dialect = {
  read(path, body): Turn | undefined {
    if (!path.endsWith("/responses")) return undefined;
    const input =
      typeof body["input"] === "string" ? [{ role: "user", content: body["input"] }] : body["input"];
    const tools = (body["tools"] ?? []) as OfferedTool[];
    return {
      conversation: ((input ?? []) as InputItem[]).flatMap(entryOf),
      tools: new Map(tools.map((tool) => [tool.name ?? tool.type, tool.parameters ?? {}])),
      model: String(body["model"]),
      stream: body["stream"] === true,
    };
  },

  reply(turn, step, response) {
    const output = outputOf(step, turn.tools);
    const base = {
      id: newId("resp"),
      object: "response",
      model: turn.model,
      error: null,
      incomplete_details: null,
    };
    if (!turn.stream) return sendJson(response, 200, { ...base, status: "completed", output, usage });
    const write = eventStream(response);
    let sequence_number = 0;
    const send = (type: string, fields: Json) =>
      write(type, { sequence_number: sequence_number++, ...fields });
    send("response.created", { response: { ...base, status: "in_progress", output: [] } });
    for (const [output_index, item] of output.entries()) {
      const at = { item_id: item.id, output_index };
      const isMessage = item["type"] === "message";
      const empty = isMessage ? { content: [] } : { arguments: "" };
      send("response.output_item.added", {
        output_index,
        item: { ...item, status: "in_progress", ...empty },
      });
      const whole = isMessage ? (step.say ?? "") : String(item["arguments"]);
      const kind = isMessage ? "response.output_text" : "response.function_call_arguments";
      const place = isMessage ? { ...at, content_index: 0 } : at;
      for (const delta of chunks(whole)) send(`${kind}.delta`, { ...place, delta });
      send(`${kind}.done`, { ...place, ...(isMessage ? { text: whole } : { arguments: whole }) });
      send("response.output_item.done", { output_index, item });
    }
    send("response.completed", { response: { ...base, status: "completed", output, usage } });
    response.end();
  },

  error: (status, message, type = status === 401 ? "invalid_request_error" : "server_error") => ({
    error: { message, type },
  }),

  other: (path) => (path.endsWith("/models") ? { object: "list", data: [], models: [] } : undefined),
};
