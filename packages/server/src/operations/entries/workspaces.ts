import {
  deletedSessionSchema,
  ok,
  removeWorktreeSchema,
  restoredWorktreeSchema,
  restoreWorktreeSchema,
  worktreeListSchema,
} from "@drover/core";
import { operation } from "../operation.ts";

export const workspaceOperations = [
  operation({
    name: "workspaces.list",
    summary: "Worktrees that Drover made: their sessions, size, changes, and those without a session",
    admission: "anyone",
    output: worktreeListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/workspaces" },
    run: async ({ workspaces }) => ok(await workspaces.list()),
  }),
  operation({
    name: "workspaces.remove",
    summary: "Remove a worktree; its branch stays, and so does its session",
    admission: "person",
    input: removeWorktreeSchema,
    output: deletedSessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/workspaces/rm" },
    run: ({ workspaces }, input) => workspaces.remove(input),
  }),
  operation({
    name: "workspaces.restore",
    summary: "Make a worktree from the work that a removed one left",
    admission: "person",
    input: restoreWorktreeSchema,
    output: restoredWorktreeSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/workspaces/restore" },
    run: ({ workspaces }, input) => workspaces.restore(input),
  }),
];
