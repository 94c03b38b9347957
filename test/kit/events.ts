// A client of a session's event stream that stays: it comes back with its cursor after every break and holds the
// server to its word: `from` is always the last number plus one, and every event is one of core's table.
import { setTimeout as pause } from "node:timers/promises";
import { eventTable, type Item, type SessionEvent } from "@drover/core";
import { bearer } from "./http.ts";
import type { Target } from "./server.ts";
import { sseBlocks } from "./sse.ts";
import { type UntilOptions, until } from "./until.ts";

export interface Snapshot {
  type: "snapshot";
  seq: number;
  reset?: boolean;
  session: Record<string, unknown>;
  items: Item[];
  before?: number;
  interactions: unknown[];
  queue: unknown;
}

export interface FollowOptions {
  /** The cursor to begin with; without one the stream begins with a snapshot. */
  after?: number;
}

export interface Follower extends AsyncDisposable {
  readonly events: readonly SessionEvent[];
  readonly snapshots: readonly Snapshot[];
  readonly heartbeats: number;
  /** How often a stream was opened. */
  readonly connections: number;
  readonly cursor: number | undefined;
  /** The agent's words so far: its text items joined, each whole item standing for its deltas. */
  text(): string;
  /** The first event, seen or to come, that `wanted` accepts. */
  until<T extends SessionEvent>(
    wanted: ((event: SessionEvent) => event is T) | ((event: SessionEvent) => boolean),
    options?: UntilOptions,
  ): Promise<T>;
  /** Ends the stream; throws when a frame ever broke the numbering. */
  close(): Promise<void>;
}

/** Follows a session on whatever server `target` names at the moment of each connection. */
export function follow(target: () => Target, sessionId: string, options: FollowOptions = {}): Follower {
  const events: SessionEvent[] = [];
  const snapshots: Snapshot[] = [];
  const texts = new Map<string, string>();
  const broken: string[] = [];
  const abort = new AbortController();
  let cursor = options.after;
  let connections = 0;
  let heartbeats = 0;

  const take = (frame: SessionEvent | Snapshot, id: string | undefined) => {
    if (id !== String(frame.seq)) broken.push(`id ${id} on a frame with seq ${frame.seq}`);
    if (frame.type === "snapshot") {
      snapshots.push(frame);
      texts.clear();
      for (const item of frame.items) if (item.kind === "text") texts.set(item.id, item.text ?? "");
    } else {
      const decoded = eventTable[frame.type]?.body.safeParse(frame);
      if (!decoded?.success)
        broken.push(`${frame.type} is not what the table says: ${decoded?.error.message}`);
      if (cursor !== undefined && frame.from !== cursor + 1) {
        broken.push(`${frame.type} stands for ${frame.from}…${frame.seq} after ${cursor}`);
      }
      if (frame.type === "text_delta") texts.set(frame.itemId, (texts.get(frame.itemId) ?? "") + frame.text);
      if (frame.type === "item" && frame.item.kind === "text")
        texts.set(frame.item.id, frame.item.text ?? "");
      events.push(frame);
    }
    cursor = frame.seq;
  };

  const connect = async () => {
    const at = target();
    const response = await fetch(new URL(`/api/sessions/${sessionId}/events`, at.url), {
      headers: { ...bearer(at), ...(cursor === undefined ? {} : { "last-event-id": String(cursor) }) },
      signal: abort.signal,
    });
    // On its way down: the next server has the rest.
    if (response.status === 503) return void (await response.text());
    if (response.status !== 200 || !response.body) {
      broken.push(`GET events answered ${response.status} ${await response.text()}`);
      abort.abort();
      return;
    }
    connections++;
    for await (const block of sseBlocks(response.body)) {
      if (block.comment !== undefined) heartbeats++;
      if (block.data !== undefined) take(JSON.parse(block.data) as SessionEvent | Snapshot, block.id);
    }
  };

  const stay = async () => {
    while (!abort.signal.aborted) {
      await connect().catch((error: unknown) => {
        // A refused or broken connection is what a follower is for; a frame that is not JSON is the server's bug.
        if (error instanceof SyntaxError) broken.push(error.message);
      });
      if (!abort.signal.aborted) await pause(20);
    }
  };
  const staying = stay();

  const hold = () => {
    if (broken.length > 0) throw new Error(`The stream broke its word:\n  ${broken.join("\n  ")}`);
  };
  const close = async () => {
    abort.abort();
    await staying;
    hold();
  };
  return {
    events,
    snapshots,
    get heartbeats() {
      return heartbeats;
    },
    get connections() {
      return connections;
    },
    get cursor() {
      return cursor;
    },
    text: () => [...texts.values()].join(""),
    until: async <T extends SessionEvent>(
      wanted: (event: SessionEvent) => boolean,
      { deadline, what = `an event that ${wanted}` }: UntilOptions = {},
    ) => {
      const seen = () => events.find(wanted) ?? (broken.length > 0 ? "broken" : undefined);
      const found = await until(seen, { what, ...(deadline === undefined ? {} : { deadline }) });
      hold();
      return found as T;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A predicate for `until`: events of one type. */
export function ofType<T extends SessionEvent["type"]>(type: T) {
  return (event: SessionEvent): event is Extract<SessionEvent, { type: T }> => event.type === type;
}
