import { Fault } from "@drover/core";
import type { AgentLink } from "../agent/link.ts";
import type { SessionLog } from "../session/log.ts";

/** Sets up a worktree outside of a turn. A failure is only in the log; a turn that waits for it reports it itself. */
export async function retrySetup(log: SessionLog, link: AgentLink): Promise<void> {
  try {
    await link.setUp();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code !== "WORKSPACE_SETUP_FAILED" || log.journal.state.turn) return;
    const events = [{ type: "error" as const, ...error.toWire() }];
    await log.untilStored(() => log.commit({ events, durability: "command" }));
  }
}
