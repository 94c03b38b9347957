import type { AgentAnswer, EventBody } from "@drover/core";
import type { SessionRuntime } from "../../ports.ts";

type Resolved = Extract<EventBody, { type: "interaction_resolved" }>;

/** The answer for the agent about a settled interaction; nothing if the agent is gone. */
function answerOf(event: Resolved, amended: unknown): AgentAnswer | undefined {
  const { answers } = event;
  if (answers) return { type: "answered", answers };
  switch (event.resolution) {
    case "approved":
      return amended === undefined ? { type: "approved" } : { type: "approved", input: amended };
    case "denied":
      return {
        type: "denied",
        message: event.reason ? `User denied tool execution: ${event.reason}` : "User denied tool execution",
        ...(event.by.startsWith("rule:") ? { unattended: true } : {}),
      };
    case "answered":
      return { type: "answered", answers: {} };
    case "expired":
      return event.cause === "agent_gone"
        ? undefined
        : { type: "denied", message: event.reason ?? "Timed out", unattended: true };
    case "cancelled":
      return { type: "cancelled" };
  }
}

/**
 * Pending requests with the answers from these events: stored together, so that no crash can lose an answer. Returns
 * the same object if there are none.
 */
export function settlePending(
  pending: SessionRuntime["pending"],
  events: readonly EventBody[],
  amended?: unknown,
): SessionRuntime["pending"] {
  let settled = pending;
  for (const event of events) {
    if (event.type !== "interaction_resolved") continue;
    const answer = answerOf(event, amended);
    if (!answer) continue;
    for (const [key, request] of Object.entries(settled)) {
      if (request.interactionId === event.interactionId)
        settled = { ...settled, [key]: { ...request, answer } };
    }
  }
  return settled;
}

/** `10 minutes`, `2 seconds`: a configured time in words. */
export function spokenDuration(ms: number): string {
  for (const [unit, size] of [
    ["hour", 3_600_000],
    ["minute", 60_000],
    ["second", 1_000],
  ] as const) {
    if (ms >= size && ms % size === 0) return `${ms / size} ${unit}${ms === size ? "" : "s"}`;
  }
  return `${ms} milliseconds`;
}
