import type { QueuedMessage } from "@drover/core";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { QueuedRow } from "./queued-row.tsx";

interface QueueListProps {
  readonly sessionId: string;
  readonly queue: readonly QueuedMessage[];
  readonly paused: boolean;
}

/** Messages that wait for the running turn to end. */
export function QueueList({ sessionId, queue, paused }: QueueListProps) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  if (queue.length === 0) return null;
  return (
    <section aria-label="Queue" className="mb-2 rounded-lg border border-line">
      <header className="flex min-h-7 items-center gap-2 px-3 pt-0.5 text-muted text-xs">
        <h2 className="font-medium">
          {paused ? "Queue paused" : "Queued"} · {queue.length}
        </h2>
        {paused && (
          <Button
            look="quiet"
            className="-mr-2 ml-auto"
            disabled={busy}
            onClick={() => void run(() => drover.resume(sessionId))}
          >
            Resume queue
          </Button>
        )}
      </header>
      <ul className="max-h-48 divide-y divide-line overflow-y-auto">
        {queue.map((message, index) => (
          <QueuedRow
            key={message.messageId}
            sessionId={sessionId}
            message={message}
            previous={queue[index - 1]}
            next={queue[index + 1]}
          />
        ))}
      </ul>
      <div className="px-3">
        <ProblemText problem={problem} />
      </div>
    </section>
  );
}
