import type { WorkspacePlace } from "../../ports.ts";
import type { EngineDeps } from "../deps.ts";
import type { SessionActor } from "../session/actor.ts";

/** Commits an update whose conflicts are resolved by now. Runs in `inReview`, while no turn is running. */
export async function finishUpdate(
  { merges, logger }: EngineDeps,
  { id, journal, log }: SessionActor,
  place: WorkspacePlace,
): Promise<void> {
  const { update } = journal.row.runtime;
  if (!update?.isWritten) return;
  const finished = await merges.finishUpdate(place, update);
  if (!finished.ok) {
    logger.debug("An update could not be finished", { session: id, error: finished.error.message });
    return;
  }
  if (finished.value === undefined) return;
  const { from, target } = update;
  const message = `The conflicts with ${from} are resolved and committed`;
  const notice = {
    type: "notice" as const,
    code: "UPDATED",
    message,
    facts: { from, commit: finished.value },
  };
  await log.mailbox.run(() =>
    log.commit({
      events: [notice],
      runtime: { update: null },
      workspace: { base: { ref: journal.row.workspace.base?.ref ?? from, commit: target } },
      durability: "command",
    }),
  );
}
