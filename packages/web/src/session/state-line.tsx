import type { Session, SessionStateName } from "@drover/core";
import { clockTime, duration, useNow } from "../format/time.ts";
import { modeWords, stateWords, usageWords } from "../format/words.ts";
import type { SessionView } from "../state/view.ts";
import { StateDot } from "../ui/state-dot.tsx";

interface StateLineProps {
  readonly session: Session;
  readonly view: SessionView;
  readonly state: SessionStateName;
}

/** How the session stands, since when, and what it has used. */
export function StateLine({ session, view, state }: StateLineProps) {
  const { name, meaning } = modeWords[session.permissionMode];
  const { turn, usage, reason, model } = view.state;
  const facts = [...usageWords(usage), ...(model ? [model] : [])];
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-0.5 py-1.5 text-xs">
      <p className="flex items-center gap-1.5">
        <StateDot state={state} />
        <span
          role="status"
          className={state === "waiting_for_input" ? "font-medium text-warn" : "font-medium"}
        >
          {stateWords[state]}
        </span>
        {turn && <TurnTime startedAt={turn.startedAt} />}
      </p>
      <Trouble session={session} state={state} reason={reason ?? session.reason} />
      <p className="ml-auto flex flex-wrap gap-x-2 text-faint tabular-nums">
        {facts.map((fact) => (
          <span key={fact} className="max-md:hidden">
            {fact}
          </span>
        ))}
        <span title={meaning}>{name}</span>
      </p>
    </div>
  );
}

function TurnTime({ startedAt }: { startedAt: string }) {
  return <span className="text-faint tabular-nums">{duration(useNow() - Date.parse(startedAt))}</span>;
}

interface TroubleProps {
  readonly session: Session;
  readonly state: SessionStateName;
  readonly reason: { readonly message: string; readonly until?: string | undefined } | undefined;
}

/** Why the session does not simply work: the connection to its agent, or the reason its state has. */
function Trouble({ session: { connection }, state, reason }: TroubleProps) {
  if (connection.status === "reconnecting") {
    return <p className="text-warn">Reconnecting to the agent, try {connection.attempt}</p>;
  }
  if (!reason || state === "idle" || state === "running") return null;
  return (
    <p className={`min-w-0 break-words ${state === "crashed" ? "text-bad" : "text-muted"}`}>
      {reason.message}
      {reason.until && ` Until ${clockTime(reason.until)}.`}
    </p>
  );
}
