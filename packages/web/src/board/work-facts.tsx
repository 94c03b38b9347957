import type { Session } from "@drover/core";
import { fileCount } from "../format/file-count.ts";
import { duration, useNow } from "../format/time.ts";
import { costWords } from "../format/words.ts";
import { Counts } from "../ui/counts.tsx";

/** What a worker has changed, what it cost, and how long its last turn took. */
export function WorkFacts({ session }: { session: Session }) {
  const { state, worker, review, turn, lastTurn, usage } = session;
  const changes = worker?.changes ?? review;
  const cost = costWords(usage);
  return (
    <p className="flex flex-wrap items-baseline gap-x-2.5 text-muted text-xs tabular-nums empty:hidden">
      {changes !== undefined && changes.files > 0 && (
        <span>
          {fileCount(changes.files)} <Counts added={changes.added} removed={changes.removed} />
        </span>
      )}
      {cost !== undefined && <span>{cost}</span>}
      {turn && state !== "queued" && <RunningTime since={turn.startedAt} />}
      {!turn && lastTurn && (
        <span>took {duration(Date.parse(lastTurn.endedAt) - Date.parse(lastTurn.startedAt))}</span>
      )}
    </p>
  );
}

function RunningTime({ since }: { since: string }) {
  const now = useNow();
  return <span>for {duration(now - Date.parse(since))}</span>;
}
