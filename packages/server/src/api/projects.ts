import { ok, type Project, type Rejection, type Result, reject } from "@drover/core";
import type { Service } from "../service.ts";

export async function projectById({ projects }: Service, id: string): Promise<Result<Project, Rejection>> {
  const project = (await projects.list()).find((each) => each.id === id);
  if (project) return ok(project);
  return reject("NOT_FOUND", `There is no project "${id}"; list them with GET /api/projects`, {
    what: "project",
  });
}
