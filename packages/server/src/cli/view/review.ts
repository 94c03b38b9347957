import type { Review, Session } from "@drover/core";
import { stateWords } from "./state.ts";
import { count } from "./words.ts";

const words: Readonly<Record<Review["state"], string>> = {
  none: "nothing to review",
  open: "ready for review",
  changes_requested: "changes requested",
  accepted: "accepted",
  merging: "being merged",
  merged: "merged",
  rejected: "rejected",
};

/** A newer server may report states that this CLI does not know. */
export const reviewWords = (state: Review["state"]): string =>
  Object.hasOwn(words, state) ? words[state] : state;

/** The state of a session in a list: between turns, its review or its signal says more than "idle". */
export function listedState(session: Session): string {
  const state = stateWords(session);
  const { review, turn, worker } = session;
  if (turn || review === undefined || review.state === "none")
    return state === "idle" && worker?.signal?.status === "done" ? "done" : state;
  const said = reviewWords(review.state);
  return state === "idle" ? said : `${state}, ${said}`;
}

/** How much there is to review: `3 files, +20 -4`. */
export const describeChanges = ({ files, added, removed }: Review): string =>
  `${count(files, "file")}, +${added} -${removed}`;
