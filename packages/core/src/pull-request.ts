import { z } from "zod";
import { bounds } from "./bounds.ts";
import { reviewSchema } from "./review.ts";

export const requestPullSchema = z.strictObject({
  /** Of a new pull request; the session's title if omitted. */
  title: z
    .string()
    .max(500)
    .regex(/^[^\0]*[^\0\s][^\0]*$/, "Give it a title, without NUL bytes")
    .optional(),
  /** The description of a new pull request, in Markdown. */
  body: z
    .string()
    .max(40_000)
    .regex(/^[^\0]*$/, "Leave out NUL bytes")
    .optional(),
  /** The name of the remote; that of the target's upstream, `origin`, or the only one if omitted. */
  remote: z.string().min(1).max(bounds.value).optional(),
});
export type RequestPull = z.infer<typeof requestPullSchema>;

export const pullRequestedSchema = z.object({
  /** The branch that was pushed; it has the same name there. */
  branch: z.string(),
  remote: z.string(),
  commit: z.string(),
  /** There is a pull request now: a new one, or one that was open already. */
  isOpened: z.boolean(),
  /** The address of the pull request, or of the page that opens one; absent for an unknown host. */
  url: z.string().optional(),
  /** Why the program that opens pull requests could not open this one. */
  problem: z.string().optional(),
  review: reviewSchema,
});
export type PullRequested = z.infer<typeof pullRequestedSchema>;
