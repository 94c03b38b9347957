import type { SessionLog } from "../session/log.ts";
import { openGateOf } from "./gated.ts";

/** Nothing is left to approve. Called in the mailbox. */
export async function withdrawGate(log: SessionLog): Promise<void> {
  const gate = openGateOf(log.journal.row);
  if (gate) await log.perform({ type: "withdraw", interactionId: gate.id });
}
