import type { Service } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { managerOf } from "./manager-of.ts";

/** The worktrees of all sessions, and orphaned ones. */
export function workspacesService({ deps, projects }: EngineContext): Service["workspaces"] {
  return {
    async list() {
      const rows = await deps.store.ownWorkspaces();
      // Forks share a worktree: it is listed once, with the first session.
      const first = new Map(rows.toReversed().map((row) => [row.workspace.path, row]));
      const known = [...first.values()].map(({ workspace }) => workspace);
      const directories = (await projects.asService().list()).map(({ path }) => path);
      const tops = await Promise.all(directories.map((directory) => deps.repositoryTop(directory)));
      const all = [...known.map(({ repository }) => repository?.top), ...tops];
      const distinct = [...new Set(all.filter((top) => top !== undefined))];
      const surveyed = await managerOf(deps, { mode: "worktree" }).survey(known, distinct);
      return surveyed.map((each) => {
        const row = first.get(each.path);
        const session = row && { session: { id: row.id, name: row.name } };
        return { ...each, ...session, orphaned: row === undefined };
      });
    },
  };
}
