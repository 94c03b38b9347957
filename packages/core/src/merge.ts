import { z } from "zod";
import { bounds } from "./bounds.ts";

export const mergeQuerySchema = z.strictObject({
  /** The branch to merge into; the branch that the worktree was made from if omitted. */
  into: z
    .string()
    .max(bounds.path)
    .regex(/^[^\0]+$/, "Name a branch, without NUL bytes")
    .optional(),
});
export type MergeQuery = z.infer<typeof mergeQuerySchema>;

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
