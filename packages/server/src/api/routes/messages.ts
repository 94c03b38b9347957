import {
  editQueueSchema,
  queueSchema,
  type Receipt,
  receiptSchema,
  type Snapshot,
  sendMessageSchema,
} from "@drover/core";
import { z } from "zod";
import type { Service } from "../../service.ts";
import type { ApiContext } from "../context.ts";
import { answered, route, type Streamed } from "../http/route.ts";
import { promptTooLarge } from "../input/json.ts";
import { cursorQuery } from "../schemas.ts";
import { cursorOf } from "../stream/cursor.ts";
import { sessionSource } from "../stream/session-source.ts";
import { SseStream } from "../stream/sse.ts";
import { TurnSink } from "../stream/turn.ts";

const openStream = ({ request, response, right }: Streamed, { deps, streams }: ApiContext) =>
  new SseStream({ request, response, right, streams, clientBuffer: deps.config.streams.clientBuffer });

function snapshotFrame(snapshot: Snapshot, isReset: boolean) {
  const { seq, ...rest } = snapshot;
  const data = {
    type: "snapshot",
    seq,
    sessionId: snapshot.session.id,
    ...(isReset ? { reset: true } : {}),
    ...rest,
  };
  return { id: seq, type: "snapshot", data: JSON.stringify(data) };
}

/** The receipt, then the frames of its turn until `done`. A client that leaves does not stop the turn. */
function streamTurn(value: unknown, call: Streamed, context: ApiContext): void {
  const receipt = value as Receipt;
  const { service } = context.deps;
  const stream = openStream(call, context);
  const removed = service.feed.subscribe(({ type, data }) => {
    if (type === "session_removed" && data.includes(receipt.sessionId)) stream.end();
  });
  call.response.on("close", () => removed[Symbol.dispose]());
  const data = JSON.stringify({ type: "receipt", ...receipt });
  stream.first({ id: receipt.cursor, type: "receipt", data });
  const sink = new TurnSink({ receipt, stream, end: () => stream.end() });
  stream.follow(sessionSource(service, receipt.sessionId), receipt.cursor, sink);
}

const cursorHeader = { "Last-Event-ID": "The last id a client has; goes before `after`" };

const sessions = ({ deps }: ApiContext): Service["sessions"] => deps.service.sessions;

export const messageRoutes = [
  route({
    method: "POST",
    path: "/api/sessions/:id/messages",
    admission: "not-looser",
    summary: "Send a message; as text/event-stream, the receipt and then its turn",
    body: sendMessageSchema,
    status: 202,
    response: receiptSchema,
    stream: streamTurn,
    headers: { "X-Lock": "`strict`: refused while a turn runs, instead of queued" },
    handle: ({ params, body, request, caller }, context) => {
      const strict = request.headers["x-lock"] === "strict";
      return promptTooLarge(body.content) ?? sessions(context).send(params.id, { ...body, strict }, caller);
    },
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/events",
    admission: "anyone",
    summary: "The session's events: a snapshot, or everything after a cursor, then live",
    query: z.object({ after: cursorQuery }),
    headers: cursorHeader,
    produces: "text/event-stream",
    handle: async (call, context) => {
      const located = await sessions(context).locate(call.params.id);
      if (!located.ok) return located;
      const { id, lastSeq } = located.value;
      const source = sessionSource(context.deps.service, id);
      const after = cursorOf(call.request, call.query.after);
      if (after !== undefined && after <= lastSeq) {
        openStream(call, context).follow(source, after);
        return answered;
      }
      const snapshot = await sessions(context).snapshot(id);
      if (!snapshot.ok) return snapshot;
      const stream = openStream(call, context);
      stream.first(snapshotFrame(snapshot.value, after !== undefined));
      stream.follow(source, snapshot.value.seq);
      return answered;
    },
  }),
  route({
    method: "GET",
    path: "/api/events",
    admission: "anyone",
    summary: "What happens over all sessions",
    query: z.object({ after: cursorQuery }),
    headers: cursorHeader,
    produces: "text/event-stream",
    handle: (call, context) => {
      const { feed } = context.deps.service;
      const after = cursorOf(call.request, call.query.after);
      const stream = openStream(call, context);
      if (after !== undefined && !Number.isNaN(after) && feed.holds(after)) {
        stream.follow(context.feed, after);
        return answered;
      }
      const seq = feed.last;
      const data = JSON.stringify({ type: "snapshot", seq, ...(after === undefined ? {} : { reset: true }) });
      stream.first({ id: seq, type: "snapshot", data });
      stream.follow(context.feed, seq);
      return answered;
    },
  }),
  route({
    method: "GET",
    path: "/api/sessions/:id/queue",
    admission: "anyone",
    summary: "Messages that wait for their turn",
    response: queueSchema,
    handle: ({ params }, context) => sessions(context).queue(params.id),
  }),
  route({
    method: "PATCH",
    path: "/api/sessions/:id/queue/:messageId",
    admission: "own-session",
    summary: "Reword or move a waiting message",
    body: editQueueSchema,
    response: queueSchema,
    handle: ({ params: { id, messageId }, body, caller }, context) =>
      promptTooLarge(body.content ?? "") ?? sessions(context).editQueued(id, { ...body, messageId }, caller),
  }),
  route({
    method: "DELETE",
    path: "/api/sessions/:id/queue/:messageId",
    admission: "own-session",
    summary: "Take a waiting message out of the queue",
    response: queueSchema,
    handle: ({ params }, context) => sessions(context).dropQueued(params.id, params.messageId),
  }),
];
