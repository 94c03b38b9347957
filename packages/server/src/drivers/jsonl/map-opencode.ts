import { type AgentFact, type DoneReason, Fault, type Preset, type ToolKind, type Usage } from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import { authFailed, httpFault } from "../http-fault.ts";
import { type Json, number, parseRecord, record, text } from "../json.ts";
import { limitFault } from "../limits.ts";
import { type LineMapper, Tally } from "../line-mapper.ts";
import { cut, type Ending, failed } from "../output.ts";
import { Calls } from "./calls.ts";

/** `opencode run --format json` (1.18). No line ends the turn: its last step and its exit do so together. */
export class OpencodeMapper implements LineMapper {
  readonly unknown = new Tally();
  ending: Ending | undefined;
  readonly #name: string;
  readonly #calls = new Calls();
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  constructor({ name }: Preset) {
    this.#name = name;
  }

  /** A failure is final; the program may keep running after reporting it (1.18). */
  get awaitsExit(): boolean {
    return this.ending?.fault === undefined;
  }

  map(message: Json, now: number): AgentFact[] {
    const { type } = message;
    const part = record(message["part"]);
    switch (type) {
      case "step_start":
        if (!this.ending?.fault) this.ending = undefined;
        return [];
      case "text":
        return this.#calls.say(text(part["text"]) ?? "");
      case "reasoning": {
        const words = text(part["text"]) ?? "";
        return words === "" ? [] : [{ type: "thinking", text: words }];
      }
      case "tool_use":
        return this.#call(part);
      case "step_finish":
        this.#step(part);
        return [];
      case "error":
        this.ending = { ...ended(record(message["error"]), this.#name, now), usage: this.#usage };
        return [];
      default:
        this.unknown.count(type);
        return [];
    }
  }

  conclude({ code }: AgentExit): Ending | undefined {
    const { ending } = this;
    // The exit code is unknown for an agent that outlived its server and was stopped: its last step decides.
    const isOver = ending && (ending.fault || code === 0 || code === null);
    return isOver ? { ...ending, usage: this.#usage } : undefined;
  }

  beginTurn(): void {
    this.ending = undefined;
  }

  /** Reported only when the call has ended (1.18). */
  #call(part: Json): AgentFact[] {
    const toolCallId = text(part["callID"]);
    const toolName = text(part["tool"]) ?? "tool";
    const state = record(part["state"]);
    if (toolCallId === undefined) return [];
    const { input } = state;
    const title = text(record(input)["command"]) ?? (text(state["title"]) || toolName);
    const started = this.#calls.begin({
      toolCallId,
      toolName,
      kind: kinds[toolName] ?? "other",
      title,
      input,
    });
    const error = text(state["error"]);
    const isDenied = error?.startsWith("The user rejected permission") ?? false;
    const status = state["status"] === "error" ? (isDenied ? "denied" : "error") : "complete";
    const exitCode = number(record(state["metadata"])["exit"]);
    const result = { text: text(state["output"]) ?? error, ...(exitCode === undefined ? {} : { exitCode }) };
    return [...started, ...this.#calls.end(toolCallId, status, result)];
  }

  #step(part: Json): void {
    this.#usage = addStep(this.#usage, part);
    const reason = reasons[text(part["reason"]) ?? ""];
    if (reason !== undefined && !this.ending?.fault) this.ending = { reason };
  }
}

const kinds: Readonly<Record<string, ToolKind>> = {
  bash: "execute",
  edit: "edit",
  write: "edit",
  patch: "edit",
  read: "read",
  list: "search",
  glob: "search",
  grep: "search",
  webfetch: "fetch",
  websearch: "fetch",
  todowrite: "think",
  todoread: "think",
};

/** A step that ends for any other reason is followed by another one. */
const reasons: Readonly<Record<string, DoneReason>> = {
  stop: "end_turn",
  length: "max_tokens",
  "content-filter": "refusal",
};

function addStep(usage: Usage, part: Json): Usage {
  const tokens = record(part["tokens"]);
  const cache = record(tokens["cache"]);
  const sum = (...values: unknown[]): number =>
    values.reduce<number>((total, value) => total + (number(value) ?? 0), 0);
  return {
    inputTokens: sum(usage.inputTokens, tokens["input"], cache["read"], cache["write"]),
    outputTokens: sum(usage.outputTokens, tokens["output"], tokens["reasoning"]),
    costUsd: sum(usage.costUsd, part["cost"]),
  };
}

function ended(error: Json, agent: string, now: number): Ending {
  const { name } = error;
  const data = record(error["data"]);
  const message = cut(text(data["message"]) || `${agent} gave no reason`);
  switch (name) {
    case "MessageAbortedError":
      return { reason: "cancelled" };
    case "MessageOutputLengthError":
      return { reason: "max_tokens" };
    case "ProviderAuthError":
      return failed(authFailed(agent, message));
    case "APIError":
      return failed(
        limitOf(data, message, now) ??
          httpFault({ name: agent, message, status: number(data["statusCode"]) }),
      );
    default:
      return failed(new Fault("MODEL_ERROR", message));
  }
}

/** What vendors' servers call an exhausted account in their error responses. */
const usedUp: ReadonlySet<unknown> = new Set([
  ...["insufficient_quota", "billing_error", "usage_limit_reached"],
  ...["FreeUsageLimitError", "GoUsageLimitError"],
]);

function limitOf(data: Json, message: string, now: number): Fault | undefined {
  const error = record(parseRecord(text(data["responseBody"]) ?? "")?.["error"]);
  if (!usedUp.has(error["type"]) && !usedUp.has(error["code"])) return undefined;
  const seconds = Number(text(record(data["responseHeaders"])["retry-after"]));
  return limitFault(message, seconds > 0 ? now + seconds * 1000 : undefined, now);
}
