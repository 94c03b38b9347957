import { type Rejection, type Result, reject, summarize, type TurnChanges } from "@drover/core";
import { type ChangedFiles, type Checkpoint, CheckpointError } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { newId } from "../ids.ts";
import { notFound } from "../not-found.ts";
import type { SessionActor } from "../session/actor.ts";
import { noteFor } from "./notices.ts";
import { noRepository } from "./rejections.ts";

/** A change of files that a person asked for. */
export interface FileChange {
  /** What its event says besides the numbers. */
  readonly about: Pick<TurnChanges, "reverts" | "partly" | "discarded">;
  /** It was cut off before: what is done already has its event. */
  readonly isAgain?: boolean;
  /** Changes the files; `now` is a checkpoint of the present. */
  readonly apply: (now: Checkpoint) => Promise<Result<ChangedFiles, Rejection>>;
}

/** Runs a task while no turn is running and none can start. `next`: what the caller wants to do then. */
export async function whileIdle<T>(actor: SessionActor, next: string, task: () => Answer<T>): Answer<T> {
  await actor.turns.checkpointer.settled();
  // In the mailbox, so that no turn starts in the meantime.
  return actor.log.mailbox.run(async () => {
    if (actor.isBeingDeleted) return notFound("session", actor.id);
    return refuseRunning(actor, next) ?? task();
  });
}

/** Rejects while a turn is running. */
export function refuseRunning({ journal }: SessionActor, next: string): Result<never, Rejection> | undefined {
  const { turn } = journal.state;
  if (!turn) return undefined;
  const { lockedBy, startedAt: lockedAt } = turn;
  const message = `${lockedBy} has a turn running; wait for it to end or interrupt it, then ${next}`;
  return reject("SESSION_LOCKED", message, { lockedBy, lockedAt });
}

/**
 * Changes files between two checkpoints. The change has an id like a turn's, so that it can be reverted too. Its row
 * says so before anything changes: a server that was killed meanwhile reports it when it is back. Runs in `whileIdle`.
 */
export async function changeFiles(
  actor: SessionActor,
  find: () => Promise<Result<FileChange, Rejection>>,
): Answer<{ readonly turnId: string; readonly files: string[] }> {
  try {
    return await actor.turns.checkpointer.exclusively(() => change(actor, find));
  } catch (error) {
    if (error instanceof CheckpointError) return notKept(error);
    throw error;
  }
}

async function change(actor: SessionActor, find: () => Promise<Result<FileChange, Rejection>>) {
  const { log, turns } = actor;
  const { checkpoints, settings } = log.deps;
  const { session } = turns.checkpointer;
  const found = await find();
  if (!found.ok) return found;
  const { about, apply, isAgain = false } = found.value;
  const now = await checkpoints.take(session, settings.checkpointTimeoutMs);
  if (!now) return noRepository(session.cwd);
  const turnId = newId("turn");
  const before = now.commit;
  await checkpoints.keep(session, turnId, { before });
  // The row has room for one; the checkpoint of a turn that takes long comes first.
  const isRecorded = log.journal.row.runtime.checkpoint === undefined;
  const over = isRecorded ? { checkpoint: null } : {};
  if (isRecorded) {
    const runtime = { checkpoint: { turnId, before, about } };
    await log.commit({ events: [], runtime, durability: "command" });
  }
  const changed = await apply(now).catch((error: unknown) => {
    // Some files may have changed already: report their state as if a turn had ended.
    turns.checkpointer.after(turnId);
    throw error;
  });
  if (!changed.ok) {
    await log.commit({ events: [], runtime: over, durability: "output" });
    return changed;
  }
  const { commit: after, files } = changed.value;
  await checkpoints.keep(session, turnId, { before, after });
  const compared = await checkpoints.compare(session, { before, after });
  const contexts = { ...log.journal.row.runtime.contexts, [turnId]: [noteFor(files)] };
  const noted = files.length > 0 ? { contexts } : {};
  // A revert is recorded even if no file had to change: its turn counts as undone.
  const isReported = compared.length > 0 || (about.reverts !== undefined && !isAgain);
  const summary = { type: "turn_changes" as const, turnId, ...summarize(compared), ...about };
  await log.commit({
    events: isReported ? [summary] : [],
    runtime: { ...over, ...noted },
    durability: "command",
  });
  return { ok: true as const, value: { turnId, files: [...files] } };
}

const notKept = (error: CheckpointError) =>
  reject(
    error.reason === "timeout" ? "REQUEST_TIMEOUT" : "UNSUPPORTED",
    `The files could not be kept or changed (${error.message}); look at them before you try again`,
    { what: "checkpoint" },
  );
