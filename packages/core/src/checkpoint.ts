import { z } from "zod";
import { bounds } from "./bounds.ts";

export const skipReasons = ["too_large", "unreadable", "special", "repository"] as const;
export type SkipReason = (typeof skipReasons)[number];

/** A file that is in no checkpoint, and that Drover therefore never puts back. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

/** How many files a turn changed, and how many lines. */
export const turnChangesSchema = z.object({
  files: z.number(),
  added: z.number(),
  removed: z.number(),
  /** The turn whose changes were reverted; then nobody else's are counted. */
  reverts: z.string().optional(),
  /** Only some of its files were reverted. */
  partly: z.literal(true).optional(),
  /** A person discarded changes; then there was no turn. */
  discarded: z.literal(true).optional(),
});
export type TurnChanges = z.infer<typeof turnChangesSchema>;

const maxPaths = 1_000;
const pathsSchema = z.array(z.string().min(1).max(bounds.path)).min(1).max(maxPaths);

export const revertTurnSchema = z.strictObject({
  /** The last turn whose changes are still there, if omitted. */
  turnId: z.string().max(100).optional(),
  /** Only these files, relative to the top of the repository; all that the turn changed if omitted. */
  paths: pathsSchema.optional(),
  /** Revert files even if they have changed since. */
  force: z.boolean().default(false),
});
export type RevertTurn = z.infer<typeof revertTurnSchema>;

export const revertedSchema = z.object({
  /** Reverting this reverts the revert. */
  turnId: z.string(),
  reverted: z.string(),
  files: z.array(z.string()),
});
export type Reverted = z.infer<typeof revertedSchema>;

const maxPatch = 1_048_576;

export const discardChangesSchema = z
  .strictObject({
    /**
     * These files, or everything in these directories, go back to the last commit; untracked files are removed. Paths
     * are relative to the session's directory.
     */
    paths: pathsSchema.optional(),
    /** One hunk of the session's diff since the last commit, with the header of its file: it is taken out again. */
    patch: z.string().min(1).max(maxPatch).optional(),
  })
  .refine(({ paths, patch }) => (paths === undefined) !== (patch === undefined), {
    message: "Name either the files to discard (`paths`) or one hunk (`patch`)",
    path: ["paths"],
  });
export type DiscardChanges = z.infer<typeof discardChangesSchema>;

export const discardedSchema = z.object({
  /** Reverting this brings the changes back. */
  turnId: z.string(),
  /** Relative to the session's directory. */
  files: z.array(z.string()),
});
export type Discarded = z.infer<typeof discardedSchema>;

const maxCommitMessage = 65_536;

export const commitChangesSchema = z.strictObject({
  message: z
    .string()
    .max(maxCommitMessage)
    .regex(/^[^\0]*[^\0\s][^\0]*$/, "Describe the change in a commit message, without NUL bytes"),
  /** Only these files or directories, relative to the session's directory; everything below it if omitted. */
  paths: pathsSchema.optional(),
});
export type CommitChanges = z.infer<typeof commitChangesSchema>;

export const committedSchema = z.object({
  /** The id of the new commit. */
  commit: z.string(),
  /** The branch it was added to. */
  branch: z.string(),
  /** Relative to the session's directory. */
  files: z.array(z.string()),
});
export type Committed = z.infer<typeof committedSchema>;

/**
 * Why Drover does not commit. `merge` to `revert`: that is in progress; `branch_in_use`: another working tree is on the
 * branch; `moved`: the branch has another commit by now.
 */
export const commitRefusals = [
  "merge",
  "rebase",
  "cherry_pick",
  "revert",
  "branch_in_use",
  "conflicts",
  "detached",
  "filter",
  "links",
  "locked",
  "moved",
] as const;
export type CommitRefusal = (typeof commitRefusals)[number];

export const summarize = (
  files: readonly { readonly added: number; readonly removed: number }[],
): TurnChanges => ({
  files: files.length,
  added: files.reduce((sum, { added }) => sum + added, 0),
  removed: files.reduce((sum, { removed }) => sum + removed, 0),
});
