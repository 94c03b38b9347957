import type { Item } from "@drover/core";

/** What undoing has done to the turns of a transcript. */
export interface Undone {
  /** Turns whose changes are undone, each with the revert that did it. */
  readonly by: ReadonlyMap<string, string>;
  /** Reverts that brought changes back: they undid another revert. */
  readonly redone: ReadonlySet<string>;
}

/** From the items with changes, oldest first. A revert that was itself reverted has no effect any more. */
export function undoneTurns(changed: readonly Item[]): Undone {
  const by = new Map<string, string>();
  const reverts = new Map<string, string>();
  for (const { turnId = "", changes } of changed) {
    if (changes?.reverts !== undefined) reverts.set(turnId, changes.reverts);
  }
  for (const { turnId = "", changes } of changed.toReversed()) {
    if (changes?.reverts === undefined || changes.partly || by.has(turnId)) continue;
    by.set(changes.reverts, turnId);
  }
  const isRedo = (id: string): boolean => {
    const target = reverts.get(id);
    return target !== undefined && reverts.has(target) && !isRedo(target);
  };
  return { by, redone: new Set([...reverts.keys()].filter(isRedo)) };
}
