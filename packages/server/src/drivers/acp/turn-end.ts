import { type AgentFact, type DoneReason, doneReasonOf, Fault, type Usage } from "@drover/core";
import { type Json, number, record, text } from "../json.ts";
import { type FaultContext, faultOf } from "./faults.ts";

type TurnEnd = Extract<AgentFact, { type: "turn_end" }>;

/** Reads the response to a prompt as the end of its turn. `now` is the time the response was read, in ms. */
export function turnEnd(turnId: string, answer: Json, context: FaultContext): TurnEnd {
  const { error } = answer;
  if (error !== undefined && error !== null) return failed(turnId, record(error), context);
  const result = record(answer["result"]);
  const reason = reasons[text(result["stopReason"]) ?? ""];
  const usage = usageOf(result["usage"]);
  if (reason) return { type: "turn_end", turnId, reason, ...(usage ? { usage } : {}) };
  const stopReason = JSON.stringify(result["stopReason"]) ?? "no reason";
  const fault = new Fault("AGENT_PROTOCOL", `The agent ended its turn in an unknown way (${stopReason})`);
  return { type: "turn_end", turnId, reason: "error", fault };
}

const reasons: Readonly<Record<string, DoneReason>> = {
  end_turn: "end_turn",
  max_tokens: "max_tokens",
  max_turn_requests: "max_turns",
  refusal: "refusal",
  cancelled: "cancelled",
};

/** JSON-RPC's code for a cancelled request. */
const REQUEST_CANCELLED = -32800;

function failed(turnId: string, error: Json, context: FaultContext): TurnEnd {
  if (error["code"] === REQUEST_CANCELLED) return { type: "turn_end", turnId, reason: "cancelled" };
  const fault = faultOf(error, context);
  return { type: "turn_end", turnId, reason: doneReasonOf(fault.code), fault };
}

/** Not in the stable protocol yet, but sent by most agents. */
function usageOf(usage: unknown): Usage | undefined {
  const counts = record(usage);
  const inputTokens = number(counts["inputTokens"]);
  const outputTokens = number(counts["outputTokens"]);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}
