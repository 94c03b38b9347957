import { type EventOf, ok, type Review, reviewAfter } from "@drover/core";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import type { EngineDeps } from "../deps.ts";
import { refuseGated } from "../gate/gated.ts";
import type { SessionActor } from "../session/actor.ts";
import type { Reviewed } from "./review-place.ts";

/**
 * Asks git how the review of a session stands, and stores it if that has changed. `isPatient`: a change depends on it,
 * so git may take as long as for the change itself. Runs in `inReview`.
 */
export async function refresh(
  { deps }: EngineContext,
  { actor, place, target }: Reviewed,
  { isPatient = false } = {},
): Answer<Review> {
  const { log, journal } = actor;
  await actor.turns.checkpointer.settled();
  // An agent's resolution of conflicts is committed once people have approved it.
  const isReady = !journal.state.turn && !refuseGated(journal.row, "review");
  if (isReady) await finishUpdate(deps, actor, { ...place, workspace: journal.row.workspace });
  const { merge, update } = journal.row.runtime;
  const into = merge?.into ?? target;
  const here = { ...place, workspace: journal.row.workspace };
  const query = { isPatient, ...(into === undefined ? {} : { into }) };
  const facts = await deps.merges.facts(here, query, update);
  if (!facts.ok) return facts;
  return log.mailbox.run(async () => {
    // Checks may have reported something in the meantime.
    const before = journal.state.review;
    const review = reviewAfter(before, facts.value);
    const isNews = JSON.stringify(review) !== JSON.stringify(before);
    const isWorth = review.state !== "none" || before !== undefined;
    // What a running turn changes is not ready for anyone.
    if (!journal.state.turn && isNews && isWorth) {
      // From now on, everything is compared with that commit.
      const { base } = journal.row.workspace;
      const moved = review.base === undefined || review.base === base?.commit ? undefined : review.base;
      const ref = base?.ref ?? review.into ?? "HEAD";
      await log.commit({
        events: [{ type: "review", ...review }],
        ...(moved === undefined ? {} : { workspace: { base: { ref, commit: moved } } }),
        durability: "output",
      });
    }
    return ok(review);
  });
}

/** Commits an update whose conflicts are resolved by now. */
async function finishUpdate(
  deps: EngineDeps,
  actor: SessionActor,
  place: Parameters<EngineDeps["merges"]["finishUpdate"]>[0],
): Promise<void> {
  const { id, journal, log } = actor;
  if (await hasAnswered(deps, actor)) {
    await log.untilStored(async () => {
      const { update } = journal.row.runtime;
      if (update)
        await log.commit({ runtime: { update: { ...update, isAnswered: true } }, durability: "output" });
    });
  }
  const { update } = journal.row.runtime;
  if (!update?.isWritten) return;
  const finished = await deps.merges.finishUpdate(place, update);
  if (!finished.ok) {
    deps.logger.debug("An update could not be finished", { session: id, error: finished.error.message });
    return;
  }
  const commit = finished.value;
  if (commit === undefined) return;
  const { from, target } = update;
  const message = `The conflicts with ${from} are resolved and committed`;
  const notice = { type: "notice" as const, code: "UPDATED", message, facts: { from, commit } };
  await log.untilStored(() =>
    log.commit({
      events: [notice],
      runtime: { update: null },
      workspace: { base: { ref: journal.row.workspace.base?.ref ?? from, commit: target } },
      durability: "command",
    }),
  );
}

/** Whether the agent has finished a turn since it was asked to resolve the conflicts. */
async function hasAnswered({ store }: EngineDeps, { id, journal }: SessionActor): Promise<boolean> {
  const { update } = journal.row.runtime;
  if (update?.askedAt === undefined || update.isAnswered) return false;
  const range = { after: update.askedAt, seq: journal.state.lastSeq };
  const ends = await store.eventsOfTypes(id, range, ["done"]);
  return ends.some(({ data }) => (JSON.parse(data) as EventOf<"done">).ok);
}
