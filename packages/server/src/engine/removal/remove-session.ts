import { type DeletedSession, err, ok, type Rejection } from "@drover/core";
import type { KeptWork } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import type { SessionActor } from "../session/actor.ts";
import { managerOf } from "../workspaces/manager-of.ts";
import { settlePending } from "./pending.ts";

/** Removes a session and its workspace. Work that only the workspace has is refused, or kept if forced. */
export async function removeSession(
  context: EngineContext,
  actor: SessionActor,
  { force }: { force: boolean },
): Answer<DeletedSession> {
  const { deps } = context;
  const { id, workspace } = actor.journal.row;
  const manager = managerOf(deps, workspace);
  const others = (await deps.store.sessionsIn(workspace.path)).filter((each) => each !== id);
  // A fork works in the same directory.
  if (workspace.mode === "local" || others.length > 0) {
    await actor.remove();
    return ok({ deleted: true });
  }
  // Checked before anything is stopped: most reasons to refuse are known already.
  const refused = force ? ok(undefined) : await manager.keep(workspace, { force, checkOnly: true });
  if (!refused.ok) return refused;
  let kept: KeptWork | undefined;
  const keep = async (): Promise<Rejection | undefined> => {
    const result = await manager.keep(workspace, { force });
    if (!result.ok) return result.error;
    kept = result.value;
    return undefined;
  };
  const refusal = await actor.remove({ workspace, keep });
  if (refusal) return err(refusal);
  const moved = await settlePending(context, { sessionId: id, workspace, isUnused: false });
  return ok({
    deleted: true,
    ...(kept ? { kept } : {}),
    ...(moved.length > 0 ? { moved: [...moved] } : {}),
  });
}
