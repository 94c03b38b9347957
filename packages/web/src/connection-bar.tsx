import { duration, useNow } from "./format/time.ts";
import { useDrover } from "./state/drover.ts";
import { useStore } from "./state/store.ts";

/** The truth about the connection, while there is none. The first moments of a page are not worth a word. */
export function ConnectionBar() {
  const { connection } = useDrover();
  const status = useStore(connection.status, (now) => now);
  const lost = status.phase === "waiting" || (status.phase === "connecting" && status.attempt > 0);
  return (
    <div role="status" className={lost ? "border-warn-dot/40 border-b bg-warn-dot/12" : ""}>
      {lost && (
        <p className="flex min-h-8 flex-wrap items-center justify-center gap-x-2 px-3 py-1 text-xs">
          <span className="font-medium text-warn">Reconnecting…</span>
          <span className="text-muted">
            Agents go on working.{" "}
            <NextTry retryAt={status.phase === "waiting" ? status.retryAt : undefined} />
          </span>
          <button type="button" className="text-accent" onClick={() => connection.retryNow()}>
            Try now
          </button>
        </p>
      )}
    </div>
  );
}

function NextTry({ retryAt }: { retryAt: number | undefined }) {
  const left = (retryAt ?? 0) - useNow();
  return <span aria-hidden="true">{left > 500 ? `Next try in ${duration(left)}.` : "Trying…"}</span>;
}
