import { z } from "zod";
import { bounds } from "./bounds.ts";

export const reviewStates = [
  "none",
  "open",
  "changes_requested",
  "accepted",
  "merging",
  "merged",
  "rejected",
] as const;
export type ReviewState = (typeof reviewStates)[number];

/** What git says about the work of a session in a worktree. */
const reviewFactsSchema = z.object({
  /** The branch that it would be merged into, if it is known. */
  into: z.string().optional(),
  /** How many commits a merge would bring; all uncommitted work counts as one. */
  ahead: z.number(),
  /** How many commits of the target the session doesn't have. */
  behind: z.number(),
  /** The commit that the files are compared with: where the work left the target. */
  base: z.string().optional(),
  /** Files that differ from the base, and lines. */
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  /** Files that both sides changed in different ways. */
  conflicts: z.array(z.string()).optional(),
  /** The files that an update left with conflict markers. */
  unresolved: z.array(z.string()).optional(),
  /** The same for the same files: a decision holds until this changes. */
  work: z.string(),
});
export type ReviewFacts = z.infer<typeof reviewFactsSchema>;

export const checkStates = ["running", "passed", "failed"] as const;

/** How a review stands. */
export const reviewSchema = reviewFactsSchema.extend({
  state: z.enum(reviewStates),
  /** The project's checks of the last merge. */
  checks: z
    .object({
      state: z.enum(checkStates),
      /** The command that runs, or failed. */
      command: z.string(),
      /** The end of its output. */
      /** How a check that failed has ended. */
      reason: z.string().optional(),
      /** The end of its output. */
      tail: z.string().optional(),
    })
    .optional(),
  /** The commit that the work was last merged as. */
  mergedAs: z.string().optional(),
  /** The address of its pull request. */
  pullRequest: z.string().optional(),
});
export type Review = z.infer<typeof reviewSchema>;

/** A person's decisions, which hold as long as the work stays the same. */
const decisions: readonly ReviewState[] = ["changes_requested", "accepted", "rejected"];

/**
 * How a review stands once git was asked again: new work opens it, and without work there is nothing to review. Only the
 * merge itself ends the state `merging`.
 */
export function reviewAfter(before: Review | undefined, facts: ReviewFacts): Review {
  const { checks, mergedAs, pullRequest } = before ?? {};
  const kept = {
    ...(mergedAs === undefined ? {} : { mergedAs }),
    ...(pullRequest === undefined ? {} : { pullRequest }),
  };
  const state = stateAfter(before, facts);
  // The checks of a merge in progress are about the work as it was.
  const isChecked = before?.work === facts.work || state === "merging";
  // A project's target may be another branch than the one that the work was merged into.
  const elsewhere = state === "merged" && before?.into !== facts.into ? before : undefined;
  const where = elsewhere?.into === undefined ? {} : { into: elsewhere.into, behind: elsewhere.behind };
  return { ...facts, ...where, state, ...(checks && isChecked ? { checks } : {}), ...kept };
}

function stateAfter(before: Review | undefined, { work, ahead, files }: ReviewFacts): ReviewState {
  if (before?.state === "merging") return "merging";
  if (ahead === 0 && files === 0) return before?.state === "merged" ? "merged" : "none";
  const isDecided = before !== undefined && decisions.includes(before.state) && before.work === work;
  return isDecided ? before.state : "open";
}

/** A comment on a line, or a range of lines, of the diff against the base. */
export const reviewCommentSchema = z.strictObject({
  path: z.string().min(1).max(bounds.path),
  /** The last line it is about. */
  line: z.number().int().min(1),
  /** The first line, if it is about several. */
  from: z.number().int().min(1).optional(),
  /** `old`: a removed line. */
  side: z.enum(["old", "now"]),
  text: z.string().min(1).max(20_000),
  /** The line itself, as the reviewer saw it. */
  quote: z.string().max(2_000).optional(),
});
export type ReviewComment = z.infer<typeof reviewCommentSchema>;

export const reviewDecisions = ["accept", "request_changes", "reject"] as const;

/** The `work` of the review that the person has seen: if the files have changed since then, nothing happens. */
export const seenWorkSchema = z.string().max(200).optional();

export const decideReviewSchema = z
  .strictObject({
    do: z.enum(reviewDecisions),
    work: seenWorkSchema,
    /** For the agent when changes are requested; otherwise a note. */
    message: z.string().max(100_000).optional(),
    comments: z.array(reviewCommentSchema).max(500).optional(),
  })
  .refine(
    ({ do: decision, message, comments }) =>
      decision !== "request_changes" || message?.trim() || comments?.length,
    {
      message: "Say what to change: a message, comments, or both",
      path: ["message"],
    },
  );
export type DecideReview = z.infer<typeof decideReviewSchema>;
