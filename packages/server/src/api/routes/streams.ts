import type { Snapshot } from "@drover/core";
import { z } from "zod";
import { answered, route } from "../http/route.ts";
import { cursorOf } from "../stream/cursor.ts";
import { sessionSource } from "../stream/session-source.ts";
import { openStream } from "./open-stream.ts";

const cursorHeader = { "Last-Event-ID": "The last id the client has; takes precedence over `after`" };
const cursorQuery = z.object({ after: z.string().max(100).optional() });

function snapshotFrame(snapshot: Snapshot, isReset: boolean) {
  const { seq, ...fields } = snapshot;
  const data = {
    type: "snapshot",
    seq,
    sessionId: snapshot.session.id,
    ...(isReset ? { reset: true } : {}),
    ...fields,
  };
  return { id: seq, type: "snapshot", data: JSON.stringify(data) };
}

export const streamRoutes = [
  route({
    method: "GET",
    path: "/api/sessions/:id/events",
    admission: "anyone",
    summary: "The session's events: a snapshot, or everything after a cursor, then live",
    query: cursorQuery,
    headers: cursorHeader,
    produces: "text/event-stream",
    handle: async (call, context) => {
      const { sessions } = context.deps.service;
      const located = await sessions.locate(call.params.id);
      if (!located.ok) return located;
      const { id, lastSeq } = located.value;
      const source = sessionSource(context.deps.service, id);
      const after = cursorOf(call.request, call.query.after);
      if (after !== undefined && after <= lastSeq) {
        openStream(call, context).follow(source, after);
        return answered;
      }
      const snapshot = await sessions.snapshot(id);
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
    summary: "The events of all sessions",
    query: cursorQuery,
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
];
