import {
  addProjectSchema,
  approveSchema,
  bounds,
  createSessionSchema,
  denySchema,
  ok,
  type Rejection,
  type Result,
  reject,
  sendMessageSchema,
  submitAnswersSchema,
} from "@drover/core";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { promptTooLarge } from "../input/json.ts";
import { projectById } from "../projects.ts";
import { pathQuery, stateQuery } from "../schemas.ts";
import { listSessions } from "../sessions.ts";
import { message, type SocketMessage, type SocketReply } from "./message.ts";

const id = z.string().max(bounds.id);
const inSession = { sessionId: id };
const session = z.strictObject(inSession);

/** The frame a service's answer becomes. */
async function reply<T>(
  type: string,
  answer: Promise<Result<T, Rejection>>,
  fields: (value: T) => object = (value) => value as object,
): Promise<Result<SocketReply, Rejection>> {
  const result = await answer;
  return result.ok ? ok({ frame: { ...fields(result.value), type } }) : result;
}

const missing = (path: string, message: string) =>
  reject("BAD_REQUEST", message, { issues: [{ path, message }] });

const createSchema = createSessionSchema.extend({
  agent: id.min(1).optional(),
  cliType: id.min(1).optional(),
  cwd: z.string().min(1).max(bounds.path).optional(),
  projectId: id.optional(),
});

async function createSession(
  { agent, cliType, cwd, projectId, ...rest }: z.infer<typeof createSchema>,
  { deps }: ApiContext,
) {
  const wanted = agent ?? cliType;
  if (!wanted) return missing("agent", "Say which agent: agent or cliType");
  const project = projectId === undefined ? undefined : await projectById(deps.service, projectId);
  if (project && !project.ok) return project;
  const directory = cwd ?? project?.value.path;
  if (!directory) return missing("cwd", "Say where: cwd or projectId");
  return ok({ ...rest, agent: wanted, cwd: directory });
}

/** Everything a socket can ask for. There is no other way in: a type that is not here is refused. */
export const socketMessages: Readonly<Record<string, SocketMessage>> = {
  "session:create": message({
    admission: "not-looser",
    summary: "Make a session",
    schema: createSchema,
    handle: async (wanted, { caller }, context) => {
      const input = await createSession(wanted, context);
      if (!input.ok) return input;
      const created = context.deps.service.sessions.create(input.value, caller);
      return reply("session:created", created, (made) => ({ session: made }));
    },
  }),
  "session:open": message({
    admission: "anyone",
    summary: "Follow a session: its history, then everything after it",
    schema: z.strictObject({
      ...inSession,
      after: z.number().int().min(0).optional(),
      view: z.enum(["events", "items"]).default("events"),
    }),
    always: true,
    inOrder: true,
    handle: async ({ sessionId, after, view }, peer) => {
      const opening = await peer.prepare({ sessionId, after, view });
      if (!opening.ok) return opening;
      return ok({ frame: opening.value.history, afterwards: () => peer.follow(opening.value) });
    },
  }),
  "session:close": message({
    admission: "anyone",
    summary: "Follow a session no longer",
    schema: session,
    always: true,
    inOrder: true,
    handle: async ({ sessionId }, peer, { deps }) => {
      // By its id it can be closed even when it is no longer there.
      if (peer.unfollow(sessionId)) return ok({ frame: { type: "ok", sessionId } });
      const located = await deps.service.sessions.locate(sessionId);
      if (!located.ok) return located;
      peer.unfollow(located.value.id);
      return ok({ frame: { type: "ok", sessionId: located.value.id } });
    },
  }),
  "session:send": message({
    admission: "not-looser",
    summary: "Send a message",
    schema: sendMessageSchema.extend(inSession),
    handle: ({ sessionId, ...sent }, { caller }, { deps }) => {
      const sending = () => deps.service.sessions.send(sessionId, { ...sent, strict: false }, caller);
      return (
        promptTooLarge(sent.content) ??
        reply("session:accepted", sending(), (receipt) => ({ sessionId, receipt }))
      );
    },
  }),
  "session:cancel": message({
    admission: "own-session",
    summary: "End the running turn",
    schema: session,
    always: true,
    handle: ({ sessionId }, _peer, { deps }) => reply("ok", deps.service.sessions.interrupt(sessionId)),
  }),
  "session:archive": message({
    admission: "own-session",
    summary: "Put a session away; every socket is told",
    schema: session,
    handle: ({ sessionId }, _peer, { deps }) =>
      reply("ok", deps.service.sessions.patch(sessionId, { archived: true })),
  }),
  "session:approve": message({
    admission: "person",
    summary: "Let the agent do what it asks for",
    schema: approveSchema.extend(inSession),
    handle: ({ sessionId, ...approval }, { caller }, { deps }) =>
      reply("ok", deps.service.interactions.approve(sessionId, approval, caller)),
  }),
  "session:deny": message({
    admission: "person",
    summary: "Refuse what the agent asks for",
    schema: denySchema.extend(inSession),
    handle: ({ sessionId, ...denial }, { caller }, { deps }) =>
      reply("ok", deps.service.interactions.deny(sessionId, denial, caller)),
  }),
  "session:answer": message({
    admission: "person",
    summary: "Answer the agent's questions",
    schema: submitAnswersSchema.extend(inSession),
    handle: ({ sessionId, ...submission }, { caller }, { deps }) =>
      reply("ok", deps.service.interactions.answer(sessionId, submission, caller)),
  }),
  "session:reconnect": message({
    admission: "not-looser",
    summary: "Try again to reach a session's agent, or every disconnected process of an agent",
    schema: z.strictObject({ sessionId: id.optional(), cliType: id.optional() }),
    handle: ({ sessionId, cliType }, _peer, { deps }) => {
      if (sessionId) return reply("ok", deps.service.sessions.reconnect(sessionId));
      if (cliType) return reply("ok", deps.service.agents.reconnect(cliType));
      return missing("sessionId", "Say which: sessionId or cliType");
    },
  }),
  "session:list": message({
    admission: "anyone",
    summary: "List sessions, newest activity first",
    schema: z.strictObject({
      cwd: pathQuery,
      state: stateQuery,
      archived: z.boolean().default(false),
      limit: z.number().int().min(1).max(1000).default(200),
      before: z.string().max(500).optional(),
    }),
    always: true,
    inOrder: true,
    handle: (query, _peer, { deps }) => reply("session:list", listSessions(deps.service, query)),
  }),
  "project:list": message({
    admission: "anyone",
    summary: "Directories people work in",
    schema: z.strictObject({}),
    always: true,
    inOrder: true,
    handle: (_none, _peer, { deps }) =>
      reply("project:list", deps.service.projects.list().then(ok), (projects) => ({ projects })),
  }),
  "project:add": message({
    admission: "person",
    summary: "Add a project",
    schema: addProjectSchema,
    handle: (added, _peer, { deps }) =>
      reply("project:added", deps.service.projects.add(added), (project) => ({ project })),
  }),
  "project:remove": message({
    admission: "person",
    summary: "Forget a project; its directory and sessions stay",
    schema: z.strictObject({ projectId: id }),
    handle: ({ projectId }, _peer, { deps }) =>
      reply("project:removed", deps.service.projects.remove(projectId), () => ({ projectId })),
  }),
};
