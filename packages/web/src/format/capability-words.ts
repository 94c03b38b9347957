import {
  type Capabilities,
  isResumeKnown,
  type Lack,
  type PermissionMode,
  type Session,
  unheldWords,
} from "@drover/core";
import { modeWords } from "./words.ts";

export interface CapabilityWords {
  readonly can: boolean;
  readonly words: string;
}

/** A session, or an agent nobody has chosen a mode for yet. */
type Facts = Pick<Session, "capabilities"> &
  Partial<Pick<Session, "permissionMode" | "agentMode">> &
  Parameters<typeof isResumeKnown>[0];

/** What an agent's permission to act rests on. */
export function approvalWords({ capabilities, permissionMode, agentMode }: Facts): CapabilityWords {
  const unheld = unheldWords({ capabilities, agentMode });
  if (unheld) return { can: false, words: sentence(unheld) };
  const mode = permissionMode && modeWords[permissionMode].name;
  switch (capabilities.approvals) {
    case "live":
      return { can: true, words: "Asks before it acts, and waits for your answer." };
    case "gate":
      return { can: true, words: "Is held by Drover before it acts, until you answer." };
    case "none":
      return {
        can: false,
        words: `This agent cannot ask: its mode${mode ? `, ${mode},` : ""} decides beforehand.`,
      };
  }
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** What a mode comes to where nothing can be asked: the agent's own program keeps to it. */
const unasked: Readonly<Partial<Record<PermissionMode, string>>> = {
  ask: "It cannot ask: its program keeps it to what needs no asking, as far as it can.",
  acceptEdits: "Edits files by itself. It cannot ask for more.",
};

/** What an agent does in a mode, in one sentence. */
export function modeMeaning(mode: PermissionMode, capabilities: Capabilities | undefined): string {
  const unheld = capabilities && unheldWords({ capabilities });
  if (unheld) return sentence(unheld);
  return (capabilities?.approvals === "none" ? unasked[mode] : undefined) ?? modeWords[mode].meaning;
}

type Flag = { [K in keyof Capabilities]: Capabilities[K] extends boolean ? K : never }[keyof Capabilities];

const flags: Readonly<Record<Exclude<Flag, "heldByMode">, readonly [can: string, cannot: string]>> = {
  amend: [
    "Takes a changed command or edit when you approve.",
    "Runs exactly what it asked for; it cannot be changed when you approve.",
  ],
  denyReason: ["Hears why you deny something.", "Does not hear why you deny something."],
  steer: [
    "Can be steered: it takes your words while it works.",
    "Cannot be steered: what you write waits until the turn ends.",
  ],
  resume: [
    "Goes on with the conversation after its process has ended.",
    "Forgets the conversation when its process ends; Drover tells it what was said.",
  ],
  fork: ["Can be forked: a copy goes its own way from any point.", "Cannot be forked."],
  freshContext: [
    "Learns anew, every turn, how the project stands.",
    "Learns how the project stands only when it starts.",
  ],
  reattach: ["Works on while Drover restarts.", "Is stopped when Drover restarts."],
};

export function capabilityWords(session: Facts): readonly CapabilityWords[] {
  const { capabilities } = session;
  return [
    approvalWords(session),
    ...(Object.keys(flags) as (keyof typeof flags)[])
      .filter((flag) => flag !== "resume" || isResumeKnown(session))
      .map((flag) => {
        const can = capabilities[flag];
        const [yes, no] = flags[flag];
        return { can, words: can ? yes : no };
      }),
    capabilities.systemText === "system"
      ? { can: true, words: "Gets your instructions as part of its system prompt." }
      : { can: true, words: "Gets your instructions at the head of a conversation's first message." },
    capabilities.completion === "event"
      ? { can: true, words: "Says itself when a turn is done." }
      : { can: false, words: "Does not say when it is done: its turn ends when its process does." },
  ];
}

/** What becomes of settings, hooks and tools that a repository brings for its agents. */
export const trustWords = (lacks: readonly Lack[]): CapabilityWords =>
  lacks.includes("distrust")
    ? { can: false, words: "Heeds the settings a repository brings, whether you trust the project or not." }
    : { can: true, words: "Leaves the settings a repository brings alone until you trust the project." };
