import {
  batchSchema,
  changesQuerySchema,
  createSessionSchema,
  deletedSessionSchema,
  fileLinesQuerySchema,
  fileLinesSchema,
  forkSessionSchema,
  itemListSchema,
  markSeenSchema,
  patchSessionSchema,
  sessionListSchema,
  sessionSchema,
  workspaceChangesSchema,
} from "@drover/core";
import { z } from "zod";
import { operation, socketFace } from "../operation.ts";
import {
  countText,
  flagText,
  idField,
  numberText,
  pageField,
  pathField,
  reviewField,
  reviewText,
  stateField,
  withoutUndefined,
} from "./fields.ts";
import { createByMessage } from "./session-message.ts";

const kindField = z.enum(["session", "worker"]).optional();

const listInput = z.strictObject({
  cwd: pathField,
  state: stateField,
  kind: kindField,
  projectId: pageField,
  batch: batchSchema.optional(),
  archived: z.boolean().default(false),
  unread: z.boolean().default(false),
  review: reviewField,
  limit: z.number().int().min(1).max(1000).default(200),
  before: pageField,
  agentSessionId: pageField,
});

const listQuery = z.object({
  limit: countText(50),
  cwd: pathField,
  state: stateField,
  kind: kindField,
  projectId: pageField,
  batch: batchSchema.optional(),
  archived: flagText.default(false),
  unread: flagText.default(false),
  review: reviewText,
  agentSessionId: pageField,
  before: pageField,
});

const itemsInput = z.strictObject({
  before: z.number().int().min(1).optional(),
  after: z.number().int().min(0).optional(),
  limit: z.number().int().min(1).max(1000).default(50),
});

const itemsQuery = z.object({
  before: numberText(1).optional(),
  after: numberText(0).optional(),
  limit: countText(50),
});

export const sessionOperations = [
  operation({
    name: "sessions.create",
    summary: "Create a session; its agent starts with the first message",
    admission: "not-looser",
    input: createSessionSchema,
    output: sessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions", status: 201 },
    socket: createByMessage,
    run: ({ sessions }, input, caller) => sessions.create(input, caller),
  }),
  operation({
    name: "sessions.list",
    summary: "List sessions, newest activity first",
    admission: "anyone",
    input: listInput,
    output: sessionListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions", query: listQuery },
    socket: socketFace({
      type: "session:list",
      reply: "session:list",
      get input() {
        return listInput.omit({ agentSessionId: true, batch: true, kind: true, projectId: true });
      },
    }),
    run: ({ sessions }, query) => sessions.list(withoutUndefined(query)),
  }),
  operation({
    name: "sessions.get",
    summary: "One session",
    admission: "anyone",
    output: sessionSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id" },
    run: ({ sessions }, { sessionId }) => sessions.get(sessionId),
  }),
  operation({
    name: "sessions.update",
    summary: "Change a session's title, name, mode, model or tools, or archive it",
    admission: "own-session",
    input: patchSessionSchema,
    output: sessionSchema,
    idempotent: true,
    http: { method: "PATCH", path: "/api/sessions/:id" },
    socket: socketFace({
      type: "session:archive",
      summary: "Archive a session; every socket is notified",
      reply: "ok",
      get input() {
        return z.strictObject({ sessionId: idField });
      },
      run: ({ sessions }, { sessionId }) => sessions.patch(sessionId, { archived: true }),
    }),
    run: ({ sessions }, { sessionId, ...patch }) => sessions.patch(sessionId, patch),
  }),
  operation({
    name: "sessions.markSeen",
    summary:
      "Mark a session as seen up to an event; it is unread while the end of a turn, or the opening of a review, comes after that",
    admission: "person",
    input: markSeenSchema,
    output: sessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/seen" },
    run: ({ sessions }, { sessionId, ...seen }) => sessions.markSeen(sessionId, seen),
  }),
  operation({
    name: "sessions.remove",
    summary: "Delete a session; its log stays readable by id",
    admission: "own-session",
    input: z.strictObject({ force: z.boolean().default(false) }),
    output: deletedSessionSchema,
    idempotent: true,
    http: {
      method: "DELETE",
      path: "/api/sessions/:id",
      query: z.object({ force: flagText.default(false) }),
    },
    run: ({ sessions }, { sessionId, force }) => sessions.remove(sessionId, { force }),
  }),
  operation({
    name: "sessions.fork",
    summary: "Continue in a new session from an event of this one, or from its end",
    admission: "not-looser",
    input: forkSessionSchema,
    output: sessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/fork", status: 201 },
    run: ({ sessions }, { sessionId, ...fork }, caller) => sessions.fork(sessionId, fork, caller),
  }),
  operation({
    name: "sessions.items",
    summary: "The transcript in pages, oldest first",
    admission: "anyone",
    input: itemsInput,
    output: itemListSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id/messages", query: itemsQuery },
    run: ({ sessions }, { sessionId, ...page }) => sessions.items(sessionId, withoutUndefined(page)),
  }),
  operation({
    name: "sessions.workspace",
    summary:
      "Where a session works and what has changed there: since the last commit, in a `turn`, since the session began with `against=start`, since its branch did with `against=base`, or from the work of another session to this one's with `with`",
    admission: "anyone",
    input: changesQuerySchema,
    output: workspaceChangesSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id/workspace" },
    run: ({ sessions }, { sessionId, ...query }) => sessions.workspace(sessionId, query),
  }),
  operation({
    name: "sessions.fileLines",
    summary:
      "Lines of a changed file, before or after the change: since the last commit, in a `turn`, since the session began with `against=start`, since its branch did with `against=base`, or from the work of another session to this one's with `with`",
    admission: "anyone",
    input: fileLinesQuerySchema,
    output: fileLinesSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id/file" },
    run: ({ sessions }, { sessionId, ...query }) => sessions.fileLines(sessionId, query),
  }),
];
