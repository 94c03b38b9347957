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

/** A session, or an agent without a chosen mode. */
type Facts = Pick<Session, "capabilities"> &
  Partial<Pick<Session, "permissionMode" | "agentMode">> &
  Parameters<typeof isResumeKnown>[0];

/** How an agent gets permission to act. */
export function approvalWords({ capabilities, permissionMode, agentMode }: Facts): CapabilityWords {
  const unheld = unheldWords({ capabilities, agentMode });
  if (unheld) return { can: false, words: sentence(unheld) };
  const mode = permissionMode && modeWords[permissionMode].name;
  switch (capabilities.approvals) {
    case "live":
      return { can: true, words: "Asks before it acts and waits for your answer." };
    case "gate":
      return permissionMode === "ask"
        ? { can: true, words: "You approve the files that each turn in a worktree has changed." }
        : neverAsks(mode);
    case "none":
      return neverAsks(mode);
  }
}

const neverAsks = (mode: string | undefined): CapabilityWords => ({
  can: false,
  words: `This agent can't ask for approval. Its mode${mode ? ` (${mode})` : ""} decides what it may do.`,
});

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** What a mode means for an agent that cannot ask. The agent itself enforces it. */
const unasked: Readonly<Partial<Record<PermissionMode, string>>> = {
  ask: "Can't ask for approval, so it only does what needs none.",
  acceptEdits: "Edits files without asking. It can't ask for anything else.",
};

const gated =
  "In a worktree, it works in its sandbox, and you approve the files that each turn has changed. Elsewhere, it only does what needs no approval.";

/** What a mode means for an agent, in one sentence. */
export function modeMeaning(mode: PermissionMode, capabilities: Capabilities | undefined): string {
  const unheld = capabilities && unheldWords({ capabilities });
  if (unheld) return sentence(unheld);
  const asks = capabilities?.approvals === "live";
  if (capabilities?.approvals === "gate" && mode === "ask") return gated;
  return (capabilities && !asks ? unasked[mode] : undefined) ?? modeWords[mode].meaning;
}

type Flag = { [K in keyof Capabilities]: Capabilities[K] extends boolean ? K : never }[keyof Capabilities];

const flags: Readonly<Record<Exclude<Flag, "heldByMode">, readonly [can: string, cannot: string]>> = {
  amend: [
    "You can change a command or edit before you approve it.",
    "You can't change a command or edit before you approve it.",
  ],
  denyReason: [
    "Sees your reason when you deny a request.",
    "Doesn't see your reason when you deny a request.",
  ],
  steer: [
    "Can be steered: it reads your messages while it works.",
    "Can't be steered: your messages wait until the turn ends.",
  ],
  images: ["Takes images with a message.", "Can't take images."],
  resume: [
    "Resumes the conversation after its process ends.",
    "Forgets the conversation when its process ends. Drover then sends it the history.",
  ],
  fork: ["Can be forked: a new session can continue from any point.", "Can be forked only into a worktree."],
  freshContext: [
    "Gets the current state of the project every turn.",
    "Gets the state of the project only when it starts.",
  ],
  reattach: ["Keeps working while Drover restarts.", "Stops when Drover restarts."],
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
      : { can: true, words: "Gets your instructions at the start of the first message." },
    capabilities.completion === "event"
      ? { can: true, words: "Reports when a turn is done." }
      : { can: false, words: "Doesn't report when it is done: a turn ends when its process does." },
  ];
}

/** How an agent treats the settings, hooks and tools of a repository. */
export const trustWords = (lacks: readonly Lack[]): CapabilityWords =>
  lacks.includes("distrust")
    ? { can: false, words: "Uses a repository's own settings even if you don't trust the project." }
    : { can: true, words: "Ignores a repository's own settings until you trust the project." };
