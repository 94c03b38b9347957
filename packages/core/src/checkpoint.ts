import { z } from "zod";

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
});
export type TurnChanges = z.infer<typeof turnChangesSchema>;

const maxPaths = 1_000;

export const revertTurnSchema = z.strictObject({
  /** The last turn whose changes are still there, if omitted. */
  turnId: z.string().max(100).optional(),
  /** Only these files, relative to the top of the repository; all that the turn changed if omitted. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(maxPaths).optional(),
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

export const summarize = (
  files: readonly { readonly added: number; readonly removed: number }[],
): TurnChanges => ({
  files: files.length,
  added: files.reduce((sum, { added }) => sum + added, 0),
  removed: files.reduce((sum, { removed }) => sum + removed, 0),
});
