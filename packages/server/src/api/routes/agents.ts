import {
  addProjectSchema,
  agentInfoSchema,
  conversationListSchema,
  deletedSchema,
  ok,
  patchProjectSchema,
  projectSchema,
} from "@drover/core";
import { z } from "zod";
import { route } from "../http/route.ts";
import { projectById } from "../projects.ts";
import { pathQuery } from "../schemas.ts";

export const agentRoutes = [
  route({
    method: "GET",
    path: "/api/agents",
    admission: "anyone",
    summary: "Agents that can be run, and how each stands",
    response: z.object({ agents: z.array(agentInfoSchema) }),
    handle: async (_call, { deps }) => ok({ agents: await deps.service.agents.list() }),
  }),
  route({
    method: "GET",
    path: "/api/agents/:agent/conversations",
    admission: "anyone",
    summary:
      "Conversations an agent has had, here or outside; create a session with one's id to go on with it",
    query: z.object({ cwd: pathQuery }),
    response: conversationListSchema,
    handle: ({ params, query }, { deps }) => deps.service.agents.conversations(params.agent, query),
  }),
  route({
    method: "POST",
    path: "/api/agents/:agent/add",
    admission: "person",
    summary: "Install an agent's program from npm; answered when it is there",
    response: agentInfoSchema,
    handle: ({ params }, { deps }) => deps.service.agents.add(params.agent),
  }),
  route({
    method: "POST",
    path: "/api/agents/:agent/reconnect",
    admission: "person",
    summary: "Try again to reach every disconnected process of an agent",
    status: 202,
    response: z.object({ reconnecting: z.number() }),
    handle: ({ params }, { deps }) => deps.service.agents.reconnect(params.agent),
  }),
];

export const projectRoutes = [
  route({
    method: "GET",
    path: "/api/projects",
    admission: "anyone",
    summary: "Directories people work in",
    response: z.object({ projects: z.array(projectSchema) }),
    handle: async (_call, { deps }) => ok({ projects: await deps.service.projects.list() }),
  }),
  route({
    method: "POST",
    path: "/api/projects",
    admission: "person",
    summary: "Add a project",
    body: addProjectSchema,
    status: 201,
    response: projectSchema,
    handle: ({ body }, { deps }) => deps.service.projects.add(body),
  }),
  route({
    method: "GET",
    path: "/api/projects/:projectId",
    admission: "anyone",
    summary: "One project",
    response: projectSchema,
    handle: ({ params }, { deps }) => projectById(deps.service, params.projectId),
  }),
  route({
    method: "PATCH",
    path: "/api/projects/:projectId",
    admission: "person",
    summary: "Rename or trust a project, or set its environment",
    body: patchProjectSchema,
    response: projectSchema,
    handle: ({ params, body }, { deps }) => deps.service.projects.patch(params.projectId, body),
  }),
  route({
    method: "DELETE",
    path: "/api/projects/:projectId",
    admission: "person",
    summary: "Forget a project; its directory and sessions stay",
    response: deletedSchema,
    handle: ({ params }, { deps }) => deps.service.projects.remove(params.projectId),
  }),
];
