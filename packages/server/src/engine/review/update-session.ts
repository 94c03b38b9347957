import { ok, reject, type Updated, type UpdateSession } from "@drover/core";
import type { PendingUpdate, PlannedUpdate } from "../../ports.ts";
import type { Answer, Caller } from "../../service.ts";
import { refuseRunning, whileIdle } from "../checkpoints/change-files.ts";
import type { EngineContext } from "../context.ts";
import { refuseGated } from "../gate/gated.ts";
import { sendMessage } from "../service/send-message.ts";
import { merging } from "./decide.ts";
import { refresh } from "./refresh.ts";
import { type Reviewed, refuseShared } from "./review-place.ts";

/**
 * Brings another branch's commits into the session's. Conflicts are left in its files, and the agent may be asked about
 * them, also again. Runs in `inReview`.
 */
export async function updateSession(
  context: EngineContext,
  reviewed: Reviewed,
  { input, caller }: { readonly input: UpdateSession; readonly caller: Caller },
): Answer<Updated> {
  const { actor, place, target } = reviewed;
  const { row } = actor.journal;
  if (row.runtime.merge) return merging();
  const { update } = row.runtime;
  if (update) {
    if (!input.ask || !update.isWritten) return unfinished(update);
    const running = refuseRunning(actor, "update");
    return running ?? answerTo(context, reviewed, { update, input, caller });
  }
  const workMessage = `${row.about.title.trim() || row.name}\n`;
  const updated = await whileIdle(actor, "update", async () => {
    const refused =
      refuseGated(actor.journal.row, "update") ?? (await refuseShared(context, actor, "update"));
    if (refused) return refused;
    const spec = { from: input.from ?? target, workMessage };
    return context.deps.merges.update(place, spec, async (planned) => {
      const begun = { ...planned, isWritten: false };
      await actor.log.commit({ runtime: { update: begun }, durability: "command" });
    });
  });
  if (updated.ok) {
    await recordUpdate(reviewed, { ...updated.value, isWritten: true });
    return answerTo(context, reviewed, { update: updated.value, input, caller });
  }
  // It may have failed with half of the files written.
  const begun = actor.journal.row.runtime.update;
  if (!begun || !(await repeatUpdate(context, reviewed))) return updated;
  return answerTo(context, reviewed, { update: begun, input, caller });
}

interface Answered {
  readonly update: PlannedUpdate;
  readonly input: UpdateSession;
  readonly caller: Caller;
}

/** Asks the agent to resolve the conflicts, if a person wants that. */
async function answerTo(
  context: EngineContext,
  reviewed: Reviewed,
  { update: { from, conflicts, commit }, input, caller }: Answered,
): Answer<Updated> {
  const { actor } = reviewed;
  const review = await refresh(context, reviewed, { isPatient: true });
  if (!review.ok) return review;
  const answer = { from, conflicts: [...conflicts], review: review.value, ...(commit ? { commit } : {}) };
  if (!input.ask || !actor.journal.row.runtime.update) return ok(answer);
  await actor.log.mailbox.run(async () => {
    const { update } = actor.journal.row.runtime;
    if (!update) return;
    const asked = { ...update, askedAt: actor.journal.state.lastSeq };
    await actor.log.commit({ runtime: { update: asked }, durability: "command" });
  });
  const content = requestFor(from, conflicts);
  const sent = await sendMessage(context, actor, { content, disposition: "queue", strict: false, caller });
  return sent.ok ? ok({ ...answer, receipt: sent.value }) : sent;
}

/** Stores that the files of an update are written. */
async function recordUpdate({ actor }: Reviewed, update: PendingUpdate): Promise<void> {
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
    `${from} was merged into your branch, and both sides changed the same files. Resolve the conflicts in these files:`,
    conflicts.map((path) => `- ${path}`).join("\n"),
    "Keep what both sides intended and remove all conflict markers. A file without markers is binary, or one side has deleted it: decide which side it should have, or delete it. Don't commit: that is done once you have finished and no markers are left.",
  ].join("\n\n");

/**
 * Writes the files of an update again that may not all be written. False if the branch has moved since, or if that is
 * not possible now: then the update stays on record. Runs in `inReview`.
 */
export async function repeatUpdate(context: EngineContext, reviewed: Reviewed): Promise<boolean> {
  const { actor, place } = reviewed;
  const { logger, merges } = context.deps;
  const { update } = actor.journal.row.runtime;
  if (!update || update.isWritten) return false;
  const repeated = await whileIdle(actor, "update", () => merges.repeatUpdate(place, update));
  if (!repeated.ok) {
    logger.warn("An update could not be finished", { session: actor.id, error: repeated.error.message });
    return false;
  }
  if (repeated.value) await recordUpdate(reviewed, { ...update, isWritten: true });
  else await forget(reviewed);
  return repeated.value;
}
