import {
  answerValueSchema,
  bounds,
  editQueueSchema,
  enqueueSchema,
  queueSchema,
  receiptSchema,
  recordOf,
  sendMessageSchema,
  sessionSchema,
} from "@drover/core";
import { z } from "zod";
import { operation, socketFace } from "../operation.ts";
import { reconnectSchema } from "./agents.ts";
import { idField } from "./fields.ts";
import { missingField } from "./session-message.ts";

/** Everything a session can do: its messages, its queue and its agent's process. */
export const turnOperations = [
  operation({
    name: "sessions.send",
    summary: "Send a message; as text/event-stream, the receipt and then its turn",
    admission: "not-looser",
    input: sendMessageSchema,
    output: receiptSchema,
    limits: { prompt: ({ content }) => content },
    idempotent: false,
    http: {
      method: "POST",
      path: "/api/sessions/:id/messages",
      status: 202,
      headers: { "X-Lock": "`strict`: rejected while a turn is running, instead of queued" },
      fromHeaders: (header) => ({ strict: header("x-lock") === "strict" }),
    },
    socket: {
      type: "session:send",
      summary: "Send a message",
      reply: "session:accepted",
      frame: (receipt, { sessionId }) => ({ sessionId, receipt }),
    },
    run: ({ sessions }, { sessionId, strict = false, ...message }, caller) =>
      sessions.send(sessionId, { ...message, strict }, caller),
  }),
  operation({
    name: "sessions.queue",
    summary: "Messages in the queue",
    admission: "anyone",
    output: queueSchema,
    idempotent: true,
    http: { method: "GET", path: "/api/sessions/:id/queue" },
    run: ({ sessions }, { sessionId }) => sessions.queue(sessionId),
  }),
  operation({
    name: "sessions.enqueue",
    summary: "Put a message at a place in the queue; unlike sending, this does not end a pause",
    admission: "not-looser",
    input: enqueueSchema,
    output: queueSchema,
    limits: { prompt: ({ content }) => content },
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/queue" },
    run: ({ sessions }, { sessionId, ...message }, caller) => sessions.enqueue(sessionId, message, caller),
  }),
  operation({
    name: "sessions.editQueued",
    summary: "Edit or move a queued message",
    admission: "own-session",
    input: editQueueSchema,
    output: queueSchema,
    limits: { prompt: ({ content }) => content },
    idempotent: true,
    http: { method: "PATCH", path: "/api/sessions/:id/queue/:messageId" },
    run: ({ sessions }, { sessionId, ...edit }, caller) => sessions.editQueued(sessionId, edit, caller),
  }),
  operation({
    name: "sessions.dropQueued",
    summary: "Remove a message from the queue",
    admission: "own-session",
    output: queueSchema,
    idempotent: true,
    http: { method: "DELETE", path: "/api/sessions/:id/queue/:messageId" },
    run: ({ sessions }, { sessionId, messageId }) => sessions.dropQueued(sessionId, messageId),
  }),
  operation({
    name: "sessions.interrupt",
    summary: "End the running turn; pauses the queue unless it is empty",
    admission: "own-session",
    always: true,
    output: z.object({ turnId: z.string().optional() }),
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/interrupt", status: 202 },
    socket: { type: "session:cancel", summary: "End the running turn", reply: "ok" },
    run: ({ sessions }, { sessionId }) => sessions.interrupt(sessionId),
  }),
  operation({
    name: "sessions.stop",
    summary: "End the agent's process",
    admission: "own-session",
    always: true,
    output: sessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/stop", status: 202 },
    run: ({ sessions }, { sessionId }) => sessions.stop(sessionId),
  }),
  operation({
    name: "sessions.resume",
    summary: "Unpause the queue, reactivate a stopped or crashed session, or answer a worker",
    admission: "not-looser",
    input: z.strictObject({
      /** Of a worker that has asked: it continues with these. */
      answers: recordOf(z.string().max(bounds.input), answerValueSchema, bounds.questions).optional(),
    }),
    output: sessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/resume" },
    run: ({ sessions }, { sessionId, answers }, caller) => sessions.resume(sessionId, { answers }, caller),
  }),
  operation({
    name: "sessions.reconnect",
    summary: "Reconnect to the agent now",
    admission: "not-looser",
    output: sessionSchema,
    idempotent: false,
    http: { method: "POST", path: "/api/sessions/:id/reconnect", status: 202 },
    socket: socketFace({
      type: "session:reconnect",
      summary: "Reconnect to a session's agent, or to every disconnected process of an agent",
      reply: "ok",
      get input() {
        return z.strictObject({ sessionId: idField.optional(), cliType: idField.optional() });
      },
      get output() {
        return z.union([sessionSchema, reconnectSchema]);
      },
      run: async ({ sessions, agents }, { sessionId, cliType }) => {
        if (sessionId) return sessions.reconnect(sessionId);
        if (cliType) return agents.reconnect(cliType);
        return missingField("sessionId", "Name one: sessionId or cliType");
      },
    }),
    run: ({ sessions }, { sessionId }) => sessions.reconnect(sessionId),
  }),
];
