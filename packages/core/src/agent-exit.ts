import { Fault } from "./error.ts";

/** How an agent's process ended, as the system reported it. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderrTail: string;
}

/** How a process ended, for people. */
export function describeExit(exit: AgentExit): string {
  if (exit.signal) return `The agent was ended by ${exit.signal}`;
  // Only the parent of a process learns its exit code, and that server is gone.
  if (exit.code === null) return "The agent ended";
  return `The agent ended with exit code ${exit.code}`;
}

/** The fault of a turn whose process ended unexpectedly. */
export function exitFault(exit: AgentExit): Fault {
  const more = {
    retry: "same",
    facts: {
      ...(exit.stderrTail ? { stderrTail: exit.stderrTail } : {}),
      ...(exit.signal ? { endedBy: exit.signal } : {}),
    },
  } as const;
  return exit.code === 0
    ? new Fault("NO_COMPLETION", "The agent ended without finishing its turn.", more)
    : new Fault("AGENT_CRASHED", `${describeExit(exit)} in the middle of its turn.`, more);
}
