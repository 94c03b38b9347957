import { duration } from "../format/time.ts";
import { endingWords } from "../format/words.ts";
import type { Ending } from "../state/view.ts";
import { AlertIcon } from "../ui/icons.tsx";

/** How the turn ended: a quiet line when all went well, the reason when not. */
export function EndingLine({ ending: { done, startedAt } }: { ending: Ending }) {
  const time = startedAt ? ` after ${duration(Date.parse(done.at) - Date.parse(startedAt))}` : "";
  if (done.ok) {
    return (
      <p className="text-2xs text-faint">
        {endingWords[done.reason]}
        {time}
      </p>
    );
  }
  const interrupted = done.reason === "cancelled";
  return (
    <div
      className={`flex items-start gap-2 rounded-md border px-3 py-2 ${interrupted ? "border-line text-muted" : "border-bad/35 bg-bad/6 text-bad"}`}
    >
      <span className="mt-0.5">
        <AlertIcon size={15} />
      </span>
      <div className="min-w-0">
        <p className="font-medium">
          {endingWords[done.reason]}
          {time}
        </p>
        {done.error && <p className="break-words text-ink">{done.error.message}</p>}
      </div>
    </div>
  );
}
