import type { SessionStateName } from "@drover/core";
import { stateWords } from "../format/words.ts";

const colours: Readonly<Record<SessionStateName, string>> = {
  stopping: "bg-faint animate-breathe",
  crashed: "bg-bad",
  stopped: "border-[1.5px] border-faint",
  waiting_for_quota: "bg-rest",
  waiting_for_input: "bg-warn-dot",
  stalled: "border-[1.5px] border-warn-dot",
  queued: "bg-rest",
  starting: "border-[1.5px] border-accent animate-breathe",
  running: "bg-accent animate-breathe",
  idle: "bg-faint/45",
};

interface StateDotProps {
  readonly state: SessionStateName;
  /** The last turn ended with an error. */
  readonly failed?: boolean;
}

export function StateDot({ state, failed = false }: StateDotProps) {
  return (
    <span
      aria-hidden="true"
      title={failed && state === "idle" ? "Failed" : stateWords[state]}
      className={`size-2 shrink-0 rounded-full ${failed ? "bg-bad" : colours[state]}`}
    />
  );
}
