import type { DecideReview, Review, Session } from "@drover/core";
import { useState } from "react";
import { hasText } from "../changes/comment-message.ts";
import { useComments } from "../changes/comments.ts";
import { Button } from "../ui/button.tsx";
import { Menu, type MenuEntry } from "../ui/menu.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import { PullRequestDialog } from "./pull-request-dialog.tsx";
import { RejectDialog } from "./reject-dialog.tsx";
import { RequestDialog } from "./request-dialog.tsx";
import { decide } from "./requests.ts";
import { useUpdate } from "./use-update.ts";

interface ReviewActionsProps {
  readonly session: Session;
  readonly review: Review;
  readonly diffId: string;
  readonly isRunning: boolean;
}

type Open = "request" | "merge" | "pull-request" | "reject";

/** The decisions. One stands out: unsent comments first, then accepting, then merging. */
export function ReviewActions({ session, review, diffId, isRunning }: ReviewActionsProps) {
  const { state, into, behind, work } = review;
  const [open, setOpen] = useState<Open>();
  const { busy, problem, run } = useAction();
  const updating = useUpdate(session);
  const comments = useComments(diffId).filter(hasText);
  const isAccepted = state === "accepted";
  const isMerging = state === "merging";
  const locked = isRunning
    ? "Wait for the running turn to end"
    : isMerging
      ? "The work is being merged"
      : undefined;
  const isOff = locked !== undefined || busy || updating.busy;
  const close = () => setOpen(undefined);
  const decideOn = (decision: DecideReview["do"]) => run(() => decide(session.id, { do: decision, work }));
  const act = (action: () => void) => () => isOff || action();
  const more: MenuEntry[] = [
    ...(isAccepted ? [] : [{ text: "Merge…", onChoose: act(() => setOpen("merge")) }]),
    ...(behind > 0
      ? [{ text: `Update from ${into}`, onChoose: act(() => void updating.bring({ ask: false })) }]
      : []),
    { text: "Open pull request…", onChoose: act(() => setOpen("pull-request")) },
    ...(state === "rejected"
      ? []
      : [{ text: "Reject…", dangerous: true, onChoose: act(() => setOpen("reject")) }]),
  ];
  const hasComments = comments.length > 0;
  // Not disabled: the button that was pressed keeps the focus, and becomes the next one.
  const button = { "aria-disabled": isOff, title: locked, className: "aria-disabled:opacity-45" };
  return (
    <div className="ml-auto grid justify-items-end gap-1">
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button {...button} look={hasComments ? "primary" : "plain"} onClick={act(() => setOpen("request"))}>
          Request changes{hasComments ? ` (${comments.length})` : "…"}
        </Button>
        <Button
          {...button}
          look={hasComments ? "plain" : "primary"}
          onClick={act(() => (isAccepted ? setOpen("merge") : void decideOn("accept")))}
        >
          {isAccepted ? "Merge…" : "Accept"}
        </Button>
        <Menu label="More review actions" entries={more} />
      </div>
      <ProblemText problem={problem ?? updating.problem} />
      {open === "request" && (
        <RequestDialog session={session} diffId={diffId} comments={comments} onClose={close} />
      )}
      {open === "merge" && <MergeDialog session={session} work={work} onClose={close} />}
      {open === "pull-request" && <PullRequestDialog session={session} onClose={close} />}
      {open === "reject" && <RejectDialog session={session} onClose={close} />}
    </div>
  );
}
