import type { Result } from "@drover/core";
import { api } from "../transport/http.ts";
import type { Problem, Project } from "../transport/wire.ts";

export interface ProjectDetails extends Project {
  readonly trusted: boolean;
  /** The names of its variables: values go in and never come out. */
  readonly env: readonly string[];
}

interface ProjectPatch {
  readonly name?: string;
  readonly trusted?: boolean;
  readonly env?: Readonly<Record<string, string | null>>;
}

export const patchProject = (id: string, patch: ProjectPatch): Promise<Result<ProjectDetails, Problem>> =>
  api("PATCH", `/api/projects/${id}`, patch);

export const removeProject = (id: string): Promise<Result<unknown, Problem>> =>
  api("DELETE", `/api/projects/${id}`);
