import type { Item, LastTurn } from "@drover/core";
import { plainText } from "../format/terminal.ts";
import { duration } from "../format/time.ts";
import { endingWords } from "../format/words.ts";
import { CodeWords } from "../ui/code-words.tsx";
import { AlertIcon } from "../ui/icons.tsx";
import { faultText } from "./fault-details.tsx";

interface EndingLineProps {
  readonly turn: LastTurn;
  /** The transcript's last item: what it says is not repeated. */
  readonly last: Item | undefined;
}

/** How the turn ended: a quiet line when all went well, the reason when not. */
export function EndingLine({ turn, last }: EndingLineProps) {
  const { id, reason, ok, message, startedAt, endedAt } = turn;
  const time = `after ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  const hasNotice = last?.kind === "notice" && last.turnId === id && last.code === reason.toUpperCase();
  if (hasNotice) return <p className="text-2xs text-faint">{`Ended ${time}`}</p>;
  const sentence = `${endingWords[reason]} ${time}`;
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
