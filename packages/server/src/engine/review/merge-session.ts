import { type Merged, ok, type Rejection, type Review, reject } from "@drover/core";
import type { PendingMerge, PlannedMerge } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { whileIdle } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { refuseGated } from "../gate/gated.ts";
import type { SessionActor } from "../session/actor.ts";
import { refresh } from "./refresh.ts";
import { noReview, type Reviewed, refuseShared } from "./review-place.ts";

/** Merges the work of a session as it is now. The merge is on record before a branch moves. Runs in `inReview`. */
export async function mergeNow(
  context: EngineContext,
  reviewed: Reviewed,
  { tree, ...pending }: PendingMerge & { readonly tree?: string | undefined },
): Answer<Merged> {
  const { actor, place } = reviewed;
  const { into } = pending;
  const merged = await whileIdle(actor, "merge", async () => {
    const { row } = actor.journal;
    const refused = refuseGated(row, "merge") ?? (await refuseShared(context, actor, "merge"));
    if (refused) return refused;
    const here = { ...place, workspace: row.workspace };
    const spec = { ...mergeSpecOf(reviewed, pending), ...(tree === undefined ? {} : { tree }) };
    return context.deps.merges.merge(here, spec, async (planned) => {
      await actor.log.commit({ runtime: { merge: { ...pending, planned } }, durability: "command" });
    });
  });
  const answer = ({ commit }: PlannedMerge) =>
    ok({ into, commit, review: actor.journal.state.review ?? noReview });
  if (merged.ok) {
    await recordMerge(actor, merged.value);
    await refresh(context, reviewed);
    return answer(merged.value);
  }
  const begun = actor.journal.row.runtime.merge?.planned;
  if (!begun) return merged;
  // It may have failed after the branches had moved.
  if (await settleMerge(context, reviewed, begun)) return answer(begun);
  return actor.journal.row.runtime.merge?.planned ? unfinished(into, merged.error.message) : merged;
}

const unfinished = (into: string, because: string) =>
  reject(
    "MERGE_REFUSED",
    `The merge into ${into} has begun, and continues when you open the review again: ${because}`,
    { reason: "unfinished" },
  );

/** What git needs to know about a merge. */
export function mergeSpecOf({ actor }: Reviewed, { into, strategy, message, wanted }: PendingMerge) {
  const { id, name, about, runtime, workspace } = actor.journal.row;
  const title = about.title.trim() || name;
  const merge = `Merge ${workspace.branch ?? name}: ${title}`;
  return {
    ...{ sessionId: id, into, strategy, update: runtime.update, wanted },
    message: clean(message ?? (strategy === "squash" ? title : merge)),
    workMessage: clean(title),
  };
}

/** As git stores messages: no blank lines around it, one line feed at its end. */
const clean = (message: string): string => `${message.replaceAll("\r\n", "\n").trim()}\n`;

/** Stores that a merge is done, and what that changes: the result is the base of further work. */
async function recordMerge({ log, journal }: SessionActor, { into, commit }: PlannedMerge): Promise<void> {
  await log.untilStored(() => {
    const { by = "server" } = journal.row.runtime.merge ?? {};
    const { conflicts: _, unresolved: __, ...before } = journal.state.review ?? noReview;
    const review: Review = {
      ...before,
      ...{ state: "merged", into, mergedAs: commit, ahead: 0, behind: 0, files: 0, added: 0, removed: 0 },
    };
    const message = `Merged into ${into} as ${commit.slice(0, 10)}`;
    const notice = { type: "notice" as const, code: "MERGED", message, facts: { into, commit, by } };
    return log.commit({
      events: [{ type: "review", ...review, by }, notice],
      runtime: { merge: null, update: null },
      workspace: { base: { ref: into, commit } },
      durability: "command",
    });
  });
}

/**
 * Finishes a merge that has begun. False if no branch has moved, or if it can't be finished now: then it stays on
 * record, but not in line. Runs in `inReview`.
 */
export async function settleMerge(
  context: EngineContext,
  reviewed: Reviewed,
  planned: PlannedMerge,
): Promise<boolean> {
  const { actor, place } = reviewed;
  const { logger, merges } = context.deps;
  const settled = await merges.settle(place, planned);
  if (!settled.ok) {
    logger.warn("A merge could not be finished", { session: actor.id, error: settled.error.message });
    await changeMerge(actor, (merge) => ({ ...merge, isQueued: false }));
    return false;
  }
  logger.info("Settled a merge", { session: actor.id, isMerged: settled.value });
  if (settled.value) {
    await recordMerge(actor, planned);
    await refresh(context, reviewed);
  } else if (actor.journal.row.runtime.merge?.isQueued)
    await changeMerge(actor, ({ planned: _, ...merge }) => merge);
  else await forgetMerge(actor);
  return settled.value;
}

const changeMerge = (
  { log, journal }: SessionActor,
  change: (merge: PendingMerge) => PendingMerge,
): Promise<void> =>
  log.untilStored(async () => {
    const { merge } = journal.row.runtime;
    if (merge) await log.commit({ runtime: { merge: change(merge) }, durability: "command" });
  });

/** The merge did not happen; `because` is for people. */
export async function forgetMerge({ log, journal }: SessionActor, because?: Rejection): Promise<void> {
  await log.untilStored(() => {
    const { review } = journal.state;
    const isMerging = review?.state === "merging";
    const message = `Not merged: ${because?.message}`;
    return log.commit({
      events: [
        ...(isMerging ? [{ type: "review" as const, ...review, state: "open" as const }] : []),
        ...(because
          ? [{ type: "notice" as const, code: because.code, message, facts: { ...because.facts } }]
          : []),
      ],
      runtime: { merge: null },
      durability: "command",
    });
  });
}
