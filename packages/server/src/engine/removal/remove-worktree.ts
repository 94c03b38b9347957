import { type DeletedSession, ok, reject } from "@drover/core";
import type { PendingWorkspace, SessionWorkspace } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { newId } from "../ids.ts";
import type { SessionActor } from "../session/actor.ts";
import { managerOf } from "../workspaces/manager-of.ts";
import { settlePending } from "./pending.ts";

/**
 * Removes a worktree, as deleting its session would, but leaves its branch and its sessions, which can make it again.
 * Work that is in no commit prevents that, or is kept if forced.
 */
export async function removeWorktree(
  context: EngineContext,
  workspace: SessionWorkspace,
  { force }: { force: boolean },
): Answer<DeletedSession> {
  const { deps, registry } = context;
  const ids = await deps.store.sessionsIn(workspace.path);
  const found = await Promise.all(ids.map((id) => registry.find(id)));
  const actors = found.filter((actor) => actor !== undefined);
  for (const { turns } of actors) await turns.checkpointer.settled();
  return whileAtRest(actors, async (): Answer<DeletedSession> => {
    const busy = actors.find((actor) => actor.isNeeded);
    if (busy) {
      const { id, name } = busy.journal.row;
      const message = `The session ${name} works there; stop it first: drover stop ${name}`;
      return reject("SESSION_LOCKED", message, { sessionId: id });
    }
    const kept = await managerOf(deps, workspace).keep(workspace, { force });
    if (!kept.ok) return kept;
    let pending: PendingWorkspace | undefined;
    const moved = await deps.upkeep.retire(workspace, async (aside) => {
      pending = { sessionId: newId("session"), workspace: aside, isUnused: false };
      await deps.store.savePendingWorkspace(pending);
    });
    if (pending) await settlePending(context, pending);
    return ok({
      deleted: true,
      ...(kept.value ? { kept: kept.value } : {}),
      ...(moved.length > 0 ? { moved: [...moved] } : {}),
    });
  });
}

/** Nothing starts in these sessions in the meantime. */
function whileAtRest<T>([first, ...others]: readonly SessionActor[], work: () => Promise<T>): Promise<T> {
  return first ? first.log.mailbox.run(() => whileAtRest(others, work)) : work();
}
