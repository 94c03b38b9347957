import { type AgentFact, Fault } from "@drover/core";
import type { OpenRequest } from "../../ports.ts";
import type { AgentProcess } from "../../process/agent-process.ts";
import type { Conversation } from "./conversation.ts";
import { startFault } from "./faults.ts";
import { mcpServers } from "./options.ts";

export interface HandshakeParts {
  readonly request: OpenRequest;
  readonly conversation: Conversation;
  readonly process: AgentProcess;
  readonly now: () => number;
}

/** Waits until the agent accepts a prompt. Resolves with notices for people; rejects with a Fault. */
export async function shakeHands({
  request,
  conversation,
  process,
  now,
}: HandshakeParts): Promise<AgentFact[]> {
  const { preset, startTimeoutMs, signal } = request;
  const { query, state } = conversation;
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(new Fault("AGENT_UNREACHABLE", `Could not connect to ${preset.name}`));
  // Not `exited`: the reason may be the last thing it wrote.
  const lose = (): void => reject(startFault(preset.name, state.lastResult, now()));
  const timer = setTimeout(giveUp, startTimeoutMs);
  signal.addEventListener("abort", giveUp);
  process.finished.then(lose, lose);
  if (signal.aborted) giveUp();
  try {
    // When the process ends, the SDK notices a moment earlier but knows less about it.
    await Promise.race([query.initializationResult().catch(() => lost), lost]);
    clearTimeout(timer);
    return await Promise.race([setServers(request, conversation), lost]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/** MCP servers are connected before the first prompt, so that the agent knows their tools. */
async function setServers(
  { mcpServers: wanted, preset }: OpenRequest,
  { query }: Conversation,
): Promise<AgentFact[]> {
  if (Object.keys(wanted).length === 0) return [];
  const errors = await query.setMcpServers(mcpServers(wanted)).then(
    (result) => result.errors,
    (error: unknown) => Object.fromEntries(Object.keys(wanted).map((server) => [server, String(error)])),
  );
  return Object.entries(errors).map(([server, reason]) => ({
    type: "notice",
    code: "MCP_FAILED",
    message: `${preset.name} continues without the MCP server "${server}": ${reason}`,
    facts: { server, reason },
  }));
}
