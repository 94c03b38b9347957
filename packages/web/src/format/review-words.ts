import type { ReviewState } from "@drover/core";

/** How a review stands, in a few words; nothing while there is nothing to review. */
export const reviewWords: Readonly<Record<ReviewState, string | undefined>> = {
  none: undefined,
  open: "Ready for review",
  changes_requested: "Changes requested",
  accepted: "Accepted",
  merging: "Merging",
  merged: "Merged",
  rejected: "Rejected",
};

/** The same where there is little room. */
export const shortReviewWords = { ...reviewWords, open: "Review" };
