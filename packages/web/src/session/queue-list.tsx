import type { QueuedMessage } from "@drover/core";
import { memo, useLayoutEffect, useState } from "react";
import { perform } from "../keyboard/use-shortcuts.ts";
import { useDrover } from "../state/drover.ts";
import { putBack, useDraft } from "../storage/drafts.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { QueuedRow, type QueueEdit } from "./queued-row.tsx";
import { useQueueFocus } from "./use-queue-focus.ts";

interface QueueListProps {
  readonly sessionId: string;
  readonly queue: readonly QueuedMessage[];
  readonly paused: boolean;
}

/** Messages that wait for the running turn to end. */
export const QueueList = memo(function QueueList({ sessionId, queue, paused }: QueueListProps) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const { edit, setEdit, isLate } = useQueueEdit(sessionId, queue);
  const { list, keepFocus } = useQueueFocus(queue);
  if (queue.length === 0) return isLate ? <Late /> : null;
  return (
    <section aria-label="Queue" className="mb-2 rounded-lg border border-line">
      <header className="flex min-h-7 items-center gap-2 px-3 pt-0.5 text-muted text-xs">
        <h2 className="font-medium">
          {paused ? "Queue paused" : "Queued"} · {queue.length}
        </h2>
        {paused && <p className="truncate max-md:hidden">These wait until you resume the queue.</p>}
        {paused && (
          <Button
            look="quiet"
            className="-mr-2 ml-auto"
            title="Send the queued messages, one turn each"
            disabled={busy}
            onClick={() => void run(() => drover.resume(sessionId))}
          >
            Resume queue
          </Button>
        )}
      </header>
      <ul ref={list} className="max-h-[min(12rem,22dvh)] divide-y divide-line overflow-y-auto">
        {queue.map((message, index) => (
          <QueuedRow
            key={message.messageId}
            sessionId={sessionId}
            message={message}
            previous={queue[index - 1]}
            next={queue[index + 1]}
            text={edit?.message.messageId === message.messageId ? edit.text : undefined}
            onEdit={setEdit}
            onAction={keepFocus}
          />
        ))}
      </ul>
      <div className="px-3">
        <ProblemText problem={problem} />
        {isLate && <Late />}
      </div>
    </section>
  );
});

/**
 * The message being edited. If it leaves the queue before the edit is saved, the text and the focus move to the
 * composer, so that nothing is lost and the next letter is not taken for a shortcut.
 */
function useQueueEdit(sessionId: string, queue: readonly QueuedMessage[]) {
  const [edit, setEdit] = useState<QueueEdit>();
  const [late, setLate] = useState(false);
  const draft = useDraft(sessionId);
  const isGone = edit && !queue.some(({ messageId }) => messageId === edit.message.messageId);
  useLayoutEffect(() => {
    if (!edit || !isGone) return;
    setEdit(undefined);
    perform("write");
    if (edit.text.trim() === edit.message.content.trim()) return;
    putBack(sessionId, edit.text);
    setLate(true);
  }, [edit, isGone, sessionId]);
  return {
    edit,
    setEdit: (next: QueueEdit | undefined) => {
      setEdit(next);
      setLate(false);
    },
    isLate: late && draft !== "",
  };
}

function Late() {
  return (
    <p role="status" className="mb-2 text-warn text-xs">
      This message was sent before your edit was saved. Your edit is in the message field below.
    </p>
  );
}
