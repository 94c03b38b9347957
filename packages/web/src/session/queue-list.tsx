import type { QueuedMessage } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";

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
      <header className="flex items-center gap-2 px-3 pt-1.5 text-muted text-xs">
        <h2 className="font-medium">
          {paused ? "Queue paused" : "Queued"} · {queue.length}
        </h2>
        {paused && (
          <Button
            look="quiet"
            className="ml-auto"
            disabled={busy}
            onClick={() => void run(() => drover.resume(sessionId))}
          >
            Resume queue
          </Button>
        )}
      </header>
      <ul className="max-h-48 divide-y divide-line overflow-y-auto">
        {queue.map((message) => (
          <QueuedRow key={message.messageId} sessionId={sessionId} message={message} />
        ))}
      </ul>
      <div className="px-3">
        <ProblemText problem={problem} />
      </div>
    </section>
  );
}

function QueuedRow({ sessionId, message }: { sessionId: string; message: QueuedMessage }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [edited, setEdited] = useState<string>();
  const { messageId, content } = message;
  const save = async () => {
    const done = await run(() => drover.editQueued(sessionId, messageId, edited?.trim() ?? ""));
    if (done) setEdited(undefined);
  };
  return (
    <li className="px-3 py-1.5">
      {edited === undefined ? (
        <div className="flex items-center gap-1">
          <p className="line-clamp-2 min-w-0 flex-1 whitespace-pre-wrap break-words">{content}</p>
          <Button look="quiet" onClick={() => setEdited(content)}>
            Edit
          </Button>
          <Button
            look="quiet"
            disabled={busy}
            onClick={() => void run(() => drover.dropQueued(sessionId, messageId))}
          >
            Drop
          </Button>
        </div>
      ) : (
        <div className="grid gap-2 py-1">
          <textarea
            aria-label="New words"
            className="field field-sizing-content max-h-40 resize-none"
            // biome-ignore lint/a11y/noAutofocus: it has just been asked for
            autoFocus
            value={edited}
            onChange={(event) => setEdited(event.target.value)}
          />
          <div className="flex gap-2">
            <Button disabled={busy || edited.trim() === ""} onClick={() => void save()}>
              Save
            </Button>
            <Button look="quiet" onClick={() => setEdited(undefined)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
      <ProblemText problem={problem} />
    </li>
  );
}
