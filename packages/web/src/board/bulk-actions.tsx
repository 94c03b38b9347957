import type { Result, Session } from "@drover/core";
import { useState } from "react";
import { countOf } from "../format/count.ts";
import { merge } from "../review/requests.ts";
import { useDrover } from "../state/drover.ts";
import type { Problem } from "../transport/wire.ts";
import { Button } from "../ui/button.tsx";
import { announce } from "../ui/undo.ts";
import type { Problems } from "./board-column.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";
import { type Board, canBeStopped, columns } from "./columns.ts";

interface BulkActionsProps {
  readonly board: Board;
  /** Called with what went wrong, by the worker's id. */
  readonly onProblems: (problems: Problems) => void;
}

type Act = (worker: Session) => Promise<Result<unknown, Problem>>;

/** What can be done with many workers at once. */
export function BulkActions({ board, onProblems }: BulkActionsProps) {
  const drover = useDrover();
  const [open, setOpen] = useState<"stop" | "merge">();
  const [busy, setBusy] = useState(false);
  const close = () => setOpen(undefined);
  // Those in the queue first: otherwise each would start when another one has stopped.
  const stoppable = columns.flatMap((column) => board[column].filter(canBeStopped));
  const accepted = board.review.filter(({ review }) => review?.state === "accepted").toReversed();

  /** Acts on one worker after another. One that fails does not keep the others from it. */
  const actOn = async (workers: readonly Session[], { act, done }: { act: Act; done: string }) => {
    close();
    setBusy(true);
    const problems = new Map<string, Problem>();
    onProblems(problems);
    for (const worker of workers) {
      const answer = await act(worker);
      if (answer.ok) continue;
      problems.set(worker.id, answer.error);
      onProblems(new Map(problems));
    }
    setBusy(false);
    announce(resultOf(done, { all: workers.length, failed: problems.size }));
  };
  const stopAll = () => actOn(stoppable, { act: ({ id }) => drover.stop(id), done: "Stopped" });
  const mergeAll = () =>
    actOn(accepted, {
      act: ({ id, review }) => merge(id, { strategy: "merge", ...(review ? { work: review.work } : {}) }),
      done: "Sent to merge:",
    });
  return (
    <>
      {stoppable.length > 0 && (
        <Button look="quiet" disabled={busy} onClick={() => setOpen("stop")}>
          Stop all…
        </Button>
      )}
      {accepted.length > 0 && (
        <Button disabled={busy} onClick={() => setOpen("merge")}>
          Merge accepted ({accepted.length})…
        </Button>
      )}
      {open === "stop" && (
        <BulkDialog
          title={`Stop ${countOf(stoppable.length, "worker")}?`}
          about="Their turns end now. What they have written stays in their worktrees, and you can resume each of them."
          workers={stoppable}
          action="Stop all"
          dangerous
          onConfirm={() => void stopAll()}
          onClose={close}
        />
      )}
      {open === "merge" && (
        <BulkDialog
          title={`Merge ${countOf(accepted.length, "accepted worker")}?`}
          about="One after another, with the project's checks. A worker that conflicts stays on the board and says so."
          workers={accepted}
          action="Merge all"
          onConfirm={() => void mergeAll()}
          onClose={close}
        />
      )}
    </>
  );
}

function resultOf(done: string, { all, failed }: { all: number; failed: number }): string {
  const words = `${done} ${countOf(all - failed, "worker")}`;
  return failed === 0 ? words : `${words}. ${failed} failed; their cards say why.`;
}
