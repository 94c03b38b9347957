// The parts of the in-memory service other than sessions: agents, projects and the server itself.
import { ok, type Project, permissionModes, reject } from "@drover/core";
import type { Service } from "../../src/service.ts";
import { capabilities, newId, notFound } from "./fake-session.ts";

/** One agent, demo, which is installed. */
export function fakeAgents(calls: string[]): Service["agents"] {
  const agents: Service["agents"] = {
    list: async () => [
      {
        ...{ agent: "demo", name: "Demo", driver: "acp", command: "demo", installed: true, login: "ok" },
        connections: [],
        capabilities,
        modes: permissionModes,
        lacks: [],
      },
    ],
    add: async (agent) => {
      calls.push("agents.add");
      const [demo] = await agents.list();
      return demo && agent === "demo" ? ok(demo) : notFound("agent");
    },
    conversations: async (agent, { cwd = "/home/me" }) => {
      if (agent !== "demo") return notFound("agent");
      if (cwd === "/etc") return reject("OUTSIDE_BOUNDARY", "/etc is outside");
      const updatedAt = "2026-01-01T00:00:00.000Z";
      return ok({ conversations: [{ agentSessionId: "outside-1", title: "Earlier", cwd, updatedAt }] });
    },
    reconnect: async (agent) =>
      agent === "demo"
        ? ok({ reconnecting: 0 })
        : reject("UNSUPPORTED_CLI", "unknown", { allowed: ["demo"] }),
  };
  return agents;
}

export function fakeProjects(calls: string[]): Service["projects"] {
  const projects: Project[] = [];
  return {
    list: async () => projects,
    add: async ({ path, name = "project" }) => {
      calls.push("projects.add");
      const project = { id: newId("project"), path, name, trusted: false, env: [], setup: [] };
      projects.push(project);
      return ok(project);
    },
    patch: async (id) => {
      const project = projects.find((each) => each.id === id);
      return project ? ok(project) : notFound("project");
    },
    remove: async (id) => {
      const at = projects.findIndex((project) => project.id === id);
      if (at < 0) return notFound("project");
      projects.splice(at, 1);
      return ok({ deleted: true });
    },
  };
}

/** There are none. */
export const fakeAccounts: Service["accounts"] = {
  list: async () => [],
  discover: async () => ok({ found: [] }),
  ...{ get: async () => notFound("account"), add: async () => notFound("agent") },
  ...{ patch: async () => notFound("account"), remove: async () => notFound("account") },
  clear: async () => notFound("account"),
};

export const fakeWorkspaces: Service["workspaces"] = {
  list: async () => ({ workspaces: [], kept: [] }),
  remove: async () => notFound("worktree"),
  restore: async () => notFound("kept work"),
};

/** No session works in a worktree. */
export function fakeReviews(
  use: (name: string, id: string) => ReturnType<typeof reject>,
): Service["reviews"] {
  return {
    get: async (id) => use("reviews.get", id),
    decide: async (id) => use("reviews.decide", id),
    mergeability: async (id) => use("reviews.mergeability", id),
    commits: async (id) => use("reviews.commits", id),
    merge: async (id) => use("reviews.merge", id),
    update: async (id) => use("reviews.update", id),
    requestPull: async (id) => use("reviews.requestPull", id),
  };
}

export const fakePaths: Service["paths"] = {
  files: async () => ok({ files: [] }),
  directories: async () => ok({ directories: [] }),
  workspace: async () => ok({ workspace: "local" as const }),
};

export const fakeServer: Service["server"] = {
  config: () => ({
    home: "/home/me/.drover",
    file: "/home/me/.drover/drover.yaml",
    settings: {},
    agents: [],
  }),
  doctor: async () => ({ ok: true, findings: [{ check: "node", status: "ok", message: "24.0.0" }] }),
};
