import type { AgentFact } from "@drover/core";
import { type Json, number, record, records, text } from "../json.ts";
import { resetOf } from "./faults.ts";
import { type MapState, speak } from "./map-state.ts";

/** Messages from the agent's program about itself, as opposed to its model's output. */
export function mapSystem(message: Json, state: MapState, facts: AgentFact[]): void {
  const subtype = text(message["subtype"]) ?? "";
  switch (subtype) {
    case "init": {
      state.agentSessionId = text(message["session_id"]) ?? state.agentSessionId;
      const commands = message["slash_commands"];
      if (Array.isArray(commands)) {
        facts.push({ type: "commands", commands: commands.map((name) => ({ name: text(name) ?? "" })) });
      }
      const model = text(message["model"]);
      if (model === undefined || model === state.model) break;
      state.model = model;
      facts.push({ type: "model", model });
      break;
    }
    case "session_state_changed":
      state.isRunning = message["state"] !== "idle";
      break;
    case "background_tasks_changed":
      state.background = records(message["tasks"]).filter((task) => task["ambient"] !== true).length;
      break;
    case "api_retry":
      facts.push(retryNotice(message, state.name));
      break;
    case "compact_boundary":
      facts.push(notice("COMPACTED", `${state.name} shortened its conversation to fit its context`, message));
      break;
    case "local_command_output":
      speak(facts, "text", { text: text(message["content"]) ?? "", parent: "" });
      break;
    case "informational":
      if (message["level"] === "info") break;
      facts.push(notice("AGENT_NOTICE", text(message["content"]) ?? "", message));
      break;
    case "model_refusal_fallback":
      facts.push(notice("MODEL_FALLBACK", text(message["content"]) ?? "", message));
      break;
    case "session_writes_lost": {
      const words = `${state.name} could not save its conversation: the disk is full. It may not remember this turn.`;
      facts.push(notice("AGENT_NOTICE", words, message));
      break;
    }
    default: {
      if (silent.has(subtype)) break;
      const type = `system/${subtype}`;
      state.unknown.count(type);
    }
  }
}

/** Known, and of no interest to people (2.1.325). */
const silent = new Set([
  "commands_changed",
  "control_request_progress",
  "elicitation_complete",
  "files_persisted",
  "hook_progress",
  "hook_response",
  "hook_started",
  "memory_recall",
  "mirror_error",
  "model_refusal_no_fallback",
  "notification",
  "permission_denied",
  "plugin_install",
  "status",
  "task_notification",
  "task_progress",
  "task_started",
  "task_updated",
  "thinking_tokens",
  "worker_shutting_down",
]);

/** A person made the agent forget: it continues in a conversation with a new id, which its next `init` reports. */
export const forgotten = ({ name }: MapState, message: Json): AgentFact => ({
  type: "notice",
  code: "FORGOTTEN",
  message: `${name} started a new conversation and remembers nothing from before`,
  facts: { trigger: message["trigger"] },
});

/** Subscriptions have usage windows: warn when one is nearly used up, and remember it to explain the failure. */
export function rateLimit(message: Json, state: MapState, facts: AgentFact[]): void {
  const info = record(message["rate_limit_info"]);
  if (info["status"] === "rejected") state.trouble = { ...state.trouble, limit: info };
  if (info["status"] !== "allowed_warning") return;
  const used = number(info["utilization"]);
  const share = used === undefined ? "nearly all" : `${Math.round(used * 100)} %`;
  const reset = resetOf(info);
  const until = reset === undefined ? {} : { until: new Date(reset).toISOString() };
  const type = text(info["rateLimitType"]);
  facts.push({
    type: "notice",
    code: "USAGE_WARNING",
    message: `${share} of this account's usage limit is used`,
    facts: {
      ...(used === undefined ? {} : { utilization: used }),
      ...until,
      ...(type ? { limit: type } : {}),
    },
  });
}

function retryNotice(message: Json, name: string): AgentFact {
  const { attempt, max_retries, retry_delay_ms, error_status, error } = message;
  const status = number(error_status);
  const what = status === undefined ? "could not be reached" : `answered ${status}`;
  const seconds = Math.round((number(retry_delay_ms) ?? 0) / 100) / 10;
  return {
    type: "notice",
    code: "API_RETRY",
    message: `The model server ${what}; ${name} retries in ${seconds} s (${attempt} of ${max_retries})`,
    facts: { attempt, maxRetries: max_retries, delayMs: retry_delay_ms, status: error_status, error },
  };
}

const notice = (code: string, message: string, { subtype }: Json): AgentFact => ({
  type: "notice",
  code,
  message,
  facts: { subtype },
});
