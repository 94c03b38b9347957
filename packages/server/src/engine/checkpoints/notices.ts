import type { EventBody, SkippedFile, SkipReason } from "@drover/core";
import { spokenDuration } from "../turn/pending-answers.ts";

export type When = "before" | "after";

type Notice = Extract<EventBody, { type: "notice" }>;

interface Skip {
  readonly turnId: string;
  readonly when: When;
  readonly reason: "timeout" | "failed";
  readonly limitMs: number;
  /** The agent would have been allowed to change files. */
  readonly isReadOnly?: boolean;
}

/** A turn continues without a checkpoint. `done` is a turn's last event: what follows it only names the turn. */
export function skipped({ turnId, when, reason, limitMs, isReadOnly }: Skip): Notice {
  const why =
    reason === "timeout" ? `git took longer than ${spokenDuration(limitMs)}` : "git reported an error";
  return {
    type: "notice",
    ...(when === "before" ? { turnId } : {}),
    code: "CHECKPOINT_SKIPPED",
    message: `No checkpoint was taken ${when} this turn because ${why}. ${
      isReadOnly
        ? "Without one, its changes could not be put back, so the agent may only read in this turn."
        : "Drover cannot show or revert what the turn changes."
    }`,
    facts: { turnId, when, reason, limitMs },
  };
}

export const inBackground = (): Notice => ({
  type: "notice",
  code: "CHECKPOINTS_IN_BACKGROUND",
  message:
    "Checkpoints keep failing here, so turns no longer wait for them. Turns that start before one is finished have none.",
  facts: {},
});

const reasons: Readonly<Record<SkipReason, string>> = {
  too_large: "too large",
  unreadable: "unreadable",
  special: "not a regular file",
  repository: "a repository of its own",
};
const NAMED = 5;
const LISTED = 100;

/** The first of these files, and why they are in no checkpoint. */
export function namesOf(files: readonly SkippedFile[]): string {
  const named = files.slice(0, NAMED).map(({ path, reason }) => `${path} (${reasons[reason]})`);
  const more = files.length > NAMED ? [`${files.length - NAMED} more`] : [];
  return [...named, ...more].join(", ");
}

export function incomplete(files: readonly SkippedFile[]): Notice {
  return {
    type: "notice",
    code: "CHECKPOINT_INCOMPLETE",
    message: `Checkpoints leave out ${namesOf(files)}. Drover does not show or revert changes to these.`,
    facts: { files: files.slice(0, LISTED) },
  };
}

const NOTED = 20;

/** A note about files that a person reverted, for the agent's next prompt. */
export function noteFor(files: readonly string[]) {
  const named = files.slice(0, NOTED).join(", ");
  const more = files.length > NOTED ? ` and ${files.length - NOTED} more` : "";
  const content = `A person reverted changes to these files: ${named}${more}. Read them again before you rely on their content.`;
  return { from: "drover", content };
}
