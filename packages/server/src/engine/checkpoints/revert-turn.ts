import {
  type Item,
  ok,
  type Rejection,
  type Result,
  type Reverted,
  type RevertTurn,
  reject,
  summarize,
} from "@drover/core";
import { CheckpointError } from "../../ports.ts";
import type { Answer } from "../../service.ts";
import { newId } from "../ids.ts";
import type { SessionActor } from "../session/actor.ts";
import { noCheckpoint, noRepository } from "./rejections.ts";

/**
 * Reverts the files that a turn changed. The current state is kept first: a revert has an id like a
 * turn's, so it can be reverted too.
 */
export async function revertTurn(actor: SessionActor, input: RevertTurn): Answer<Reverted> {
  const { checkpointer } = actor.turns;
  await checkpointer.settled();
  // In the mailbox, so that no turn starts in the meantime.
  return actor.log.mailbox.run(async () => {
    const { turn } = actor.journal.state;
    if (turn) {
      const { lockedBy, startedAt: lockedAt } = turn;
      const message = `${lockedBy} has a turn running; wait for its end or interrupt it, then revert`;
      return reject("SESSION_LOCKED", message, { lockedBy, lockedAt });
    }
    const turnId = input.turnId ?? (await lastChange(actor));
    if (turnId === undefined) return nothingToRevert();
    try {
      const { checkpointer } = actor.turns;
      return await checkpointer.exclusively(() => revertNow(actor, { ...input, turnId }));
    } catch (error) {
      if (error instanceof CheckpointError) return notKept(error);
      throw error;
    }
  });
}

async function revertNow(
  actor: SessionActor,
  { turnId, paths, force }: RevertTurn & { readonly turnId: string },
): Promise<Result<Reverted, Rejection>> {
  const { log, turns } = actor;
  const { checkpoints, settings } = log.deps;
  const { session } = turns.checkpointer;
  const { before, after } = await checkpoints.ofTurn(session, turnId);
  if (before === undefined || after === undefined) return noCheckpoint(turnId);
  const now = await checkpoints.take(session, settings.checkpointTimeoutMs);
  if (!now) return noRepository(session.cwd);
  const revertId = newId("turn");
  await checkpoints.keep(session, revertId, { before: now.commit });
  const reverted = await checkpoints.revert(session, { before, after, now, paths, force });
  if (!reverted.ok) return reverted;
  const { commit, files } = reverted.value;
  await checkpoints.keep(session, revertId, { before: now.commit, after: commit });
  const changed = await checkpoints.compare(session, { before: now.commit, after: commit });
  const partly = paths === undefined ? {} : { partly: true as const };
  await log.commit({
    events: [{ type: "turn_changes", turnId: revertId, ...summarize(changed), reverts: turnId, ...partly }],
    runtime: { contexts: { ...log.journal.row.runtime.contexts, [revertId]: [noteFor(files)] } },
    durability: "command",
  });
  return ok({ turnId: revertId, reverted: turnId, files: [...files] });
}

const NAMED = 20;

/** A note that the agent gets with its next prompt. */
function noteFor(files: readonly string[]) {
  const named = files.slice(0, NAMED).join(", ");
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : "";
  const content =
    files.length === 0
      ? "A person reverted an earlier change; the files were already as they had been before it."
      : `A person reverted changes to these files: ${named}${more}. Read them again before you rely on their content.`;
  return { from: "drover", content };
}

const PAGE = 200;

/** The last turn that changed files and has not been fully reverted since. */
async function lastChange({ log, id }: SessionActor): Promise<string | undefined> {
  const undone = new Set<string>();
  for (let before = log.journal.state.lastSeq + 1; ; ) {
    const items = await log.deps.store.items(id, before, PAGE);
    for (const { kind, turnId, changes } of items.toReversed() as Item[]) {
      if (kind !== "changes" || turnId === undefined || undone.has(turnId)) continue;
      if (changes?.reverts === undefined) return turnId;
      if (!changes.partly) undone.add(changes.reverts);
    }
    const [first] = items;
    if (!first || items.length < PAGE) return undefined;
    before = first.seq;
  }
}

const nothingToRevert = () =>
  reject("NOT_FOUND", "No turn of this session changed files that could be reverted", { what: "checkpoint" });

const notKept = (error: CheckpointError) =>
  reject(
    error.reason === "timeout" ? "REQUEST_TIMEOUT" : "UNSUPPORTED",
    `Nothing was reverted: the files as they are now could not be kept (${error.message}); try again`,
    { what: "checkpoint" },
  );
