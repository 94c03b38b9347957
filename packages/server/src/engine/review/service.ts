import type { Answer, ReviewService } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { refuseGated } from "../gate/gated.ts";
import { decideReview, merging } from "./decide.ts";
import type { MergeQueue } from "./merge-queue.ts";
import { requestPull } from "./pull-request.ts";
import { continueBegun } from "./reactor.ts";
import { refresh } from "./refresh.ts";
import { findReviewed, inReview, type Reviewed, workFor } from "./review-place.ts";
import { updateSession } from "./update-session.ts";

export function reviewService(context: EngineContext, queue: MergeQueue): ReviewService {
  const { deps } = context;

  async function reviewing<T>(idOrName: string, use: (reviewed: Reviewed) => Answer<T>): Answer<T> {
    const found = await findReviewed(context, idOrName);
    if (!found.ok) return found;
    return inReview(found.value.actor, async () => {
      // An earlier merge may have changed what it is compared with.
      const again = await findReviewed(context, idOrName);
      if (!again.ok) return again;
      await continueBegun(context, again.value);
      const now = await findReviewed(context, idOrName);
      return now.ok ? use(now.value) : now;
    });
  }

  return {
    get: (idOrName) => reviewing(idOrName, (reviewed) => refresh(context, reviewed)),
    decide: (idOrName, input, caller) =>
      reviewing(idOrName, (reviewed) => decideReview(context, reviewed, { input, caller })),
    async mergeability(idOrName, { into }) {
      const found = await findReviewed(context, idOrName);
      if (!found.ok) return found;
      const { actor, place, target } = found.value;
      await actor.turns.checkpointer.settled();
      const refused = refuseGated(actor.journal.row, "merge");
      if (refused) return refused;
      const wanted = into ?? target;
      const query = wanted === undefined ? {} : { into: wanted };
      return deps.merges.mergeability(place, query, actor.journal.row.runtime.update);
    },
    async commits(idOrName) {
      const found = await findReviewed(context, idOrName);
      return found.ok ? deps.merges.commits(found.value.place) : found;
    },
    async merge(idOrName, { into, strategy, message, work }, { by }) {
      await queue.ready;
      return reviewing(idOrName, async (reviewed) => {
        const { actor, place, target } = reviewed;
        if (actor.journal.row.runtime.merge) return merging();
        const named = await deps.merges.target(place, into ?? target);
        if (!named.ok) return named;
        const said = message === undefined ? {} : { message };
        const { review } = actor.journal.state;
        // What was accepted is what is merged.
        const seen = work ?? (review?.state === "accepted" ? review.work : undefined);
        const wanted = seen && workFor(named.value, { ...review, work: seen });
        const order = {
          into: named.value,
          strategy,
          by,
          ...said,
          ...(wanted === undefined ? {} : { wanted }),
        };
        const merged = await queue.merge(reviewed, order);
        if (!merged.ok && merged.error.code === "INPUT_CHANGED") await refresh(context, reviewed);
        return merged;
      });
    },
    update: (idOrName, input, caller) =>
      reviewing(idOrName, (reviewed) => updateSession(context, reviewed, { input, caller })),
    async requestPull(idOrName, input, caller) {
      const found = await findReviewed(context, idOrName);
      return found.ok ? requestPull(context, found.value, { input, caller }) : found;
    },
  };
}

/** Continues what the last server had begun, then the merges that wait. */
export async function recoverReviews(context: EngineContext, queue: MergeQueue): Promise<void> {
  const actors = await context.registry.loaded();
  for (const actor of actors) {
    const { merge, update } = actor.journal.row.runtime;
    if (!merge?.planned && update?.isWritten !== false) continue;
    const found = await findReviewed(context, actor.id);
    if (found.ok) await inReview(actor, () => continueBegun(context, found.value));
  }
  await queue.recover(actors);
}
