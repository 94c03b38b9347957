import type { DoneReason, Item, LastTurn } from "@drover/core";
import { plainText } from "../format/terminal.ts";
import { elapsed } from "../format/time.ts";
import { endingWords } from "../format/words.ts";
import { CodeWords } from "../ui/code-words.tsx";
import { AlertIcon } from "../ui/icons.tsx";
import { faultText } from "./fault-details.tsx";

interface EndingLineProps {
  readonly turn: LastTurn;
  /** The last item of the transcript, which is not repeated. */
  readonly last: Item | undefined;
}

/** How the turn ended: a quiet line if it went well, or else the reason. */
export function EndingLine({ turn, last }: EndingLineProps) {
  const { id, reason, ok, message, startedAt, endedAt } = turn;
  const time = elapsed(startedAt, endedAt);
  const hasNotice = last?.kind === "notice" && last.turnId === id && last.code === reason.toUpperCase();
  if (hasNotice) return <p className="text-2xs text-faint">{`Ended after ${time}`}</p>;
  const sentence = endingSentence(reason, time);
  if (ok || reason === "cancelled") return <p className="text-2xs text-faint">{sentence}</p>;
  if (!message || plainText(message) === (last && faultText(last)))
    return <p className="text-2xs text-bad">{sentence}</p>;
  return (
    <div className="flex items-start gap-2 text-bad text-sm">
      <span className="mt-0.5">
        <AlertIcon size={15} />
      </span>
      <p className="min-w-0 whitespace-pre-wrap break-words">
        {sentence}: <CodeWords text={plainText(message)} />
      </p>
    </div>
  );
}

/** Endings that say when they happened. */
const timed: readonly DoneReason[] = ["cancelled", "timeout", "error", "crashed"];

function endingSentence(reason: DoneReason, time: string): string {
  if (reason === "end_turn") return `Done in ${time}`;
  return timed.includes(reason) ? `${endingWords[reason]} after ${time}` : endingWords[reason];
}
