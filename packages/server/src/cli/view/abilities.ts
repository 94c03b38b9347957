import {
  type AgentMode,
  type Capabilities,
  isResumeKnown,
  type PermissionMode,
  permissionModes,
  type Session,
  unheldWords,
} from "@drover/core";

interface Abilities {
  readonly driver: string;
  readonly capabilities: Capabilities;
  readonly verified?: string | undefined;
  readonly agentSessionId?: string | undefined;
}

/** What differs between agents, one or two words each. */
export const abilities = (agent: Abilities): string[] => words(agent.capabilities, isResumeKnown(agent));

const words = (
  { approvals, heldByMode, amend, steer, resume, fork }: Capabilities,
  isMemoryKnown: boolean,
): string[] => [
  heldByMode ? asking[approvals] : "may act without asking",
  ...(amend ? ["amends"] : []),
  ...(steer ? ["steers"] : []),
  ...(isMemoryKnown ? [resume ? "resumes" : "no memory"] : []),
  ...(fork ? ["forks"] : []),
];

const asking: Readonly<Record<Capabilities["approvals"], string>> = {
  live: "asks",
  gate: "asks after a turn",
  none: "never asks",
};

const unasked: Readonly<Record<PermissionMode, string>> = {
  ask: "it may not change anything",
  plan: "it may not change anything",
  acceptEdits: "it may only edit files",
  never: "it may do anything",
};

const rank = (mode: PermissionMode): number => permissionModes.indexOf(mode);

/** What the mode means for an agent that cannot ask for approval; undefined for others. */
export function unaskedMode({ agent, capabilities, permissionMode, modes }: Session): string | undefined {
  const unheld = unheldWords({ capabilities });
  if (unheld) return `${agent} ${unheld}.`;
  if (capabilities.approvals === "live") return undefined;
  const wider = (["acceptEdits", "never"] as const).filter(
    (mode) => rank(mode) > rank(permissionMode) && (modes?.includes(mode) ?? true),
  );
  const more = wider.length > 0 ? ` To allow more, use mode ${wider.join(" or ")}.` : "";
  if (capabilities.approvals === "gate" && permissionMode === "ask") {
    return `${agent} cannot ask before it acts: you approve the files that each turn has changed (drover permit).`;
  }
  return `${agent} cannot ask for approval: in mode ${permissionMode} ${unasked[permissionMode]}.${more}`;
}

/** The mode that the agent itself reports. */
export const ownMode = ({ name, mayActUnasked }: AgentMode): string =>
  mayActUnasked ? `${name}: may act without asking` : name;
