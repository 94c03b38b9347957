import { type ReactNode, useEffect, useState } from "react";
import { clockTime, duration, useNow } from "./format/time.ts";
import { useDrover } from "./state/drover.ts";
import { useStore } from "./state/store.ts";
import { TextButton } from "./ui/button.tsx";

/** After this time without a connection, say how to start the server. */
const longMs = 30_000;
/** How long "Reconnected" stays visible. */
const comebackMs = 6_000;

/** The state of the connection, when there is something to report. The first connection attempt is not. */
export function ConnectionBar() {
  const { connection, version } = useDrover();
  const status = useStore(connection.status, (now) => now);
  const newVersion = useStore(version.changedTo, (now) => now);
  const isLost = status.phase === "waiting" || (status.phase === "connecting" && status.attempt > 0);
  const back = status.phase === "open" ? status.back : undefined;
  return (
    <div role="status">
      {isLost && (
        <Lost
          retryAt={status.phase === "waiting" ? status.retryAt : undefined}
          onRetry={() => connection.retryNow()}
        />
      )}
      {newVersion !== undefined && !isLost && (
        <Bar look="border-accent/40 bg-overlay">
          <span className="font-medium">Drover was updated to {newVersion}.</span>
          <span className="text-muted">Reload to use the new version.</span>
          <TextButton onClick={() => location.reload()}>Reload</TextButton>
        </Bar>
      )}
      {back && newVersion === undefined && <Back since={back.since} missed={back.missed} />}
    </div>
  );
}

interface LostProps {
  readonly retryAt: number | undefined;
  readonly onRetry: () => void;
}

/** Shown while there is no connection. A server that stays away is probably not running. */
function Lost({ retryAt, onRetry }: LostProps) {
  const now = useNow();
  const [since] = useState(now);
  const isLong = now - since >= longMs;
  return (
    <Bar look="border-warn-dot/40 bg-overlay">
      <span className="font-medium text-warn">
        {isLong ? `Drover unreachable since ${clockTime(new Date(since).toISOString())}` : "Reconnecting…"}
      </span>
      <span className="text-muted">
        {isLong ? (
          <>
            Showing the last known state. If the server is not running, start it with{" "}
            <code className="font-mono">drover serve</code> or <code className="font-mono">npm start</code>.
          </>
        ) : (
          <span className="max-md:hidden">Agents keep working.</span>
        )}{" "}
        <NextTry retryAt={retryAt} />
      </span>
      <TextButton onClick={onRetry}>Try now</TextButton>
    </Bar>
  );
}

function Bar({ look, children }: { look: string; children: ReactNode }) {
  return (
    <p
      className={`pointer-events-auto flex min-h-8 flex-wrap items-center justify-center gap-x-2 rounded-lg border px-3 py-1 text-xs shadow-overlay ${look}`}
    >
      {children}
    </p>
  );
}

function Back({ since, missed }: { since: number; missed: number }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    setIsOver(false);
    const timer = setTimeout(() => setIsOver(true), since + comebackMs - Date.now());
    return () => clearTimeout(timer);
  }, [since]);
  if (isOver) return null;
  return (
    <Bar look="border-good/40 bg-overlay">
      <span className="font-medium text-good">Reconnected.</span>
      {missed > 0 && (
        <span className="text-muted">
          Caught up on {missed} {missed === 1 ? "event" : "events"}.
        </span>
      )}
    </Bar>
  );
}

function NextTry({ retryAt }: { retryAt: number | undefined }) {
  const remaining = (retryAt ?? 0) - useNow();
  const text = remaining > 500 ? `Retrying in ${duration(remaining)}.` : "Retrying…";
  return (
    <span aria-hidden="true" className="tabular-nums">
      {text}
    </span>
  );
}
