import type { PastItem } from "../../ports.ts";
import { type Json, record, records, text } from "../json.ts";
import { isDenied, kindOf, resultOf, titleOf } from "./tools.ts";

/**
 * A stored conversation → what people see of it. `messages` are the conversation's messages in order, as the SDK reads
 * them (0.3.325), mixed in any order with those of its sub-agents, each with the call it works for. Pure.
 */
export function pastItems(messages: readonly Json[]): PastItem[] {
  const groups = Map.groupBy(messages, parentOf);
  const answers = answersIn(messages);
  const main = groups.get("") ?? [];
  const cuts = cutsOf(main, answers);

  /** Each group is rendered once, whatever parent its messages name. */
  const nested = (parent: string, cut: string | undefined): PastItem[] => {
    const group = groups.get(parent) ?? [];
    groups.delete(parent);
    return group.flatMap((message) => render(message, { parent, cut }));
  };

  const render = (
    message: Json,
    { parent, cut }: { parent: string; cut: string | undefined },
  ): PastItem[] => {
    const at = text(message["timestamp"]);
    const base = {
      ...(at === undefined ? {} : { at }),
      ...(parent === "" ? {} : { parentToolCallId: parent }),
    };
    const end = (isEnd = true) => (cut !== undefined && isEnd ? { cut } : {});
    if (message["type"] === "user") {
      // A sub-agent's prompt is the input of its call.
      return parent === "" ? personsWords(message).map((said) => ({ ...base, ...said, ...end() })) : [];
    }
    return blocksOf(message).flatMap((block): PastItem[] => {
      const said = speechIn(block);
      if (said) return [{ ...base, ...said, ...end() }];
      const call = callIn(block, { answers, parent });
      if (!call) return [];
      const isAnswered = call.status !== "running";
      const item: PastItem = { ...base, kind: "tool", tool: call, ...end(isAnswered) };
      return [item, ...nested(call.toolCallId, isAnswered ? cut : undefined)];
    });
  };

  groups.delete("");
  return main.flatMap((message, index) => render(message, { parent: "", cut: cuts[index] }));
}

const parentOf = (message: Json): string => text(message["parent_tool_use_id"]) ?? "";

/** Messages that the agent inserts in place of a model's reply have no model. */
function blocksOf(message: Json): readonly Json[] {
  const { model, content } = record(message["message"]);
  return message["type"] === "assistant" && model !== "<synthetic>" ? records(content) : [];
}

interface Answer {
  readonly block: Json;
  readonly message: Json;
}

/** Results by call, wherever they appear: the result of a vendor's built-in tool is part of the model's message. */
function answersIn(messages: readonly Json[]): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const message of messages) {
    for (const block of records(record(message["message"])["content"])) {
      const toolCallId = text(block["tool_use_id"]);
      if (toolCallId !== undefined) answers.set(toolCallId, { block, message });
    }
  }
  return answers;
}

/**
 * For each message, the first one from there on after which no call waits for a later result. A call that never got a
 * result does not count: the agent leaves it out when it continues.
 */
function cutsOf(main: readonly Json[], answers: ReadonlyMap<string, Answer>): (string | undefined)[] {
  const order = new Map(main.map((message, index) => [message, index]));
  let needed = 0;
  const reach = main.map((message, index) => {
    for (const block of blocksOf(message)) {
      const answer = answers.get(text(block["id"]) ?? "");
      needed = Math.max(needed, answer ? (order.get(answer.message) ?? 0) : 0);
    }
    return Math.max(needed, index);
  });
  const cuts: (string | undefined)[] = [];
  for (let index = main.length - 1; index >= 0; index--) {
    const isWhole = reach[index] === index;
    cuts[index] = isWhole ? text(main[index]?.["uuid"]) : cuts[index + 1];
  }
  return cuts;
}

/** Written into the conversation by the agent's own terminal UI, beside the person's messages. */
const aside = /^\s*<(?:command|local-command|bash|task|system|ide)[\w-]*>/;
const interrupted = /^\[Request interrupted by user/;

type Words = Pick<PastItem, "kind" | "text" | "code">;

const cancelled: Words = { kind: "notice", text: "The turn was interrupted.", code: "CANCELLED" };
/** The agent keeps its own summary of the rest, which the SDK does not expose (0.3.325). */
const compacted: Words = {
  kind: "notice",
  text: "Earlier messages were shortened to fit the agent's context.",
  code: "COMPACTED",
};

function personsWords(message: Json): Words[] {
  if (message["isCompactSummary"] === true) return [compacted];
  const { kind = "human" } = record(message["origin"]);
  if (message["is_meta"] === true || kind !== "human") return [];
  const { content } = record(message["message"]);
  const parts = typeof content === "string" ? [content] : records(content).flatMap(partOf);
  const words = parts.join("\n");
  if (interrupted.test(words)) return [cancelled];
  return words === "" || aside.test(words) ? [] : [{ kind: "user", text: words }];
}

function partOf(block: Json): string[] {
  const type = text(block["type"]) ?? "";
  if (type === "text") return [text(block["text"]) ?? ""];
  return type === "tool_result" ? [] : [`[${type}]`];
}

function speechIn(block: Json): Pick<PastItem, "kind" | "text"> | undefined {
  const { type } = block;
  if (type !== "text" && type !== "thinking") return undefined;
  const words = text(block[type]);
  return words ? { kind: type, text: words } : undefined;
}

type Call = NonNullable<PastItem["tool"]>;

function callIn(
  block: Json,
  { answers, parent }: { answers: ReadonlyMap<string, Answer>; parent: string },
): Call | undefined {
  const toolCallId = text(block["id"]);
  const toolName = text(block["name"]);
  if (toolCallId === undefined || toolName === undefined) return undefined;
  const { input } = block;
  const answer = answers.get(toolCallId);
  return {
    toolCallId,
    toolName,
    kind: kindOf(toolName),
    title: titleOf(toolName, input),
    input,
    ...(answer ? { result: resultOf(answer.block, undefined), status: statusOf(answer, toolCallId) } : open),
    ...(parent === "" ? {} : { parentToolCallId: parent }),
  };
}

const open = { status: "running" } as const;

function statusOf({ block, message }: Answer, toolCallId: string): Call["status"] {
  if (block["is_error"] !== true) return "complete";
  return isDenied(message, toolCallId) ? "denied" : "error";
}
