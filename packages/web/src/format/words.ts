import type { DoneReason, PermissionMode, Resolution, SessionStateName, Usage } from "@drover/core";
import { clientId } from "../transport/client-id.ts";

export const stateWords: Readonly<Record<SessionStateName, string>> = {
  stopping: "Stopping",
  crashed: "Crashed",
  stopped: "Stopped",
  waiting_for_quota: "Waiting for quota",
  waiting_for_input: "Waiting for you",
  stalled: "No output for a while",
  queued: "Queued",
  starting: "Starting",
  running: "Running",
  idle: "Idle",
};

export const modeWords: Readonly<Record<PermissionMode, { name: string; meaning: string }>> = {
  ask: { name: "Ask", meaning: "Asks before it edits a file or runs a command." },
  plan: { name: "Plan", meaning: "Read-only. Edits and commands are denied." },
  acceptEdits: {
    name: "Accept edits",
    meaning: "Edits files without asking, but asks before running commands.",
  },
  never: {
    name: "Never ask",
    meaning: "Does everything without asking. Use it only where mistakes can't hurt.",
  },
};

export const allModes = Object.keys(modeWords) as readonly PermissionMode[];

export const resolutionWords: Readonly<Record<Resolution, string>> = {
  approved: "approved",
  denied: "denied",
  answered: "answered",
  expired: "expired",
  cancelled: "withdrawn",
};

/** How a turn ended. */
export const endingWords: Readonly<Record<DoneReason, string>> = {
  end_turn: "Done",
  waiting_for_input: "Waiting for your answer",
  max_tokens: "Stopped: output limit reached",
  max_turns: "Stopped: turn limit reached",
  refusal: "Stopped: the model refused",
  cancelled: "Interrupted",
  usage_limit: "Stopped: usage limit reached",
  auth: "Stopped: not logged in",
  timeout: "Timed out",
  error: "Failed",
  crashed: "The agent crashed",
  uncertain: "Drover restarted. The agent may not have received this message",
};

const drivers: Readonly<Record<string, string>> = {
  acp: "uses ACP",
  claude: "uses the Agent SDK",
  jsonl: "prints JSON lines",
  text: "prints plain text",
};

/** How an agent communicates with Drover. */
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
      return by ?? "someone";
  }
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Tokens and cost, as far as the agent reports them. */
export function usageWords(usage: Usage): string[] {
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = costWords(usage);
  return [
    ...(tokens > 0 ? [`${compact.format(tokens).toLowerCase()} tokens`] : []),
    ...(cost === undefined ? [] : [cost]),
  ];
}

/** The cost, if the agent reports any. */
export const costWords = ({ costUsd = 0 }: Usage): string | undefined =>
  costUsd > 0 ? `$${costUsd.toFixed(costUsd < 1 ? 3 : 2)}` : undefined;
