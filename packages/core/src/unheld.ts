import type { AgentMode, Capabilities } from "./agent.ts";
import { exactText } from "./exact-text.ts";

/**
 * Why an agent may act without asking, whatever the session's permission mode says, in words that follow its name;
 * undefined if it is held by the mode.
 */
export function unheldWords({
  capabilities,
  agentMode,
}: {
  readonly capabilities: Capabilities;
  readonly agentMode?: AgentMode | undefined;
}): string | undefined {
  const words = "may act without asking";
  if (agentMode?.mayActUnasked) return `${words}: it is in its own mode “${exactText(agentMode.name)}”`;
  return capabilities.heldByMode ? undefined : `${words}: no permission mode reaches it`;
}
