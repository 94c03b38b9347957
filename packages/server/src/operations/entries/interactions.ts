import {
  approveSchema,
  denySchema,
  followUpSchema,
  interactionListSchema,
  interactionSchema,
  ok,
  submitAnswersSchema,
} from "@drover/core";
import { z } from "zod";
import { operation } from "../operation.ts";
import { idField, withoutUndefined } from "./fields.ts";

export const interactionOperations = [
  operation({
    name: "interactions.list",
    summary: "Approvals and questions of all sessions, oldest first",
    admission: "anyone",
    input: z.strictObject({
      state: z.enum(["open", "expired", "resolved", "all"]).default("open"),
      sessionId: idField.optional(),
    }),
    output: interactionListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/interactions" },
    run: async ({ sessions, interactions }, { state, sessionId }) => {
      const located = sessionId === undefined ? undefined : await sessions.locate(sessionId);
      if (located && !located.ok) return located;
      const query = withoutUndefined({ state, sessionId: located?.value.id });
      return ok({ interactions: await interactions.list(query) });
    },
  }),
  operation({
    name: "interactions.approve",
    summary: "Approve an agent's request",
    admission: "person",
    input: approveSchema,
    output: interactionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/approve" },
    socket: { type: "session:approve", reply: "ok" },
    run: ({ interactions }, { sessionId, ...approval }, caller) =>
      interactions.approve(sessionId, approval, caller),
  }),
  operation({
    name: "interactions.deny",
    summary: "Deny an agent's request, with a reason",
    admission: "person",
    input: denySchema,
    output: interactionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/deny" },
    socket: { type: "session:deny", reply: "ok" },
    run: ({ interactions }, { sessionId, ...denial }, caller) => interactions.deny(sessionId, denial, caller),
  }),
  operation({
    name: "interactions.answer",
    summary: "Answer the agent's questions",
    admission: "person",
    input: submitAnswersSchema,
    output: interactionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/submit-answers" },
    socket: { type: "session:answer", reply: "ok" },
    run: ({ interactions }, { sessionId, ...submission }, caller) =>
      interactions.answer(sessionId, submission, caller),
  }),
  operation({
    name: "interactions.askAgain",
    summary: "Tell the agent that its request expired, and to try again",
    admission: "person",
    input: followUpSchema,
    output: interactionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/ask-again" },
    run: ({ interactions }, { sessionId, toolCallId }, caller) =>
      interactions.askAgain(sessionId, { toolCallId }, caller),
  }),
  operation({
    name: "interactions.dismiss",
    summary: "Remove an expired request from the inbox",
    admission: "person",
    input: followUpSchema,
    output: interactionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/dismiss" },
    run: ({ interactions }, { sessionId, toolCallId }, caller) =>
      interactions.dismiss(sessionId, { toolCallId }, caller),
  }),
];
