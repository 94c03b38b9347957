import {
  addProjectSchema,
  deletedSchema,
  ok,
  type Project,
  patchProjectSchema,
  projectListSchema,
  projectSchema,
  reject,
} from "@drover/core";
import type { Answer, Service } from "../../service.ts";
import { operation } from "../operation.ts";

export async function projectById({ projects }: Service, id: string): Answer<Project> {
  const project = (await projects.list()).find((each) => each.id === id);
  if (project) return ok(project);
  return reject("NOT_FOUND", `There is no project "${id}"; list them with GET /api/projects`, {
    what: "project",
  });
}

export const projectOperations = [
  operation({
    name: "projects.list",
    summary: "Directories people work in",
    admission: "anyone",
    output: projectListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/projects" },
    socket: { type: "project:list", reply: "project:list" },
    run: async ({ projects }) => ok({ projects: await projects.list() }),
  }),
  operation({
    name: "projects.add",
    summary: "Add a project",
    admission: "person",
    input: addProjectSchema,
    output: projectSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/projects", status: 201 },
    socket: { type: "project:add", reply: "project:added", frame: (project) => ({ project }) },
    run: ({ projects }, input) => projects.add(input),
  }),
  operation({
    name: "projects.get",
    summary: "One project",
    admission: "anyone",
    output: projectSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/projects/:projectId" },
    run: (service, { projectId }) => projectById(service, projectId),
  }),
  operation({
    name: "projects.update",
    summary: "Rename or trust a project, or change its settings",
    admission: "person",
    input: patchProjectSchema,
    output: projectSchema,
    idempotent: true,
    http: { method: "PATCH", path: "/api/projects/:projectId" },
    run: ({ projects }, { projectId, ...patch }) => projects.patch(projectId, patch),
  }),
  operation({
    name: "projects.remove",
    summary: "Forget a project; its directory and sessions stay",
    admission: "person",
    output: deletedSchema,
    idempotent: true,
    http: { method: "DELETE", path: "/api/projects/:projectId" },
    socket: {
      type: "project:remove",
      reply: "project:removed",
      frame: (_deleted, { projectId }) => ({ projectId }),
    },
    run: ({ projects }, { projectId }) => projects.remove(projectId),
  }),
];
