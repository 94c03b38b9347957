import { z } from "zod";
import { bounds } from "./bounds.ts";
import type { Immutable } from "./wire/immutable.ts";

export const workspaceModes = ["local", "worktree", "container"] as const;
export type WorkspaceMode = (typeof workspaceModes)[number];

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
  /** The next commit would contain something else than the working tree has; see `stagedHeading`. */
  staged: z.literal(true).optional(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** Where a session works, and what has changed there; without a repository nothing is known to have changed. */
export const workspaceChangesSchema = z.object({
  mode: z.enum(workspaceModes),
  path: z.string(),
  /** Absent outside a repository, and while HEAD is detached. */
  branch: z.string().optional(),
  /** The commit that files are compared with, or the empty tree before there is one. Absent outside a repository. */
  base: z.string().optional(),
  /** False: there is no repository to compare with. */
  versioned: z.boolean(),
  files: z.array(changedFileSchema),
});
export type WorkspaceChanges = z.infer<typeof workspaceChangesSchema>;

/** Where a session works. */
export const sessionWorkspaceSchema = z.object({
  mode: z.enum(workspaceModes),
  /** The top of its own files: a worktree's, or the session's directory. */
  path: z.string(),
  /** The directory a person chose. Its project counts, also for a worktree. */
  projectDir: z.string(),
  branch: z.string().optional(),
  /** What its branch started from: a name, and the commit of that moment. */
  base: z.object({ ref: z.string(), commit: z.string() }).optional(),
  /** The first and the last of its own TCP ports. */
  ports: z.tuple([z.number(), z.number()]).optional(),
  confined: z.boolean(),
});

/** Why a workspace could not be made. */
export const workspaceFailures = [
  "no_repository",
  "no_commits",
  "branch_in_use",
  "path_taken",
  "git_locked",
  "commondir_forged",
  "partial_clone",
  "invalid_path",
  "disk",
  "timeout",
] as const;
export type WorkspaceFailure = (typeof workspaceFailures)[number];

/** The most lines of a file that one answer has. */
export const maxFileLines = 1_000;
const lineNumber = z.coerce.number().int().min(1);

/** What a working copy can be compared with; without a branch of its own, a session's base is its start. */
export const comparisons = ["head", "start", "base"] as const;
export type Comparison = (typeof comparisons)[number];

/**
 * Which changes: those of a turn, what this session has otherwise than another one, or else those since the last commit
 * (`head`, the default), since the session began (`start`) or since its branch did (`base`).
 */
export const changesQuerySchema = z.strictObject({
  turn: z.string().max(bounds.id).optional(),
  against: z.enum(comparisons).optional(),
  /** The other session, by id or name. */
  with: z.string().max(bounds.id).optional(),
});
export type ChangesQuery = Immutable<z.infer<typeof changesQuerySchema>>;

/** Lines `from` to `to` of a changed file, before or after these changes. */
export const fileLinesQuerySchema = changesQuerySchema
  .extend({
    path: z.string().min(1).max(bounds.path),
    side: z.enum(["before", "after"]),
    from: lineNumber,
    to: lineNumber,
  })
  .refine(({ from, to }) => to >= from && to - from < maxFileLines, {
    message: `from and to must span 1 to ${maxFileLines} lines`,
    path: ["to"],
  });
export type FileLinesQuery = Immutable<z.infer<typeof fileLinesQuerySchema>>;
export type FileRange = Omit<FileLinesQuery, keyof ChangesQuery>;

export const fileLinesSchema = z.object({
  path: z.string(),
  side: z.enum(["before", "after"]),
  /** The number of the first of these lines. */
  from: z.number(),
  /** How many lines the file has. */
  total: z.number(),
  /** Without their line feeds. Bytes that are not UTF-8 are U+FFFD. */
  lines: z.array(z.string()),
});
export type FileLines = Immutable<z.infer<typeof fileLinesSchema>>;
/** Files that match what was typed, best first; paths are relative to the directory. */
export const fileMatchesSchema = z.object({
  files: z.array(z.object({ path: z.string() })),
  /** The directory has more files than were searched. */
  incomplete: z.literal(true).optional(),
});
export type FileMatches = z.infer<typeof fileMatchesSchema>;

/** Directories that match what was typed, best first. */
export const directoryMatchesSchema = z.object({ directories: z.array(z.object({ path: z.string() })) });
export type DirectoryMatches = z.infer<typeof directoryMatchesSchema>;

/** Where a session in a directory would work. */
export const directoryWorkspaceSchema = z.object({
  /** The top of the repository it is in. Without one, no worktree can be made. */
  repository: z.string().optional(),
  /** The workspace that a session gets unless it asks for another. */
  workspace: z.enum(workspaceModes),
});
export type DirectoryWorkspace = z.infer<typeof directoryWorkspaceSchema>;

/** What was typed so far, and how many matches are wanted. */
export interface MatchQuery {
  readonly query: string;
  readonly limit: number;
}
