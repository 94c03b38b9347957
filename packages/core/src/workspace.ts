import { z } from "zod";

export const changeStatuses = [
  "added",
  "modified",
  "deleted",
  "renamed",
  "copied",
  "untracked",
  "conflicted",
] as const;
export type ChangeStatus = (typeof changeStatuses)[number];

/** A file of a working copy that differs from the last commit. */
export const changedFileSchema = z.object({
  /** Relative to the workspace's own path. */
  path: z.string(),
  /** Where a renamed or copied file was. */
  from: z.string().optional(),
  status: z.enum(changeStatuses),
  /** Lines; 0 and 0 if lines do not count. */
  added: z.number(),
  removed: z.number(),
  binary: z.literal(true).optional(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** Where a session works, and what has changed there; without a repository nothing is known to have changed. */
export const workspaceChangesSchema = z.object({
  mode: z.enum(["local", "worktree", "container"]),
  path: z.string(),
  /** Absent outside a repository, and while HEAD is detached. */
  branch: z.string().optional(),
  /** False: there is no repository to compare with. */
  versioned: z.boolean(),
  files: z.array(changedFileSchema),
});
export type WorkspaceChanges = z.infer<typeof workspaceChangesSchema>;
