import {
  approveSchema,
  bounds,
  denySchema,
  interactionListSchema,
  interactionSchema,
  ok,
  submitAnswersSchema,
} from "@drover/core";
import { z } from "zod";
import { route } from "../http/route.ts";
import { given } from "../input/given.ts";

export const interactionRoutes = [
  route({
    method: "GET",
    path: "/api/interactions",
    admission: "anyone",
    summary: "What people are asked over all sessions, oldest first",
    query: z.object({
      state: z.enum(["open", "resolved", "all"]).default("open"),
      sessionId: z.string().max(bounds.id).optional(),
    }),
    response: interactionListSchema,
    handle: async ({ query: { state, sessionId } }, { deps }) => {
      const located = sessionId === undefined ? undefined : await deps.service.sessions.locate(sessionId);
      if (located && !located.ok) return located;
      const of = given({ sessionId: located?.value.id });
      return ok({ interactions: await deps.service.interactions.list({ state, ...of }) });
    },
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/approve",
    admission: "person",
    summary: "Let the agent do what it asks for",
    body: approveSchema,
    response: interactionSchema,
    handle: ({ params, body, caller }, { deps }) =>
      deps.service.interactions.approve(params.id, body, caller),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/deny",
    admission: "person",
    summary: "Refuse what the agent asks for, with a reason for it",
    body: denySchema,
    response: interactionSchema,
    handle: ({ params, body, caller }, { deps }) => deps.service.interactions.deny(params.id, body, caller),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/submit-answers",
    admission: "person",
    summary: "Answer the agent's questions",
    body: submitAnswersSchema,
    response: interactionSchema,
    handle: ({ params, body, caller }, { deps }) => deps.service.interactions.answer(params.id, body, caller),
  }),
];
