import { ok, type Rejection, type Result, type Snapshot } from "@drover/core";
import type { EncodedEvent } from "../../ports.ts";
import type { Service } from "../../service.ts";
import { follow, type Sink } from "../stream/follow.ts";
import type { OpenStreams } from "../stream/open-streams.ts";
import type { Outlet } from "../stream/outlet.ts";
import { sessionSource } from "../stream/session-source.ts";
import { eventFrames, type Frame } from "./frame.ts";
import { ItemsView, itemsSince } from "./items-view.ts";

export interface OpenRequest {
  readonly sessionId: string;
  readonly after: number | undefined;
  readonly view: "events" | "items";
}

export interface OpeningDeps {
  readonly service: Service;
  readonly streams: OpenStreams;
  readonly outlet: Outlet;
  /** The log could not be read: the socket must come back. */
  readonly fail: () => void;
}

export interface Opening {
  readonly sessionId: string;
  /** The answer: the current state of the session. */
  readonly history: Frame;
  /** Sends everything after the history's cursor, from now until it is disposed. */
  readonly start: () => Disposable;
}

/** What a socket gets when it opens a session: its current state, and how it continues. */
export async function openSession(
  request: OpenRequest,
  deps: OpeningDeps,
): Promise<Result<Opening, Rejection>> {
  const { service } = deps;
  const taken = await service.sessions.snapshot(request.sessionId);
  if (!taken.ok) return taken;
  const snapshot = taken.value;
  const sessionId = snapshot.session.id;
  const after = request.after !== undefined && request.after <= snapshot.seq ? request.after : undefined;
  if (request.view === "events") {
    const start = () => startEvents({ sessionId, after: after ?? snapshot.seq }, deps);
    return ok({ sessionId, history: historyOf(snapshot, request, after), start });
  }
  const missed = after === undefined ? [] : await itemsSince(service, snapshot, after);
  const view = new ItemsView({
    sessionId,
    open: snapshot.items.filter((item) => item.status === "open"),
    outlet: deps.outlet,
    fail: deps.fail,
  });
  const start = () => {
    const stack = new DisposableStack();
    stack.use(view);
    const source = sessionSource(service, sessionId);
    void view.catchUp(missed ?? []).then((isTaken) => {
      if (isTaken && !stack.disposed) stack.use(follow({ source, after: snapshot.seq, sink: view }));
    });
    return stack;
  };
  return ok({ sessionId, history: historyOf(snapshot, request, missed ? after : undefined), start });
}

/** With a valid cursor the client already has the items; an invalid one makes it start over. */
function historyOf(snapshot: Snapshot, request: OpenRequest, after: number | undefined): Frame {
  const { seq, session, items, before, interactions, queue } = snapshot;
  const isReset = request.after !== undefined && after === undefined;
  return {
    type: "session:history",
    sessionId: session.id,
    session,
    entries: after === undefined ? items : [],
    ...(after === undefined && before !== undefined ? { before } : {}),
    cursor: after ?? seq,
    ...(isReset ? { reset: true } : {}),
    interactions,
    queue,
  };
}

function startEvents(from: { sessionId: string; after: number }, deps: OpeningDeps): Disposable {
  const { service, outlet, streams, fail } = deps;
  const count = (events: readonly EncodedEvent[]) => {
    streams.events += events.length;
  };
  const sink: Sink = {
    replay: (events) => {
      count(events);
      outlet.bulk(eventFrames(events));
      return outlet.taken();
    },
    live: (events) => {
      if (outlet.isBehind) return false;
      count(events);
      outlet.live(eventFrames(events));
      return true;
    },
    taken: () => outlet.taken(),
    fail,
  };
  return follow({ source: sessionSource(service, from.sessionId), after: from.after, sink });
}
