import { ok, worktreeListSchema } from "@drover/core";
import { operation } from "../operation.ts";

export const workspaceOperations = [
  operation({
    name: "workspaces.list",
    summary: "Worktrees that Drover made: their sessions, size, changes, and those without a session",
    admission: "anyone",
    output: worktreeListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/workspaces" },
    run: async ({ workspaces }) => ok({ workspaces: await workspaces.list() }),
  }),
];
