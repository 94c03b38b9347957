import { deniedCalls, doneReasonOf, Fault, type ProcessEnding } from "@drover/core";
import type { AgentExit, SessionRuntime } from "../../ports.ts";
import type { SessionLog } from "../session/log.ts";

/** The turn a person asked to end, while it has not. */
export const interruptedTurn = ({ prompt }: SessionRuntime): string | undefined =>
  prompt?.interrupted ? prompt.turnId : undefined;

/** Without a fault the turn was cancelled. Does nothing when the turn has ended already. */
export function endTurn(log: SessionLog, turnId: string, fault: Fault | undefined): Promise<void> {
  return log.untilStored(() => endTurnNow(log, turnId, fault));
}

/** `endTurn` from inside the mailbox. */
export async function endTurnNow(log: SessionLog, turnId: string, fault: Fault | undefined): Promise<void> {
  const { state, row, timeline } = log.journal;
  if (state.turn?.id !== turnId) return;
  const cancelled = !fault || interruptedTurn(row.runtime) === turnId;
  await log.perform(
    {
      type: "end_turn",
      turnId,
      reason: cancelled ? "cancelled" : doneReasonOf(fault.code),
      ...(cancelled ? {} : { fault }),
      denied: deniedCalls(timeline),
      cause: cancelled ? "turn_cancelled" : "agent_gone",
    },
    fault?.code === "RESUME_UNKNOWN" ? { runtime: { agentSessionId: null } } : {},
  );
}

/** The agent's process is gone, and everything it said is recorded. */
export async function recordExit(log: SessionLog, exit: AgentExit, ending: ProcessEnding): Promise<void> {
  const { state, row } = log.journal;
  const isLost = ending === "lost";
  // A turn that began while we put the agent to rest was never this process's: the next one gets it.
  const isNext = !isLost && row.runtime.prompt?.phase === "accepted";
  if (state.turn && !isNext) await endTurn(log, state.turn.id, isLost ? agentGone(exit) : undefined);
  await log.untilStored(async () => {
    // Nobody waits for what the process asked outside of a turn either.
    const cause = log.journal.row.runtime.stopping ? "turn_cancelled" : "agent_gone";
    const runtime = { process: null, pending: {} };
    await log.perform({ type: "release", cause }, { runtime, durability: "output" });
  });
}

/** How a process ended, in words a person can use. */
export function describeExit(exit: AgentExit): string {
  if (exit.signal) return `The agent was ended by ${exit.signal}`;
  // The exit code of a process is told to its parent, and that server is gone.
  if (exit.code === null) return "The agent ended";
  return `The agent ended with exit code ${exit.code}`;
}

/** A turn whose process went away under it. */
function agentGone(exit: AgentExit): Fault {
  const more = {
    retry: "same",
    ...(exit.stderrTail ? { facts: { stderrTail: exit.stderrTail } } : {}),
  } as const;
  return exit.code === 0
    ? new Fault("NO_COMPLETION", "The agent ended without finishing its turn.", more)
    : new Fault("AGENT_CRASHED", `${describeExit(exit)} in the middle of its turn.`, more);
}
