import { z } from "zod";
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

export const worktreeListSchema = z.object({ workspaces: z.array(worktreeInfoSchema) });
