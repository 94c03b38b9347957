import { useDrover } from "../state/drover.ts";
import type { Prompt } from "../state/outbox.ts";
import { putBack } from "../storage/drafts.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { offerUndo } from "../ui/undo.ts";

/** A message that is being sent. It stays until the transcript has it or the user takes it back. */
export function PendingPrompt({ prompt }: { prompt: Prompt }) {
  const { outbox } = useDrover();
  const { content, problem, receipt, sessionId, clientMessageId } = prompt;
  const takeBack = () => {
    putBack(sessionId, content);
    outbox.drop(clientMessageId);
  };
  const discard = () => {
    outbox.drop(clientMessageId);
    offerUndo("Message discarded", () => outbox.restore(prompt));
  };
  return (
    <article aria-label="Sending" className="mt-3">
      <div className="rounded-lg border border-line border-dashed px-3.5 py-2.5 text-muted">
        <p dir="auto" className="whitespace-pre-wrap break-words text-base">
          {content}
        </p>
      </div>
      {problem ? (
        <div className="mt-1.5 flex flex-wrap items-center gap-2 px-1">
          <ProblemText problem={problem} />
          <Button onClick={takeBack}>Edit</Button>
          <Button look="quiet" onClick={discard}>
            Discard
          </Button>
        </div>
      ) : (
        <p role="status" className="mt-1 px-1 text-2xs text-faint">
          {receipt ? "Sent" : "Sending…"}
        </p>
      )}
    </article>
  );
}
