import type { Review, Session } from "@drover/core";
import { useMemo } from "react";
import { useAgentName } from "../agents/agent-name.ts";
import { DiffReview } from "../changes/diff-review.tsx";
import type { Nothing } from "../changes/no-changes.tsx";
import { useSeen } from "../session/use-seen.ts";
import { useDrover } from "../state/drover.ts";
import { useAnswer } from "../state/use-resource.ts";
import type { SessionView } from "../state/view.ts";
import { Empty } from "../ui/empty.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { reviewDiff } from "./review-diff.ts";
import { ReviewHead } from "./review-head.tsx";

interface ReviewPageProps {
  readonly session: Session;
  readonly view: SessionView;
}

/** The work of a session in a worktree: looked through, sent back, accepted and merged. */
export function ReviewPage({ session, view }: ReviewPageProps) {
  if (session.workspace.mode === "worktree") return <WorktreeReview session={session} view={view} />;
  return (
    <Empty title="Nothing to merge">
      <p>This session works in your own directory. Start one in a worktree to review and merge its work.</p>
    </Empty>
  );
}

function WorktreeReview({ session, view }: ReviewPageProps) {
  const drover = useDrover();
  const { id, workspace } = session;
  // Asking makes the server look again. What it stores arrives as an event; a review without work is not stored.
  const asked = useAnswer<Review>(`/api/sessions/${id}/review`);
  const review = view.state.review ?? asked.value;
  const source = useMemo(() => reviewDiff(drover, id), [drover, id]);
  const agentName = useAgentName(session.agent);
  const { lastSeq, turn } = view.state;
  useSeen({ session, lastSeq, atEnd: review !== undefined && turn === undefined });
  return (
    <>
      {review ? (
        <ReviewHead {...{ session, review }} diffId={source.id} isRunning={turn !== undefined} />
      ) : (
        asked.problem && (
          <div className="border-line border-b px-3 py-2 md:px-5">
            <ProblemText problem={asked.problem} />
          </div>
        )
      )}
      <DiffReview source={source} nothing={nothingIn(review, agentName)} root={workspace.path} hasViewed />
    </>
  );
}

function nothingIn(review: Review | undefined, agentName: string): Nothing {
  if (review?.state === "merged" && review.mergedAs !== undefined) {
    return {
      title: `Merged into ${review.into}`,
      text: `The work is in ${review.mergedAs.slice(0, 7)}. What ${agentName} does next starts from there.`,
    };
  }
  return { title: "Nothing to review", text: `Changes by ${agentName} appear here when its turn ends.` };
}
