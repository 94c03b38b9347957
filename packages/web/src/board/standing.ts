import { exactText, type Session } from "@drover/core";
import { countOf } from "../format/count.ts";
import { reviewWords } from "../format/review-words.ts";
import { endingWords, stateWords } from "../format/words.ts";
import type { Column } from "./columns.ts";

export interface Standing {
  readonly text: string;
  readonly look: string;
}

/** What there is to say about a worker besides its column. */
export function standingOf(session: Session, column: Column): Standing | undefined {
  switch (column) {
    case "queued":
      return undefined;
    case "working":
      return workingWords(session);
    case "needs":
      return { text: requestWords(session), look: "text-warn" };
    case "review":
      return reviewStanding(session);
    case "merged":
      return session.review?.mergedAs
        ? { text: `Merged as ${session.review.mergedAs.slice(0, 7)}`, look: "text-good" }
        : undefined;
    case "failed":
      return failureWords(session);
  }
}

function workingWords({ state, worker }: Session): Standing | undefined {
  if (state === "stalled" || state === "waiting_for_quota" || state === "stopping")
    return { text: stateWords[state], look: "text-warn" };
  const tries = worker?.tries ?? 1;
  return tries > 1 ? { text: `Attempt ${tries}`, look: "text-muted" } : undefined;
}

function requestWords({ openInteractions, worker }: Session): string {
  if (openInteractions === 0) return "Queue paused";
  if (openInteractions > 1) return `${openInteractions} requests`;
  return worker?.signal?.status === "questions" ? "Has questions" : "Waits for approval";
}

function reviewStanding({ review, worker }: Session): Standing {
  const checks = review?.checks;
  if (checks?.state === "failed") return { text: "Check failed", look: "text-bad" };
  if (review?.state === "merging")
    return { text: checks?.state === "running" ? "Checks running" : "Merging", look: "text-muted" };
  if (review?.conflicts?.length) return { text: `Conflicts with ${review.into}`, look: "text-warn" };
  const words = reviewWords[review?.state ?? "none"];
  if (words) return { text: words, look: review?.state === "accepted" ? "text-good" : "text-accent" };
  const open = worker?.proposals?.open ?? 0;
  return open > 0
    ? { text: countOf(open, "proposal"), look: "text-accent" }
    : { text: "Done, nothing changed", look: "text-muted" };
}

function failureWords({ state, review, lastTurn, worker }: Session): Standing {
  if (review?.state === "rejected") return { text: "Rejected", look: "text-muted" };
  if (state === "stopped") return { text: "Stopped", look: "text-muted" };
  if (lastTurn?.reason === "cancelled") return { text: "Interrupted", look: "text-muted" };
  const why = worker?.signal?.error ?? lastTurn?.message;
  return { text: why ? exactText(why) : endingWords[lastTurn?.reason ?? "crashed"], look: "text-bad" };
}
