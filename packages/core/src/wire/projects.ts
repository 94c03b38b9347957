import { z } from "zod";
import { bounds, recordOf } from "../bounds.ts";
import type { Immutable } from "./immutable.ts";

/** Workspaces that a project can choose for its new sessions. */
export const projectWorkspaces = ["local", "worktree"] as const;

/** A program and its arguments; no shell is involved. */
const commandSchema = z.array(z.string().max(bounds.value)).min(1).max(200);

const commandsSchema = z
  .array(commandSchema.refine(([program]) => program !== "", "the program's name is empty"))
  .max(50);

export const projectSchema = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  trusted: z.boolean(),
  /** The names of its variables: values go in, never out. */
  env: z.array(z.string()),
  /** Commands that run in a new worktree before its first turn. */
  setup: z.array(z.array(z.string())),
  /** The workspace of a session that doesn't specify one; absent: the server's `sessions.workspace`. */
  workspace: z.enum(projectWorkspaces).optional(),
  /** Commands that must succeed on the result before a merge. */
  checks: z.array(z.array(z.string())).optional(),
  /** The branch that work is merged into; absent: the one that a worktree was made from. */
  target: z.string().optional(),
});
export type Project = Immutable<z.infer<typeof projectSchema>>;

export const projectListSchema = z.object({ projects: z.array(projectSchema) });

export const addProjectSchema = z.strictObject({
  path: z.string().min(1).max(bounds.path),
  name: z.string().min(1).max(200).optional(),
});
export type AddProject = z.infer<typeof addProjectSchema>;

export const patchProjectSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  trusted: z.boolean().optional(),
  env: recordOf(
    z
      .string()
      .max(bounds.name)
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "a variable's name has letters, digits and _ only"),
    z.string().max(bounds.value).nullable(),
    200,
  ).optional(),
  setup: commandsSchema.optional(),
  /** Null goes back to the server's default. */
  workspace: z.enum(projectWorkspaces).nullable().optional(),
  checks: commandsSchema.optional(),
  /** Null: the branch that a worktree was made from. */
  target: z
    .string()
    .max(bounds.path)
    .regex(/^[^\0-][^\0]*$/, "Name a branch")
    .nullable()
    .optional(),
});
export type PatchProject = z.infer<typeof patchProjectSchema>;
