import { awaitsFollowUp } from "@drover/core";
import type { Service } from "../../src/service.ts";
import type { FakeService } from "./fake-service.ts";

/** The approvals and questions of the sessions in memory. */
export const fakeInteractions = (service: FakeService): Service["interactions"] => ({
  list: async ({ state, sessionId }) =>
    service.known
      .filter((session) => !sessionId || session.id === sessionId)
      .flatMap((session) => [...session.interactions.values()])
      .filter(
        (one) => state === "all" || one.state === state || (state === "expired" && awaitsFollowUp(one)),
      ),
  approve: (id, { toolCallId, scope, inputHash, input }, { by }) =>
    service.use("approve", id, (session) =>
      session.settle({
        ...{ type: "approve", toolCallId, by, scope, input },
        ...(inputHash === undefined ? {} : { inputHash }),
      }),
    ),
  deny: (id, { toolCallId }, { by }) =>
    service.use("deny", id, (session) => session.settle({ type: "deny", toolCallId, by })),
  answer: (id, { toolCallId, answers }, { by }) =>
    service.use("answer", id, (session) => session.settle({ type: "answer", toolCallId, by, answers })),
  askAgain: (id, { toolCallId }) => service.use("askAgain", id, (session) => session.expired(toolCallId)),
  dismiss: (id, { toolCallId }) => service.use("dismiss", id, (session) => session.expired(toolCallId)),
});
