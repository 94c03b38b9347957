import { ok } from "@drover/core";
import { localWorkspace, type WorkspaceManager } from "../ports.ts";
import { type Comparison, isThere } from "./comparison.ts";

/** The user's own directory: used as it is, and never removed. */
export const localWorkspaces = (comparison: Comparison): WorkspaceManager => ({
  mode: "local",
  create: async ({ directory }) =>
    ok({ workspace: localWorkspace(directory), cwd: directory, isNew: false, notices: [] }),
  async inspect({ cwd }) {
    if (await isThere(cwd)) return { state: "ready" };
    return { state: "missing", message: `The session's directory ${cwd} no longer exists; create it again` };
  },
  restore: async () => ok({ isNew: false }),
  ports: async () => ok(undefined),
  keep: async () => ok(undefined),
  destroy: async () => [],
  ...comparison,
});
