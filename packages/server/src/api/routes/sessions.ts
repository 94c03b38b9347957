import {
  bounds,
  createSessionSchema,
  deletedSchema,
  forkSessionSchema,
  itemListSchema,
  patchSessionSchema,
  recordOf,
  reject,
  sessionListSchema,
  sessionSchema,
} from "@drover/core";
import { z } from "zod";
import { answered, route } from "../http/route.ts";
import { given } from "../input/given.ts";
import { count, flag, pathQuery, stateQuery } from "../schemas.ts";
import { listSessions } from "../sessions.ts";
import { sendRawLog } from "../stream/raw-log.ts";

const listQuery = z.object({
  limit: count(50),
  cwd: pathQuery,
  state: stateQuery,
  archived: flag.default(false),
  agentSessionId: z.string().max(500).optional(),
  before: z.string().max(500).optional(),
});

const logQuery = z.object({
  stream: z.enum(["stdout", "stderr"]).default("stdout"),
  run: z.coerce.number().int().min(1).optional(),
  offset: z.coerce.number().int().min(0).default(0),
});

export const sessionRoutes = [
  route({
    method: "POST",
    path: "/api/sessions",
    admission: "not-looser",
    summary: "Make a session; its agent starts with the first message",
    body: createSessionSchema,
    status: 201,
    response: sessionSchema,
    handle: ({ body, caller }, { deps }) => deps.service.sessions.create(body, caller),
  }),
  route({
    method: "GET",
    path: "/api/sessions",
    admission: "anyone",
    summary: "List sessions, newest activity first",
    query: listQuery,
    response: sessionListSchema,
    handle: ({ query }, { deps }) => listSessions(deps.service, query),
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id",
    admission: "anyone",
    summary: "One session",
    response: sessionSchema,
    handle: ({ params }, { deps }) => deps.service.sessions.get(params.id),
  }),
  route({
    method: "PATCH",
    path: "/api/sessions/:id",
    admission: "own-session",
    summary: "Change title, name, mode, model, tools or archive it",
    body: patchSessionSchema,
    response: sessionSchema,
    handle: ({ params, body }, { deps }) => deps.service.sessions.patch(params.id, body),
  }),
  route({
    method: "DELETE",
    path: "/api/sessions/:id",
    admission: "own-session",
    summary: "Delete a session; its log stays readable by id",
    query: z.object({ force: flag.default(false) }),
    response: deletedSchema,
    handle: ({ params, query }, { deps }) => deps.service.sessions.remove(params.id, query),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/fork",
    admission: "not-looser",
    summary: "Go on in a new session from an event of this one, or from all of it",
    body: forkSessionSchema,
    status: 201,
    response: sessionSchema,
    handle: ({ params, body, caller }, { deps }) => deps.service.sessions.fork(params.id, body, caller),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/interrupt",
    admission: "own-session",
    summary: "End the running turn; pauses the queue if anything waits in it",
    status: 202,
    response: z.object({ turnId: z.string().optional() }),
    always: true,
    handle: ({ params }, { deps }) => deps.service.sessions.interrupt(params.id),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/stop",
    admission: "own-session",
    summary: "End the agent's process",
    status: 202,
    response: sessionSchema,
    always: true,
    handle: ({ params }, { deps }) => deps.service.sessions.stop(params.id),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/resume",
    admission: "not-looser",
    summary: "Unpause the queue, or start again after stopped or crashed",
    body: z.strictObject({
      answers: recordOf(z.string().max(bounds.id), z.unknown(), bounds.questions).optional(),
    }),
    response: sessionSchema,
    handle: ({ params, body }, { deps }) =>
      body.answers
        ? reject("UNSUPPORTED", "Resuming with answers is for workers, which are not built yet", {
            what: "answers",
          })
        : deps.service.sessions.resume(params.id),
  }),
  route({
    method: "POST",
    path: "/api/sessions/:id/reconnect",
    admission: "not-looser",
    summary: "Try to reach the agent again now",
    status: 202,
    response: sessionSchema,
    handle: ({ params }, { deps }) => deps.service.sessions.reconnect(params.id),
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/messages",
    admission: "anyone",
    summary: "The transcript in pages, oldest first",
    query: z.object({
      before: z.coerce.number().int().min(1).optional(),
      after: z.coerce.number().int().min(0).optional(),
      limit: count(50),
    }),
    response: itemListSchema,
    handle: ({ params, query }, { deps }) => deps.service.sessions.items(params.id, given(query)),
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/log",
    admission: "anyone",
    summary: "The bytes the agent wrote, as it wrote them",
    query: logQuery,
    produces: "application/octet-stream",
    handle: async ({ params, query, response }, { deps, limits: { stallMs } }) => {
      const { stream, run, offset } = query;
      const log = await deps.service.sessions.rawLog(params.id, given({ stream, run }));
      if (!log.ok) return log;
      await sendRawLog(response, log.value, { offset, stallMs });
      return answered;
    },
  }),
];
