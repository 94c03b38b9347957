import { type DoneReason, elapsed, type Item, type LastTurn } from "@drover/core";
import { plainText } from "../format/terminal.ts";
import { momentTime, useNow } from "../format/time.ts";
import { endingWords } from "../format/words.ts";
import { Button } from "../ui/button.tsx";
import { CodeWords } from "../ui/code-words.tsx";
import { AlertIcon } from "../ui/icons.tsx";
import { faultText } from "./fault-details.tsx";

interface EndingLineProps {
  readonly turn: LastTurn;
  /** The last item of the transcript, which is not repeated. */
  readonly last: Item | undefined;
  /** Sends the prompt again, now or at a time; undefined if it is not known. */
  readonly onRetry: ((notBefore?: string) => void) | undefined;
}

/** How the turn ended: a quiet line if it went well, or else the reason and a way to try again. */
export function EndingLine({ turn, last, onRetry }: EndingLineProps) {
  const { id, reason, ok, message } = turn;
  const hasNotice = last?.kind === "notice" && last.turnId === id && last.code === reason.toUpperCase();
  if (ok || reason === "cancelled") {
    return (
      <p className="text-2xs text-faint">{hasNotice ? `Ended after ${timeOf(turn)}` : sentenceOf(turn)}</p>
    );
  }
  const isRepeated = !message || hasNotice || plainText(message) === (last && faultText(last));
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-1.5 text-bad text-sm">
      <span className="mt-0.5">
        <AlertIcon size={15} />
      </span>
      <p className="-ml-1 min-w-0 flex-1 whitespace-pre-wrap break-words">
        {sentenceOf(turn)}
        {!isRepeated && (
          <>
            : <CodeWords text={plainText(message)} />
          </>
        )}
      </p>
      {onRetry && (
        <span className="flex flex-wrap gap-2 text-ink">
          {turn.until && <RetryLater until={turn.until} onRetry={onRetry} />}
          <Button title="Send the same prompt again now" onClick={() => onRetry()}>
            Retry
          </Button>
        </span>
      )}
    </div>
  );
}

interface RetryLaterProps {
  readonly until: string;
  readonly onRetry: (notBefore: string) => void;
}

/** The server sends the prompt at that time, whether this page is open or not. */
function RetryLater({ until, onRetry }: RetryLaterProps) {
  if (useNow() >= Date.parse(until)) return null;
  return (
    <Button title={`Send the same prompt again at ${momentTime(until)}`} onClick={() => onRetry(until)}>
      Send when it resets
    </Button>
  );
}

/** Endings that say when they happened. */
const timed: readonly DoneReason[] = ["cancelled", "timeout", "error", "crashed"];

const timeOf = ({ startedAt, endedAt }: LastTurn) => elapsed(startedAt, endedAt);

function sentenceOf(turn: LastTurn): string {
  const { reason, until } = turn;
  if (reason === "end_turn") return `Done in ${timeOf(turn)}`;
  const ending = endingWords[reason];
  if (until !== undefined) return `${ending}, resets at ${momentTime(until)}`;
  return timed.includes(reason) ? `${ending} after ${timeOf(turn)}` : ending;
}
