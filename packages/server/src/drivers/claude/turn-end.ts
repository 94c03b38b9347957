import { type AgentFact, type DoneReason, doneReasonOf, Fault, type Usage } from "@drover/core";
import { type Json, number, record, text, texts } from "../json.ts";
import { type FaultContext, faultOf } from "./faults.ts";

type TurnEnd = Extract<AgentFact, { type: "turn_end" }>;

/** Reads a `result` as the end of its turn. */
export function turnEnd(turnId: string, result: Json, context: FaultContext): TurnEnd {
  return { type: "turn_end", turnId, ...ending(result, context) };
}

function ending(result: Json, context: FaultContext): { reason: DoneReason; fault?: Fault } {
  if (isAborted(result)) return { reason: "cancelled" };
  if (result["subtype"] === "error_max_turns") return { reason: "max_turns" };
  if (result["subtype"] === "success" && result["is_error"] !== true) {
    return { reason: stopReasons[text(result["stop_reason"]) ?? ""] ?? "end_turn" };
  }
  if (typeof result["subtype"] !== "string") {
    return {
      reason: "error",
      fault: new Fault("AGENT_PROTOCOL", "The agent ended its turn in an unknown way"),
    };
  }
  const fault = faultOf(result, context);
  return { reason: doneReasonOf(fault.code), fault };
}

const isAborted = (result: Json): boolean => text(result["terminal_reason"])?.startsWith("aborted_") ?? false;

const stopReasons: Readonly<Record<string, DoneReason>> = {
  max_tokens: "max_tokens",
  refusal: "refusal",
};

/**
 * Whether a result ends the turn of these prompts; removes the prompts it answers. A message added during a turn is
 * either folded in between two model calls or answered by another result (2.1.325). Background work has results of its
 * own.
 */
export function endsTurn(result: Json, unanswered: Set<string>): boolean {
  const uuids = [text(result["user_message_uuid"]), ...texts(result["user_message_uuids"])];
  if (uuids.some((uuid) => uuid !== undefined)) {
    const isOurs = uuids.filter((uuid) => uuid !== undefined && unanswered.delete(uuid)).length > 0;
    return isOurs && (unanswered.size === 0 || isAborted(result));
  }
  // A process that resumes after interrupted background work reports that to its model before any prompt (2.1.325).
  const { kind = "human" } = record(result["origin"]);
  return kind === "human" && !((number(result["queued_turn_count"]) ?? 0) > 0);
}

/**
 * What was spent since the last result. The agent's totals continue across resumed and forked conversations, so they
 * cannot be used; agents that do not report the difference at least report the tokens of the turn.
 */
export function spent(result: Json): Usage {
  const difference = result["model_usage_since_last_result"];
  if (difference === undefined) return tokensOf(record(result["usage"]));
  const models = Object.values(record(difference)).map(record);
  const sum = (...fields: string[]): number =>
    models.reduce(
      (total, model) => total + fields.reduce((all, key) => all + (number(model[key]) ?? 0), 0),
      0,
    );
  return {
    inputTokens: sum("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"),
    outputTokens: sum("outputTokens"),
    costUsd: sum("costUSD"),
  };
}

/** Tokens as the model server counts them. Tokens read from a cache count as input. */
export function tokensOf(usage: Json): { inputTokens: number; outputTokens: number } {
  const input = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
  return {
    inputTokens: input.reduce((total, key) => total + (number(usage[key]) ?? 0), 0),
    outputTokens: number(usage["output_tokens"]) ?? 0,
  };
}

export function addUsage(one: Usage, other: Usage): Usage {
  const costs = [one.costUsd, other.costUsd].filter((cost) => cost !== undefined);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(costs.length > 0 ? { costUsd: costs.reduce((total, cost) => total + cost, 0) } : {}),
  };
}

/** The size of the context window of the conversation's model. */
export function contextWindow(result: Json, model: string | undefined): number | undefined {
  return number(record(record(result["modelUsage"])[model ?? ""])["contextWindow"]);
}
