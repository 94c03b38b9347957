import { ok, type RestoredWorktree, type RestoreWorktree, reject } from "@drover/core";
import type { Begin, PendingWorkspace } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { newId } from "../ids.ts";
import { settlePending } from "../removal/pending.ts";
import { repositoryTops } from "./repository-tops.ts";

/** Makes a worktree from kept work. The ref is removed last: until then, nothing depends on the new files. */
export async function restoreKept(
  context: EngineContext,
  { ref, repository }: RestoreWorktree,
): Answer<RestoredWorktree> {
  const { store, upkeep } = context.deps;
  const known = await repositoryTops(context);
  const all = await upkeep.kept(known.filter((top) => repository === undefined || top === repository));
  const fitting = all.filter((each) => each.ref === ref || each.ref.endsWith(`/${ref}`) || each.name === ref);
  const tops = [...new Set(fitting.map((each) => each.repository))];
  if (tops.length > 1) {
    const message = `Several repositories have kept work called ${ref}; add \`repository\`, one of: ${tops.join(", ")}`;
    return reject("BAD_REQUEST", message, { issues: [{ path: "repository", message }] });
  }
  const kept = fitting.sort((a, b) => a.at.localeCompare(b.at)).at(-1);
  if (!kept) {
    const message = `There is no kept work called ${ref}; list it with GET /api/workspaces`;
    return reject("NOT_FOUND", message, { what: "kept work" });
  }
  let pending: PendingWorkspace | undefined;
  const begin: Begin = async (workspace) => {
    pending = { sessionId: newId("session"), workspace, isUnused: true };
    await store.savePendingWorkspace(pending);
  };
  const discard = () => pending && settlePending(context, pending);
  try {
    const made = await upkeep.reopen(kept, begin);
    if (!made.ok) {
      await discard();
      return made;
    }
    if (pending) {
      // From here on, the worktree stays and the ref goes, whatever happens to this server.
      pending = {
        ...pending,
        workspace: made.value,
        restored: { repository: kept.repository, ref: kept.ref },
      };
      await store.savePendingWorkspace(pending);
      await settlePending(context, pending);
    }
    const { path, branch = "" } = made.value;
    return ok({ path, branch, repository: kept.repository, ref: kept.ref });
  } catch (error) {
    await discard();
    throw error;
  }
}
