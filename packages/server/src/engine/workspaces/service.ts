import type { Service } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { notFound } from "../not-found.ts";
import { removeWorktree } from "../removal/remove-worktree.ts";
import { repositoryTops } from "./repository-tops.ts";
import { restoreKept } from "./restore-kept.ts";

/** The worktrees of all sessions, orphaned ones, and the work that removed ones have left. */
export function workspacesService(context: EngineContext): Service["workspaces"] {
  const { store, upkeep } = context.deps;
  return {
    async list() {
      const rows = await store.ownWorkspaces();
      // Forks share a worktree: it is listed once, with the first session.
      const first = new Map(rows.toReversed().map((row) => [row.workspace.path, row]));
      const known = [...first.values()].map(({ workspace }) => workspace);
      const tops = await repositoryTops(context);
      const surveyed = await upkeep.survey(known, tops);
      const workspaces = surveyed.map((each) => {
        const row = first.get(each.path);
        const session = row && { session: { id: row.id, name: row.name } };
        return { ...each, ...session, orphaned: row === undefined };
      });
      return { workspaces, kept: await upkeep.kept(tops) };
    },

    async remove({ path, force }) {
      const known = (await store.ownWorkspaces()).find(({ workspace }) => workspace.path === path);
      const workspace = known?.workspace ?? (await upkeep.orphan(path, await repositoryTops(context)));
      return workspace ? removeWorktree(context, workspace, { force }) : notFound("worktree", path);
    },

    restore: (wanted) => restoreKept(context, wanted),
  };
}
