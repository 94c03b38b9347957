import type { MovedRepository, PendingWorkspace } from "../../ports.ts";
import type { EngineContext } from "../context.ts";
import { managerOf } from "../workspaces/manager-of.ts";

type Context = Pick<EngineContext, "deps">;

/**
 * Removes a workspace, unless a session has taken it over in the meantime, or the kept work that it now has. If that
 * fails, the next server tries again.
 */
export async function settlePending(
  { deps }: Context,
  pending: PendingWorkspace,
): Promise<readonly MovedRepository[]> {
  const { sessionId, workspace, isUnused, restored } = pending;
  let moved: readonly MovedRepository[] = [];
  try {
    if (restored) await deps.upkeep.forget(restored);
    const isTaken = restored !== undefined || (await deps.store.sessionsIn(workspace.path)).length > 0;
    if (!isTaken) moved = await managerOf(deps, workspace).destroy(workspace, { isUnused });
  } catch (error) {
    deps.logger.error("Could not settle a workspace", { path: workspace.path, error: String(error) });
    return moved;
  }
  for (const { from, to } of moved)
    deps.logger.info("Moved a repository out of a removed worktree", { from, to });
  await deps.store.removePendingWorkspace(sessionId);
  return moved;
}

/** What a server that died was making or removing. */
export async function settleAllPending(context: Context): Promise<void> {
  for (const pending of await context.deps.store.pendingWorkspaces()) await settlePending(context, pending);
}
