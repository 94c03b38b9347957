import {
  type DiscardChanges,
  type Discarded,
  type Item,
  ok,
  type Reverted,
  type RevertTurn,
  reject,
} from "@drover/core";
import type { Answer } from "../../service.ts";
import { openGateOf } from "../gate/gated.ts";
import { withdrawGate } from "../gate/withdraw-gate.ts";
import type { SessionActor } from "../session/actor.ts";
import { changeFiles, whileIdle } from "./change-files.ts";
import { noCheckpoint } from "./rejections.ts";

/** Reverts the files that a turn changed. */
export function revertTurn(actor: SessionActor, { paths, force, ...input }: RevertTurn): Answer<Reverted> {
  const { checkpoints } = actor.log.deps;
  const { session } = actor.turns.checkpointer;
  return whileIdle(actor, "revert", async () => {
    const turnId = input.turnId ?? (await lastChange(actor));
    if (turnId === undefined) return nothingToRevert();
    const changed = await changeFiles(actor, async () => {
      const { before, after } = await checkpoints.ofTurn(session, turnId);
      if (before === undefined || after === undefined) return noCheckpoint(turnId);
      const partly = paths === undefined ? {} : { partly: true as const };
      return ok({
        about: { reverts: turnId, ...partly },
        apply: (now) => checkpoints.revert(session, { before, after, now, paths, force }),
      });
    });
    if (!changed.ok) return changed;
    const isGated = openGateOf(actor.journal.row)?.turnId === turnId;
    if (isGated && paths === undefined) await withdrawGate(actor.log);
    return ok({ ...changed.value, reverted: turnId });
  });
}

/** Discards what has changed since the last commit. */
export function discardChanges(actor: SessionActor, input: DiscardChanges): Answer<Discarded> {
  const { checkpoints } = actor.log.deps;
  const { session } = actor.turns.checkpointer;
  return whileIdle(actor, "discard", () =>
    changeFiles(actor, async () =>
      ok({
        about: { discarded: true as const },
        apply: (now) => checkpoints.discard(session, { ...input, now }),
      }),
    ),
  );
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
