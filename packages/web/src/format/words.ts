import type { DoneReason, PermissionMode, Resolution, SessionStateName, Usage } from "@drover/core";
import { clientId } from "../transport/client-id.ts";

export const stateWords: Readonly<Record<SessionStateName, string>> = {
  stopping: "Stopping",
  crashed: "Crashed",
  stopped: "Stopped",
  waiting_for_quota: "Waiting for quota",
  waiting_for_input: "Waiting for you",
  stalled: "No output for a while",
  starting: "Starting",
  running: "Running",
  idle: "Idle",
};

export const modeWords: Readonly<Record<PermissionMode, { name: string; meaning: string }>> = {
  ask: { name: "Ask", meaning: "Asks you before it changes or runs anything." },
  plan: { name: "Plan", meaning: "May only read. Changes and commands are refused." },
  acceptEdits: { name: "Accept edits", meaning: "Edits files by itself, asks before it runs commands." },
  never: { name: "Never ask", meaning: "Does everything without asking. Only where nothing can break." },
};

export const allModes = Object.keys(modeWords) as readonly PermissionMode[];

export const resolutionWords: Readonly<Record<Resolution, string>> = {
  approved: "approved",
  denied: "denied",
  answered: "answered",
  expired: "expired",
  cancelled: "withdrawn",
};

/** How a turn that did not simply end has ended. */
export const endingWords: Readonly<Record<DoneReason, string>> = {
  end_turn: "Done",
  waiting_for_input: "Waiting for your answers",
  max_tokens: "Stopped at the model's output limit",
  max_turns: "Stopped at the agent's own turn limit",
  refusal: "The model refused",
  cancelled: "Interrupted",
  usage_limit: "The account's usage limit is reached",
  auth: "The agent is not logged in",
  timeout: "Timed out",
  error: "Failed",
  crashed: "The agent crashed",
  uncertain: "Drover restarted and cannot tell whether the agent got this message",
};

const drivers: Readonly<Record<string, string>> = {
  acp: "speaks ACP",
  claude: "runs by the Agent SDK",
  jsonl: "writes lines of JSON",
  text: "writes plain text",
};

/** How an agent talks to Drover. */
export const driverWords = (driver: string): string => drivers[driver] ?? `driver ${driver}`;

/** Who did something: `web:CLIENT`, `cli`, `api`, `rule:ID`, `server`. */
export function who(by: string | undefined): string {
  if (by === `web:${clientId}`) return "you";
  const [kind, id] = by?.split(/:(.*)/s) ?? [];
  switch (kind) {
    case "web":
      return `another browser (${id})`;
    case "cli":
      return "the command line";
    case "api":
      return "the API";
    case "rule":
      return `rule ${id}`;
    case "server":
      return "Drover";
    default:
      return by ?? "somebody";
  }
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Tokens and money; nothing that the agent has not reported. */
export function usageWords(usage: Usage): string[] {
  const { inputTokens, outputTokens, costUsd } = usage;
  const words: string[] = [];
  if (inputTokens + outputTokens > 0) {
    words.push(`${compact.format(inputTokens)} in`, `${compact.format(outputTokens)} out`);
  }
  if (costUsd !== undefined && costUsd > 0) words.push(`$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}`);
  return words;
}
