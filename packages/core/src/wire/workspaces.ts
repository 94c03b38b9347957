import { z } from "zod";
import { bounds } from "../bounds.ts";
import type { Immutable } from "./immutable.ts";

/** A worktree that Drover made, whether or not a session still has it. */
export const worktreeInfoSchema = z.object({
  path: z.string(),
  /** The top of the repository it belongs to. */
  repository: z.string(),
  /** Absent while its HEAD is detached, and if it is no longer registered. */
  branch: z.string().optional(),
  /** Who works in it; nobody if it is orphaned. */
  session: z.object({ id: z.string(), name: z.string() }).optional(),
  orphaned: z.boolean(),
  state: z.enum(["ready", "missing", "altered"]),
  /** How many files are in no commit; absent if git can't tell. */
  dirty: z.number().optional(),
  /** Commits that the repository's checkout doesn't have. */
  ahead: z.number().optional(),
  /** It had commits of its own, and the checkout has all of them. */
  merged: z.boolean(),
  /** Bytes on disk, links not followed; at least this many if it is very large. */
  size: z.number(),
});
export type WorktreeInfo = Immutable<z.infer<typeof worktreeInfoSchema>>;

/** Work that a removed worktree left, in a commit that only this ref names. */
export const keptWorkSchema = z.object({
  /** `refs/drover/kept/NAME/TIME`. */
  ref: z.string(),
  name: z.string(),
  /** The top of the repository that has it. */
  repository: z.string(),
  at: z.string(),
});
export type KeptWorkInfo = Immutable<z.infer<typeof keptWorkSchema>>;

export const worktreeListSchema = z.object({
  workspaces: z.array(worktreeInfoSchema),
  kept: z.array(keptWorkSchema),
});
export type WorktreeList = Immutable<z.infer<typeof worktreeListSchema>>;

export const removeWorktreeSchema = z.strictObject({
  path: z.string().min(1).max(bounds.path),
  /** Uncommitted work is kept in a ref instead of preventing the removal. */
  force: z.boolean().default(false),
});
export type RemoveWorktree = z.infer<typeof removeWorktreeSchema>;

export const restoreWorktreeSchema = z.strictObject({
  /** A ref of the list, or only NAME for the latest of that name. */
  ref: z.string().min(1).max(bounds.path),
  /** The top of its repository; needed only if several repositories have such a ref. */
  repository: z.string().min(1).max(bounds.path).optional(),
});
export type RestoreWorktree = z.infer<typeof restoreWorktreeSchema>;

/** A worktree made from kept work. `reattach` gives it to a session of the same name. */
export const restoredWorktreeSchema = z.object({
  path: z.string(),
  repository: z.string(),
  branch: z.string(),
  /** The ref whose work it has; the ref is gone. */
  ref: z.string(),
});
export type RestoredWorktree = z.infer<typeof restoredWorktreeSchema>;
