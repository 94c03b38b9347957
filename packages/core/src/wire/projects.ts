import { z } from "zod";
import { bounds, recordOf } from "../bounds.ts";
import type { Immutable } from "./immutable.ts";

export const projectSchema = z.object({
  id: z.string(),
  path: z.string(),
  name: z.string(),
  trusted: z.boolean(),
  /** The names of its variables: values go in, never out. */
  env: z.array(z.string()),
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
});
export type PatchProject = z.infer<typeof patchProjectSchema>;
