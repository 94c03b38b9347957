// The parts of the OpenAI Chat Completions API that Qwen Code uses.
import { randomUUID } from "node:crypto";
import type { Dialect, Json, Turn } from "./model.ts";
import type { Entry, Step } from "./script.ts";
import { chunks, type StreamEvent } from "./stream.ts";
import { callsOf } from "./tools.ts";

interface Message {
  role: string;
  content?: string | { text?: string }[] | null;
}

const roles: Record<string, Entry["role"]> = { user: "user", assistant: "assistant", tool: "tool" };

function entryOf({ role, content }: Message): Entry[] {
  const known = roles[role];
  if (known === undefined) return [];
  const parts = typeof content === "string" ? [{ text: content }] : (content ?? []);
  return [{ role: known, text: parts.map(({ text = "" }) => text).join("\n") }];
}

const toolCalls = (step: Step, { tools }: Turn) =>
  callsOf(step, tools).map(({ name, input }, index) => ({
    ...{ index, id: `call_${randomUUID().replaceAll("-", "")}`, type: "function" },
    function: { name, arguments: JSON.stringify(input) },
  }));

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

const answerOf = ({ model }: Turn, object: string, choice: Json): Json => ({
  ...{ id: `chatcmpl-${randomUUID()}`, object, created: 1_700_000_000, model },
  choices: [{ index: 0, ...choice }],
});

const finish = (calls: readonly unknown[]) => (calls.length > 0 ? "tool_calls" : "stop");

export const openaiChat: Dialect = {
  read(path, body): Turn | undefined {
    if (!path.endsWith("/chat/completions")) return undefined;
    const tools = (body["tools"] ?? []) as { function: { name: string } }[];
    // Qwen Code also requests suggestions and the like, without tools; those are not part of the turn.
    const messages = tools.length > 0 ? ((body["messages"] ?? []) as Message[]) : [];
    return {
      conversation: messages.flatMap(entryOf),
      tools: new Map(tools.map((tool) => [tool.function.name, {}])),
      model: String(body["model"]),
      stream: body["stream"] === true,
    };
  },

  reply(turn, step) {
    const calls = toolCalls(step, turn);
    const message = { role: "assistant", content: step.say ?? null };
    const called = calls.length > 0 ? { tool_calls: calls } : {};
    const choice = { message: { ...message, ...called }, finish_reason: finish(calls) };
    return { ...answerOf(turn, "chat.completion", choice), usage };
  },

  *stream(turn, step): Generator<StreamEvent> {
    const calls = toolCalls(step, turn);
    const chunk = (delta: Json, finish_reason: string | null = null): StreamEvent => ({
      data: answerOf(turn, "chat.completion.chunk", { delta, finish_reason }),
    });
    yield chunk({ role: "assistant", content: "" });
    for (const content of chunks(step.say ?? "")) yield chunk({ content });
    for (const call of calls) yield chunk({ tool_calls: [call] });
    yield chunk({}, finish(calls));
    yield { data: { ...answerOf(turn, "chat.completion.chunk", {}), choices: [], usage } };
  },

  error: ({ status, message, type = status === 401 ? "invalid_request_error" : "server_error", fields }) => ({
    error: { message, type, ...fields },
  }),

  other: (path) => (path.endsWith("/models") ? { object: "list", data: [] } : undefined),
};
