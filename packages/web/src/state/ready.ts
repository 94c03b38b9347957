import type { Session } from "@drover/core";

/** The work waits for a person's decision. */
export const isReadyForReview = ({ review, turn, archived }: Session): boolean =>
  review?.state === "open" && turn === undefined && !archived;
