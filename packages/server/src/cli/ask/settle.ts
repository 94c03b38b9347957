import type { Interaction } from "@drover/core";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import type { Settlement } from "./person.ts";

/** Sends the decision to the server. Throws if it is rejected, for example because someone else decided first. */
export function settle(
  client: Client,
  { id, sessionId, inputHash }: Interaction,
  settlement: Settlement,
): Promise<Interaction> {
  switch (settlement.type) {
    case "approve":
      return client.post(sessionPath(sessionId, "approve"), {
        toolCallId: id,
        scope: settlement.scope,
        ...(inputHash === undefined ? {} : { inputHash }),
      });
    case "deny":
      return client.post(sessionPath(sessionId, "deny"), {
        toolCallId: id,
        ...(settlement.reason === undefined ? {} : { reason: settlement.reason }),
      });
    case "answer":
      return client.post(sessionPath(sessionId, "submit-answers"), {
        toolCallId: id,
        answers: settlement.answers,
        ...(inputHash === undefined ? {} : { inputHash }),
      });
  }
}
