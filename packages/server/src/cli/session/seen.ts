import { RejectedError } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";

/**
 * Marks a session as seen up to an event. Only people see things, so an agent that runs this command is refused; a
 * server of an earlier version doesn't know the request. Neither matters to what the command was run for.
 */
export async function markSeen(client: Client, sessionId: string, seq: number): Promise<void> {
  await client.post(sessionPath(sessionId, "seen"), { seq }).catch((error: unknown) => {
    if (!(error instanceof RejectedError)) throw error;
  });
}
