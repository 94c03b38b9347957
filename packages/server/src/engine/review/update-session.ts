import { ok, reject, type Updated, type UpdateSession } from "@drover/core";
import type { PendingUpdate } from "../../ports.ts";
import type { Answer, Caller } from "../../service.ts";
import { whileIdle } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { sendMessage } from "../service/send-message.ts";
import { merging } from "./decide.ts";
import { refresh } from "./refresh.ts";
import type { Reviewed } from "./review-place.ts";

/** Brings another branch's commits into the session's. Conflicts are left in its files. Runs in `inReview`. */
export async function updateSession(
  context: EngineContext,
  reviewed: Reviewed,
  { input, caller }: { readonly input: UpdateSession; readonly caller: Caller },
): Answer<Updated> {
  const { actor, place, target } = reviewed;
  const { row } = actor.journal;
  if (row.runtime.merge) return merging();
  if (row.runtime.update) return unfinished(row.runtime.update);
  const workMessage = `${row.about.title.trim() || row.name}\n`;
  const updated = await whileIdle(actor, "update", () =>
    context.deps.merges.update(place, { from: input.from ?? target, workMessage }, async (planned) => {
      const update = { ...planned, isWritten: false };
      await actor.log.commit({ runtime: { update }, durability: "command" });
    }),
  );
  if (!updated.ok) {
    if (actor.journal.row.runtime.update) await forget(reviewed);
    return updated;
  }
  const { from, conflicts, commit } = updated.value;
  await recordUpdate(reviewed, { ...updated.value, isWritten: true });
  const review = await refresh(context, reviewed);
  if (!review.ok) return review;
  const answer = { from, conflicts: [...conflicts], review: review.value, ...(commit ? { commit } : {}) };
  if (!input.ask || conflicts.length === 0) return ok(answer);
  const content = requestFor(from, conflicts);
  const sent = await sendMessage(context, actor, { content, disposition: "queue", strict: false, caller });
  return sent.ok ? ok({ ...answer, receipt: sent.value }) : sent;
}

/** Stores that the files of an update are written. */
export async function recordUpdate({ actor }: Reviewed, update: PendingUpdate): Promise<void> {
  const { log, journal } = actor;
  const { from, target, commit, conflicts } = update;
  const message =
    commit === undefined
      ? `Updated from ${from}; resolve the conflicts in ${conflicts.join(", ")}`
      : `Updated from ${from}`;
  const notice = { type: "notice" as const, code: "UPDATED", message, facts: { from, conflicts } };
  const workspace = { base: { ref: journal.row.workspace.base?.ref ?? from, commit: target } };
  await log.untilStored(() =>
    log.commit({
      events: [notice],
      ...(commit === undefined ? { runtime: { update } } : { runtime: { update: null }, workspace }),
      durability: "command",
    }),
  );
}

const forget = ({ actor: { log } }: Reviewed) =>
  log.untilStored(() => log.commit({ runtime: { update: null }, durability: "command" }));

const unfinished = ({ from, conflicts }: PendingUpdate) =>
  reject(
    "MERGE_CONFLICT",
    `The update from ${from} has conflicts; resolve these first: ${conflicts.join(", ")}`,
    {
      files: conflicts,
    },
  );

const requestFor = (from: string, conflicts: readonly string[]): string =>
  [
    `${from} was merged into your branch, and both sides changed the same lines. Resolve the conflicts in these files:`,
    conflicts.map((path) => `- ${path}`).join("\n"),
    "Keep what both sides intended and remove all conflict markers. Don't commit: that is done once no markers are left.",
  ].join("\n\n");

/** Writes the files of an update again that an earlier server may not have finished. Runs in `inReview`. */
export async function repeatUpdate(context: EngineContext, reviewed: Reviewed): Promise<void> {
  const { update } = reviewed.actor.journal.row.runtime;
  if (!update || update.isWritten) return;
  if (await context.deps.merges.repeatUpdate(reviewed.place, update)) {
    await recordUpdate(reviewed, { ...update, isWritten: true });
  } else await forget(reviewed);
}
