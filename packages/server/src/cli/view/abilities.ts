import {
  type AgentMode,
  type Capabilities,
  isResumeKnown,
  type PermissionMode,
  permissionModes,
  type Session,
  unheldWords,
} from "@drover/core";

interface Told {
  readonly driver: string;
  readonly capabilities: Capabilities;
  readonly verified?: string | undefined;
  readonly agentSessionId?: string | undefined;
}

/** What differs between agents, in a word each. */
export const abilities = (told: Told): string[] => words(told.capabilities, isResumeKnown(told));

const words = (
  { approvals, heldByMode, amend, steer, resume, fork }: Capabilities,
  isMemoryKnown: boolean,
): string[] => [
  heldByMode ? (approvals === "none" ? "never asks" : "asks") : "may act without asking",
  ...(amend ? ["amends"] : []),
  ...(steer ? ["steers"] : []),
  ...(isMemoryKnown ? [resume ? "resumes" : "no memory"] : []),
  ...(fork ? ["forks"] : []),
];

const unasked: Readonly<Record<PermissionMode, string>> = {
  ask: "it is to change nothing",
  plan: "it is to change nothing",
  acceptEdits: "it edits files by itself, and is to do no more",
  never: "it does whatever it wants to",
};

const rank = (mode: PermissionMode): number => permissionModes.indexOf(mode);

/** What its mode comes to for an agent that asks nobody; nothing of one that does. */
export function unaskedMode({ agent, capabilities, permissionMode, modes }: Session): string | undefined {
  const unheld = unheldWords({ capabilities });
  if (unheld) return `${agent} ${unheld}.`;
  if (capabilities.approvals !== "none") return undefined;
  const wider = (["acceptEdits", "never"] as const).filter(
    (mode) => rank(mode) > rank(permissionMode) && (modes?.includes(mode) ?? true),
  );
  const more = wider.length > 0 ? ` More is allowed by the mode ${wider.join(", or ")}.` : "";
  return `${agent} cannot ask: in mode ${permissionMode} ${unasked[permissionMode]}.${more}`;
}

/** The mode the agent itself says it is in. */
export const ownMode = ({ name, mayActUnasked }: AgentMode): string =>
  mayActUnasked ? `${name}: it may act without asking` : name;
