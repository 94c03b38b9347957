import type { Session, SessionState, SessionStateName } from "@drover/core";
import { memo } from "react";
import { approvalWords } from "../format/capability-words.ts";
import { clockTime, duration, useNow } from "../format/time.ts";
import { stateWords } from "../format/words.ts";
import { useDrover } from "../state/drover.ts";
import { FaultDetails } from "../transcript/fault-details.tsx";
import { TextButton } from "../ui/button.tsx";
import { CodeWords } from "../ui/code-words.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { StateDot } from "../ui/state-dot.tsx";
import { useAction } from "../ui/use-action.ts";
import { ModeSwitch } from "./mode-switch.tsx";
import { ModelSwitch } from "./model-switch.tsx";
import { UsageMeter } from "./usage-meter.tsx";

interface StateLineProps {
  readonly session: Session;
  readonly state: SessionStateName;
  readonly usage: SessionState["usage"];
  readonly turn: SessionState["turn"];
  readonly reason: SessionState["reason"];
  readonly model: SessionState["model"];
  readonly agentMode: SessionState["agentMode"];
}

/** The session's state and usage, and the switches for model and permission mode. */
export const StateLine = memo(function StateLine(props: StateLineProps) {
  const { session, state, turn, usage, reason, model, agentMode = session.agentMode } = props;
  const action = useAction();
  const approvals = approvalWords(agentMode ? { ...session, agentMode } : session);
  return (
    <div className="text-xs md:py-1.5">
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-0.5">
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
        <div className="ml-auto flex items-center gap-x-2 text-muted">
          <UsageMeter usage={usage} />
          <ModelSwitch session={session} model={model ?? session.model} />
          <ModeSwitch session={session} action={action} />
        </div>
      </div>
      <Trouble session={session} state={state} reason={reason ?? session.reason} action={action} />
      {!approvals.can && <p className="text-warn">{approvals.words}</p>}
      <ProblemText problem={action.problem} />
    </div>
  );
});

function TurnTime({ startedAt }: { startedAt: string }) {
  return <span className="text-faint tabular-nums">{duration(useNow() - Date.parse(startedAt))}</span>;
}

interface TroubleProps {
  readonly session: Session;
  readonly state: SessionStateName;
  readonly reason: Session["reason"];
  readonly action: ReturnType<typeof useAction>;
}

/** What is wrong: the connection to the agent, or the reason for the state. */
function Trouble({ session: { id, connection }, state, reason, action }: TroubleProps) {
  const drover = useDrover();
  const ended = state === "stopped" || state === "crashed";
  const isRetrying = connection.status === "reconnecting";
  if (isRetrying || (connection.gaveUp && !ended)) {
    return (
      <p className="flex flex-wrap items-center gap-x-2">
        {/* The transcript explains why. */}
        <span className={isRetrying ? "text-warn" : "text-bad"} title={connection.lastError}>
          {isRetrying ? `Reconnecting to the agent (attempt ${connection.attempt})` : "Can't reach the agent"}
        </span>
        <TextButton disabled={action.busy} onClick={() => void action.run(() => drover.reconnect(id))}>
          Reconnect
        </TextButton>
      </p>
    );
  }
  if (!reason || state === "idle" || state === "running") return null;
  return (
    <p className={`break-words pb-1 ${state === "crashed" ? "text-bad" : "text-muted"}`}>
      <CodeWords text={reason.message} />
      {reason.until && ` Resets at ${clockTime(reason.until)}.`}
      <FaultDetails fault={{ stderrTail: reason.stderrTail }} />
    </p>
  );
}
