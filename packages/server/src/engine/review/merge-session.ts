import { type Merged, ok, type Rejection, type Review } from "@drover/core";
import type { PendingMerge, PlannedMerge } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { whileIdle } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { refresh, refreshOthers } from "./refresh.ts";
import { noReview, type Reviewed } from "./review-place.ts";

/** Merges the work of a session as it is now. The merge is on record before a branch moves. Runs in `inReview`. */
export async function mergeNow(
  context: EngineContext,
  reviewed: Reviewed,
  { tree, ...pending }: PendingMerge & { readonly tree?: string | undefined },
): Answer<Merged> {
  const { deps } = context;
  const { actor, place } = reviewed;
  const merged = await whileIdle(actor, "merge", async () => {
    const { row } = actor.journal;
    const here = { ...place, workspace: row.workspace };
    const wish = { ...wishOf(reviewed, pending), ...(tree === undefined ? {} : { tree }) };
    return deps.merges.merge(here, wish, async (planned) => {
      await actor.log.commit({ runtime: { merge: { ...pending, planned } }, durability: "command" });
    });
  });
  if (!merged.ok) {
    if (actor.journal.row.runtime.merge && !pending.isQueued) await forgetMerge(reviewed);
    return merged;
  }
  await recordMerge(context, reviewed, { ...pending, planned: merged.value });
  const review = actor.journal.state.review ?? noReview;
  return ok({ into: pending.into, commit: merged.value.commit, review });
}

/** What git needs to know about a merge. */
export function wishOf({ actor }: Reviewed, { into, strategy, message }: PendingMerge) {
  const { id, name, about, runtime, workspace } = actor.journal.row;
  const title = about.title.trim() || name;
  const merge = `Merge ${workspace.branch ?? name}: ${title}`;
  return {
    ...{ sessionId: id, into, strategy, update: runtime.update },
    message: clean(message ?? (strategy === "squash" ? title : merge)),
    workMessage: clean(title),
  };
}

/** As git stores messages: no blank lines around it, one line feed at its end. */
const clean = (message: string): string => `${message.replaceAll("\r\n", "\n").trim()}\n`;

/** Stores that a merge is done, and what that changes: the result is the base of further work. */
export async function recordMerge(
  context: EngineContext,
  reviewed: Reviewed,
  { into, by, planned }: PendingMerge,
): Promise<void> {
  const { actor } = reviewed;
  const { log, journal } = actor;
  if (!planned) throw new Error("A merge without a plan");
  const { commit } = planned;
  await log.untilStored(() => {
    const {
      checks: _,
      conflicts: _conflicts,
      unresolved: _unresolved,
      ...before
    } = journal.state.review ?? noReview;
    const checks = journal.state.review?.checks;
    const review: Review = {
      ...before,
      ...{ state: "merged", into, mergedAs: commit, ahead: 0, behind: 0, files: 0, added: 0, removed: 0 },
      ...(checks ? { checks } : {}),
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
  await refresh(context, reviewed);
  context.background.run(() => refreshOthers(context, actor));
}

/** Finishes a merge that an earlier server began; false if no branch had moved. Runs in `inReview`. */
export async function settleMerge(
  context: EngineContext,
  reviewed: Reviewed,
  pending: PendingMerge & { readonly planned: PlannedMerge },
): Promise<boolean> {
  const { actor, place } = reviewed;
  const isMerged = await context.deps.merges.settle(place, pending.planned);
  if (isMerged) await recordMerge(context, reviewed, pending);
  else if (!pending.isQueued) await forgetMerge(reviewed);
  actor.log.deps.logger.info("Settled a merge", { session: actor.id, isMerged });
  return isMerged;
}

/** The merge did not happen; `because` is for people. */
export async function forgetMerge({ actor }: Reviewed, because?: Rejection): Promise<void> {
  const { log, journal } = actor;
  await log.untilStored(() => {
    const { review } = journal.state;
    const events = [
      ...(review?.state === "merging"
        ? [{ type: "review" as const, ...review, state: "open" as const }]
        : []),
      ...(because
        ? [
            {
              type: "notice" as const,
              code: because.code,
              message: `Not merged: ${because.message}`,
              facts: { ...because.facts },
            },
          ]
        : []),
    ];
    return log.commit({ events, runtime: { merge: null }, durability: "command" });
  });
}
