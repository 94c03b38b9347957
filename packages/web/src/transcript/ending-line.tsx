import { duration } from "../format/time.ts";
import { endingWords } from "../format/words.ts";
import type { Ending } from "../state/view.ts";

interface EndingLineProps {
  readonly ending: Ending;
  /** The transcript's last words: what they tell is not told again. */
  readonly lastWords: string | undefined;
}

/** How the turn ended: a quiet line when all went well, the reason when not. */
export function EndingLine({ ending: { done, startedAt }, lastWords }: EndingLineProps) {
  const time = startedAt ? ` after ${duration(Date.parse(done.at) - Date.parse(startedAt))}` : "";
  const sentence = `${endingWords[done.reason]}${time}`;
  if (done.ok || done.reason === "cancelled") return <p className="text-2xs text-faint">{sentence}</p>;
  const message = done.error?.message;
  return (
    <p className="break-words text-2xs text-bad">
      {message && message !== lastWords ? `${sentence}: ${message}` : sentence}
    </p>
  );
}
