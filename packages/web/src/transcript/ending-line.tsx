import type { Item, LastTurn } from "@drover/core";
import { duration } from "../format/time.ts";
import { endingWords } from "../format/words.ts";

interface EndingLineProps {
  readonly turn: LastTurn;
  /** The transcript's last item: what it tells is not told again. */
  readonly last: Item | undefined;
}

/** How the turn ended: a quiet line when all went well, the reason when not. */
export function EndingLine({ turn, last }: EndingLineProps) {
  const { id, reason, ok, message, startedAt, endedAt } = turn;
  const time = `after ${duration(Date.parse(endedAt) - Date.parse(startedAt))}`;
  const isTold = last?.kind === "notice" && last.turnId === id && last.code === reason.toUpperCase();
  if (isTold) return <p className="text-2xs text-faint">{`Ended ${time}`}</p>;
  const sentence = `${endingWords[reason]} ${time}`;
  if (ok || reason === "cancelled") return <p className="text-2xs text-faint">{sentence}</p>;
  return (
    <p className="break-words text-2xs text-bad">
      {message && message !== last?.text ? `${sentence}: ${message}` : sentence}
    </p>
  );
}
