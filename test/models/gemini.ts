// The parts of the Gemini API that Gemini CLI uses.
import { randomUUID } from "node:crypto";
import type { Dialect, Json, Turn } from "./model.ts";
import type { Entry, Step } from "./script.ts";
import { chunks, type StreamEvent } from "./stream.ts";
import { callsOf } from "./tools.ts";

interface Part {
  text?: string;
  thought?: boolean;
  functionCall?: Json;
  functionResponse?: Json;
}

interface Content {
  role?: string;
  parts?: Part[];
}

/** A message may have several tool results and new text: each part becomes a separate entry. */
function entriesOf({ role, parts = [] }: Content): Entry[] {
  return parts.map((part) => ({
    role: part.functionResponse ? "tool" : role === "model" ? "assistant" : "user",
    text: part.text ?? JSON.stringify(part),
  }));
}

/** A reply's parts: text in pieces, as it is streamed; calls whole. */
function* partsOf(step: Step, { tools }: Turn): Generator<Part> {
  for (const text of chunks(step.think ?? "")) yield { text, thought: true };
  for (const text of chunks(step.say ?? "")) yield { text };
  for (const { name, input } of callsOf(step, tools)) {
    yield { functionCall: { id: `call_${randomUUID().replaceAll("-", "")}`, name, args: input } };
  }
}

const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 };

const answerOf = (parts: Part[], { model }: Turn, end: Json = {}): Json => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...end }],
  modelVersion: model,
  usageMetadata,
});

const statuses: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** A named limit is reported as a violation of that quota. */
const violated = (quotaId: string) => ({
  details: [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] }],
});

const method = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

export const gemini: Dialect = {
  read(path, body): Turn | undefined {
    const [, model, verb] = method.exec(path) ?? [];
    if (!model) return undefined;
    const offered = (body["tools"] ?? []) as { functionDeclarations?: { name: string }[] }[];
    const tools = offered.flatMap(({ functionDeclarations = [] }) => functionDeclarations);
    // Gemini CLI also requests summaries and the like, without tools; those are not part of the turn.
    const contents = tools.length > 0 ? ((body["contents"] ?? []) as Content[]) : [];
    return {
      conversation: contents.flatMap(entriesOf),
      tools: new Map(tools.map((tool) => [tool.name, {}])),
      model,
      stream: verb === "streamGenerateContent",
    };
  },

  reply: (turn, step) => answerOf([...partsOf(step, turn)], turn, { finishReason: "STOP" }),

  *stream(turn, step): Generator<StreamEvent> {
    for (const part of partsOf(step, turn)) yield { data: answerOf([part], turn) };
    yield { data: answerOf([{ text: "" }], turn, { finishReason: "STOP" }) };
  },

  error: ({ status, message, type, fields }) => ({
    error: {
      ...{ code: status, status: statuses[status] ?? "INTERNAL", message },
      ...(type ? violated(type) : {}),
      ...fields,
    },
  }),

  other: (path) => (path.endsWith(":countTokens") ? { totalTokens: 100 } : undefined),
};
