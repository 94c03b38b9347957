import { type Rejection, type Result, reject } from "@drover/core";

/** Where a client can list each kind. */
const lists = {
  session: "GET /api/sessions",
  agent: "GET /api/agents",
  account: "GET /api/accounts",
  project: "GET /api/projects",
  worktree: "GET /api/workspaces",
  proposal: "GET /api/sessions/:id/proposals",
  attachment: "GET /api/sessions/:id/messages",
} as const;

export const notFound = (what: keyof typeof lists, name: string): Result<never, Rejection> =>
  reject("NOT_FOUND", `There is no ${what} ${name}; list them with ${lists[what]}`, { what });

export const sessionDeleted: Rejection = {
  code: "NOT_FOUND",
  message: "The session was deleted",
  facts: { what: "session" },
};
