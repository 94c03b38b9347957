import { z } from "zod";
import { bounds } from "./bounds.ts";
import { reviewSchema, seenWorkSchema } from "./review.ts";
import { receiptSchema } from "./session/view.ts";

const branch = z
  .string()
  .max(bounds.path)
  .regex(/^[^\0]+$/, "Name a branch, without NUL bytes");

export const mergeQuerySchema = z.strictObject({
  /** The branch to merge into; the project's target, or the branch that the worktree was made from, if omitted. */
  into: branch.optional(),
});
export type MergeQuery = z.infer<typeof mergeQuerySchema>;

/** `merge` keeps the session's commits below a merge commit; `squash` makes one commit of everything. */
export const mergeStrategies = ["merge", "squash"] as const;
export type MergeStrategy = (typeof mergeStrategies)[number];

export const mergeSessionSchema = mergeQuerySchema.extend({
  strategy: z.enum(mergeStrategies).default("merge"),
  work: seenWorkSchema,
  /** The message of the new commit; made from the session's title if omitted. */
  message: z
    .string()
    .max(bounds.value)
    .regex(/^[^\0]*[^\0\s][^\0]*$/, "Describe the change in a commit message, without NUL bytes")
    .optional(),
});
export type MergeSession = z.infer<typeof mergeSessionSchema>;

export const mergedSchema = z.object({
  into: z.string(),
  /** The commit that the branch has now; absent while checks run, or other merges come first. */
  commit: z.string().optional(),
  review: reviewSchema,
});
export type Merged = z.infer<typeof mergedSchema>;

export const updateSessionSchema = z.strictObject({
  /** The branch whose commits the session gets; the one that it would be merged into if omitted. */
  from: branch.optional(),
  /** Ask the agent to resolve the conflicts, if there are any. */
  ask: z.boolean().default(false),
});
export type UpdateSession = z.infer<typeof updateSessionSchema>;

export const updatedSchema = z.object({
  from: z.string(),
  /** The session's new commit; absent while conflicts are unresolved. */
  commit: z.string().optional(),
  /** The files that have conflict markers now. */
  conflicts: z.array(z.string()),
  review: reviewSchema,
  /** For the message that asks the agent. */
  receipt: receiptSchema.optional(),
});
export type Updated = z.infer<typeof updatedSchema>;

/** What a decision did. */
export const reviewedSchema = z.object({
  review: reviewSchema,
  /** For the message that asks the agent for changes. */
  receipt: receiptSchema.optional(),
});
export type Reviewed = z.infer<typeof reviewedSchema>;

/** What merging a session's work would do. Paths are relative to the top of the repository. */
export const mergeabilitySchema = z.object({
  /** The target branch. */
  into: z.string(),
  /** There are no conflicts. */
  mergeable: z.boolean(),
  /** Files that both sides changed in different ways. */
  conflicts: z.array(z.string()),
  /** How many commits the merge would bring; all uncommitted work counts as one. */
  ahead: z.number(),
  /** How many commits of the target the session doesn't have. */
  behind: z.number(),
  /** The working tree in which the target is checked out, if there is one. */
  checkout: z
    .object({
      path: z.string(),
      /** Its changed, untracked or ignored files that the merge would touch. */
      inTheWay: z.array(z.string()),
    })
    .optional(),
});
export type Mergeability = z.infer<typeof mergeabilitySchema>;

/** The commits of a session beyond its base, newest first. */
export const commitListSchema = z.object({
  commits: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      /** The author's name. */
      author: z.string(),
      /** When it was written. */
      at: z.string(),
    }),
  ),
  /** There are more. */
  incomplete: z.literal(true).optional(),
});
export type CommitList = z.infer<typeof commitListSchema>;
