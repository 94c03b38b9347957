import type { Result } from "@drover/core";
import { createStore } from "../state/store.ts";
import type { Problem } from "../transport/wire.ts";

/** An action that was just taken. Most can be undone. */
export interface Undoable {
  readonly id: number;
  /** What was done: "Archived brave-otter". */
  readonly done: string;
  /** Returns its result if it can fail. Absent if it is final. */
  readonly undo?: Undo;
}

export type Undo = (() => void) | (() => Promise<Result<unknown, Problem>>);

/** The last thing that was done; a later one takes its place. */
export const undoable = createStore<Undoable | undefined>(undefined);

let offers = 0;

/** Offers to undo something for a few seconds. */
export const offerUndo = (done: string, undo: Undo): void => undoable.set({ id: ++offers, done, undo });

/** Says for a few seconds what was done. */
export const announce = (done: string): void => undoable.set({ id: ++offers, done });

/** Ends an offer, unless another has taken its place. */
export function endOffer(offered: Undoable): void {
  if (undoable.get() === offered) undoable.set(undefined);
}
