import { type AgentFact, Fault, type Preset, type Task, type ToolKind } from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import { distrusted, httpFault, overloaded } from "../http-fault.ts";
import { type Json, list, number, record, records, text } from "../json.ts";
import { limitFault } from "../limits.ts";
import { type LineMapper, Tally } from "../line-mapper.ts";
import { cut, type Ending, failed } from "../output.ts";
import { Calls } from "./calls.ts";

/** `codex exec --json` (0.166). */
export class CodexMapper implements LineMapper {
  readonly unknown = new Tally();
  ending: Ending | undefined;
  readonly #name: string;
  readonly #calls = new Calls();

  constructor({ name }: Preset) {
    this.#name = name;
  }

  map(message: Json, now: number): AgentFact[] {
    const { type } = message;
    switch (type) {
      case "thread.started":
      case "turn.started":
        return [];
      case "item.started":
      case "item.updated":
      case "item.completed":
        return this.#item(record(message["item"]), type === "item.completed");
      case "turn.completed":
        this.ending = { reason: "end_turn" };
        return usageOf(record(message["usage"]));
      case "turn.failed":
        this.ending = failed(faultOf(text(record(message["error"])["message"]) ?? "", this.#name, now));
        return [];
      case "error":
        return retryOf(text(message["message"]) ?? "");
      default:
        this.unknown.count(type);
        return [];
    }
  }

  conclude({ code, stderrTail }: AgentExit): Ending | undefined {
    if (this.ending !== undefined || code === 0) return undefined;
    // The program's own message, and the only sign of it (0.166).
    return /^Not inside a trusted directory\b/m.test(stderrTail) ? failed(distrusted(this.#name)) : undefined;
  }

  beginTurn(): void {
    this.ending = undefined;
  }

  #item(item: Json, isDone: boolean): AgentFact[] {
    const { type } = item;
    const words = text(item["text"]) ?? "";
    if (type === "agent_message") return isDone ? this.#calls.say(words) : [];
    if (type === "reasoning") return isDone && words ? [{ type: "thinking", text: words }] : [];
    if (type === "todo_list") return [{ type: "tasks", tasks: tasksOf(item) }];
    if (type === "error") return isDone ? [notice(text(item["message"]) ?? "")] : [];
    const call = callOf(item);
    if (call === undefined) {
      this.unknown.count(`item ${String(type)}`);
      return [];
    }
    const started = this.#calls.begin(call);
    return isDone
      ? [...started, ...this.#calls.end(call.toolCallId, statusOf(item), resultOf(item))]
      : started;
  }
}

interface Kind {
  readonly toolName: string;
  readonly kind: ToolKind;
  readonly title: (item: Json) => string;
  readonly input: readonly string[];
}

const kinds: Readonly<Record<string, Kind>> = {
  command_execution: {
    toolName: "exec_command",
    kind: "execute",
    title: (item) => text(item["command"]) ?? "",
    input: ["command"],
  },
  file_change: {
    toolName: "apply_patch",
    kind: "edit",
    title: (item) =>
      records(item["changes"])
        .flatMap((change) => text(change["path"]) ?? [])
        .join(", "),
    input: ["changes"],
  },
  mcp_tool_call: {
    toolName: "mcp",
    kind: "other",
    title: (item) => `${text(item["server"]) ?? "mcp"}: ${text(item["tool"]) ?? "tool"}`,
    input: ["server", "tool", "arguments"],
  },
  web_search: {
    toolName: "web_search",
    kind: "fetch",
    title: (item) => `Search ${text(item["query"]) ?? ""}`,
    input: ["query"],
  },
};

function callOf(item: Json) {
  const { id, type } = item;
  const kind = kinds[text(type) ?? ""];
  if (kind === undefined || typeof id !== "string") return undefined;
  const input = Object.fromEntries(kind.input.map((key) => [key, item[key]]));
  return {
    toolCallId: id,
    toolName: kind.toolName,
    kind: kind.kind,
    title: kind.title(item) || kind.toolName,
    input,
  };
}

function statusOf({ status }: Json): "complete" | "error" | "denied" {
  if (status === "declined") return "denied";
  return status === "failed" ? "error" : "complete";
}

function resultOf(item: Json) {
  const content = records(record(item["result"])["content"]).flatMap((part) => text(part["text"]) ?? []);
  const words =
    text(item["aggregated_output"]) ??
    text(record(item["error"])["message"]) ??
    (content.length > 0 ? content.join("\n") : undefined);
  return { text: words, exitCode: number(item["exit_code"]) };
}

const tasksOf = (item: Json): Task[] =>
  list(item["items"]).map((entry, index) => {
    const { text: title, completed } = record(entry);
    const status = completed === true ? "completed" : "pending";
    return { id: String(index + 1), title: text(title) ?? "", status };
  });

/** The thread's totals, which continue when it is resumed (0.166), and are reported as such. */
function usageOf(usage: Json): AgentFact[] {
  const inputTokens = number(usage["input_tokens"]);
  const outputTokens = number(usage["output_tokens"]);
  if (inputTokens === undefined || outputTokens === undefined) return [];
  return [{ type: "usage", usage: { inputTokens, outputTokens } }];
}

/**
 * Of the `error` lines only this one is news: the others are repeated at the end of the turn or mean nothing (0.166).
 */
function retryOf(message: string): AgentFact[] {
  if (!message.startsWith("Reconnecting")) return [];
  return [{ type: "notice", code: "API_RETRY", message: cut(message), facts: {} }];
}

const notice = (message: string): AgentFact => ({
  type: "notice",
  code: "AGENT_NOTICE",
  message: cut(message),
  facts: {},
});

/**
 * Codex has no field for what went wrong (0.166), only the message at the end of a failed turn. It is classified by how
 * it starts, which the program writes itself; text from a server or model comes later in it.
 */
function faultOf(said: string, name: string, now: number): Fault {
  const message = cut(said || `${name} gave no reason`);
  const status = /^(?:unexpected status|exceeded retry limit, last status:) (\d{3})\b/.exec(said)?.[1];
  if (status !== undefined) return httpFault({ name, message, status: Number(status) });
  if (/^You.ve hit your usage limit\b/u.test(said)) return limitFault(message, undefined, now);
  if (/^(?:Connection failed|stream disconnected)\b/.test(said)) {
    return httpFault({ name, message, status: undefined });
  }
  if (/^We.re currently experiencing high demand\b/u.test(said)) {
    return overloaded(message);
  }
  return new Fault("MODEL_ERROR", message);
}
