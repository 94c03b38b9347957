import type { PatchProject, Project, Result } from "@drover/core";
import { api } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";

export const patchProject = (id: string, patch: PatchProject): Promise<Result<Project, Problem>> =>
  api("PATCH", `/api/projects/${id}`, patch);

export const removeProject = (id: string): Promise<Result<unknown, Problem>> =>
  api("DELETE", `/api/projects/${id}`);
