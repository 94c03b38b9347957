import { Fault } from "@drover/core";
import type { EngineDeps } from "../deps.ts";
import type { SessionActor } from "../session/actor.ts";

/** Shutting down takes five seconds at most: an agent that does not react by then is killed. */
const graceMs = 3_000;

/** Ends a session's agent because the server shuts down. One that cannot be ended is left to the next server. */
export async function retireAgent({ id, link }: SessionActor, { sweep, logger }: EngineDeps): Promise<void> {
  // `retire` finds out whether the agent is gone.
  const kill = () => void sweep(id, 0).catch(() => undefined);
  const timer = setTimeout(kill, graceMs);
  try {
    await link.retire();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    logger.error("Could not stop an agent", { session: id, error: error.message });
  } finally {
    clearTimeout(timer);
  }
}
