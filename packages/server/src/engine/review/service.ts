import type { Answer, ReviewService } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { decideReview, merging } from "./decide.ts";
import type { MergeQueue } from "./merge-queue.ts";
import { refresh } from "./refresh.ts";
import { findReviewed, inReview, type Reviewed } from "./review-place.ts";
import { repeatUpdate, updateSession } from "./update-session.ts";

export function reviewService(context: EngineContext, queue: MergeQueue): ReviewService {
  const { deps } = context;

  async function reviewing<T>(idOrName: string, use: (reviewed: Reviewed) => Answer<T>): Answer<T> {
    const found = await findReviewed(context, idOrName);
    if (!found.ok) return found;
    return inReview(found.value.actor, async () => {
      // An earlier merge may have changed what it is compared with.
      const again = await findReviewed(context, idOrName);
      return again.ok ? use(again.value) : again;
    });
  }

  return {
    get: (idOrName) => reviewing(idOrName, (reviewed) => refresh(context, reviewed)),
    decide: (idOrName, input, caller) =>
      reviewing(idOrName, (reviewed) => decideReview(context, reviewed, { input, caller })),
    async mergeability(idOrName, { into }) {
      const found = await findReviewed(context, idOrName);
      if (!found.ok) return found;
      const { place, target } = found.value;
      const wanted = into ?? target;
      return deps.merges.mergeability(place, wanted === undefined ? {} : { into: wanted });
    },
    async commits(idOrName) {
      const found = await findReviewed(context, idOrName);
      return found.ok ? deps.merges.commits(found.value.place) : found;
    },
    merge: (idOrName, { into, strategy, message }, { by }) =>
      reviewing(idOrName, async (reviewed) => {
        const { actor, place, target } = reviewed;
        if (actor.journal.row.runtime.merge) return merging();
        const named = await deps.merges.target(place, into ?? target);
        if (!named.ok) return named;
        const said = message === undefined ? {} : { message };
        const at = new Date().toISOString();
        return queue.merge(reviewed, { into: named.value, strategy, by, at, ...said });
      }),
    update: (idOrName, input, caller) =>
      reviewing(idOrName, (reviewed) => updateSession(context, reviewed, { input, caller })),
  };
}

/** Continues what the last server had begun: updates whose files may be half written, then merges. */
export async function recoverReviews(context: EngineContext, queue: MergeQueue): Promise<void> {
  const actors = await context.registry.loaded();
  for (const actor of actors) {
    const { update } = actor.journal.row.runtime;
    if (!update || update.isWritten) continue;
    const found = await findReviewed(context, actor.id);
    if (!found.ok) continue;
    await inReview(actor, () => repeatUpdate(context, found.value));
  }
  await queue.recover(actors);
}
