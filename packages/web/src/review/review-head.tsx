import { exactText, type Review, type Session } from "@drover/core";
import { useAgentName } from "../agents/agent-name.ts";
import { fileCount } from "../format/file-count.ts";
import { reviewWords } from "../format/review-words.ts";
import { Counts } from "../ui/counts.tsx";
import { OpenIcon } from "../ui/icons.tsx";
import { CheckState } from "./check-state.tsx";
import { Commits } from "./commits.tsx";
import { Conflicts } from "./conflicts.tsx";
import { ReviewActions } from "./review-actions.tsx";

interface ReviewHeadProps {
  readonly session: Session;
  readonly review: Review;
  readonly diffId: string;
  /** A turn is running. */
  readonly isRunning: boolean;
}

/** How the review stands, and what to do about it. */
export function ReviewHead({ session, review, diffId, isRunning }: ReviewHeadProps) {
  const { state, into, ahead, behind, files, added, removed, pullRequest } = review;
  const agentName = useAgentName(session.agent);
  const hasWork = ahead > 0 || files > 0;
  return (
    <section
      aria-label="Review"
      className="grid max-h-[45dvh] shrink-0 gap-2 overflow-y-auto border-line border-b px-3 py-2.5 md:px-5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p role="status" className={`font-semibold ${looks[state] ?? ""}`}>
          {reviewWords[state] ?? "Nothing to review"}
        </p>
        <p className="flex min-w-0 flex-wrap gap-x-2.5 text-muted text-xs">
          {into !== undefined && (
            <span className="min-w-0 truncate">
              into <span className="font-mono text-ink">{exactText(into)}</span>
            </span>
          )}
          {(hasWork || behind > 0) && (
            <span title="How many commits a merge would bring, and how many the session doesn't have. All uncommitted work counts as one.">
              {ahead.toLocaleString("en")} ahead, {behind.toLocaleString("en")} behind
            </span>
          )}
          {files > 0 && (
            <span>
              {fileCount(files)} <Counts added={added} removed={removed} />
            </span>
          )}
          {pullRequest !== undefined && <PullRequestLink address={pullRequest} />}
        </p>
        {hasWork && <ReviewActions {...{ session, review, diffId, isRunning }} />}
      </div>
      {isRunning && (
        <p className="text-muted text-xs">
          {agentName} is working. You can comment now, and decide when its turn has ended.
        </p>
      )}
      <CheckState review={review} />
      <Conflicts session={session} review={review} isLocked={isRunning || state === "merging"} />
      {hasWork && <Commits session={session} review={review} />}
    </section>
  );
}

const looks: Readonly<Partial<Record<Review["state"], string>>> = {
  open: "text-accent",
  changes_requested: "text-warn",
  accepted: "text-good",
  merged: "text-good",
  rejected: "text-bad",
};

function PullRequestLink({ address }: { address: string }) {
  // What git's host printed may be anything.
  if (!/^https?:\/\//.test(address)) return <span className="truncate">{exactText(address)}</span>;
  return (
    <a
      className="flex items-center gap-1 text-accent hover:underline"
      href={address}
      target="_blank"
      rel="noreferrer"
    >
      Pull request
      <OpenIcon size={12} />
    </a>
  );
}
