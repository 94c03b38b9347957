import { err, ok, type Review, reviewAfter } from "@drover/core";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import type { SessionActor } from "../session/actor.ts";
import { finishUpdate } from "./finish-update.ts";
import { inReview, type Reviewed, reviewedOf } from "./review-place.ts";

/** Asks git how the review of a session stands, and stores it if that has changed. Runs in `inReview`. */
export async function refresh({ deps }: EngineContext, { actor, place, target }: Reviewed): Answer<Review> {
  const { log, journal } = actor;
  await actor.turns.checkpointer.settled();
  const isIdle = journal.state.turn === undefined;
  if (isIdle) await finishUpdate(deps, actor, place);
  const into = journal.row.runtime.merge?.into ?? target;
  const here = { ...place, workspace: journal.row.workspace };
  const facts = await deps.merges.facts(here, into === undefined ? {} : { into }, journal.row.runtime.update);
  if (!facts.ok) return facts;
  const review = reviewAfter(journal.state.review, facts.value);
  const isNews = JSON.stringify(review) !== JSON.stringify(journal.state.review);
  const isWorth = review.state !== "none" || journal.state.review !== undefined;
  // What a running turn changes is not ready for anyone.
  if (isIdle && isNews && isWorth) {
    await log.mailbox.run(() =>
      log.commit({ events: [{ type: "review", ...review }], durability: "output" }),
    );
  }
  return ok(review);
}

/** The same for a session that may have no review, or be gone. Never rejects for what git says. */
export async function refreshSession(context: EngineContext, actor: SessionActor): Promise<void> {
  const { workspace } = actor.journal.row;
  if (workspace.mode !== "worktree" || actor.isBeingDeleted) return;
  const refreshed = await inReview(actor, async () => {
    const found = await reviewedOf(context, actor);
    return found.ok ? refresh(context, found.value) : err(found.error);
  });
  if (refreshed.ok) return;
  const { code, message } = refreshed.error;
  context.deps.logger.debug("A review could not be refreshed", { session: actor.id, code, error: message });
}

/** After a merge: the other sessions that would be merged into the same branch. */
export async function refreshOthers(context: EngineContext, merged: SessionActor): Promise<void> {
  const { review } = merged.journal.state;
  const { repository } = merged.journal.row.workspace;
  for (const actor of await context.registry.loaded()) {
    const { row, state } = actor.journal;
    const isOther = actor !== merged && row.workspace.repository?.gitDirectory === repository?.gitDirectory;
    if (isOther && state.review?.into === review?.into && !state.turn) await refreshSession(context, actor);
  }
}
