// A client of a session's event stream that reconnects with its cursor after every break and checks what the server
// promises: `from` is always the last number plus one, and every event matches core's table.
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
  /** The cursor to start with; without one the stream starts with a snapshot. */
  after?: number;
}

export interface Follower extends AsyncDisposable {
  readonly events: readonly SessionEvent[];
  readonly snapshots: readonly Snapshot[];
  readonly heartbeats: number;
  /** How often a stream was opened. */
  readonly connections: number;
  readonly cursor: number | undefined;
  /** The agent's text so far: its text items joined, each whole item replacing its deltas. */
  text(): string;
  /** The first event, past or future, that `predicate` accepts. */
  until<T extends SessionEvent>(
    predicate: ((event: SessionEvent) => event is T) | ((event: SessionEvent) => boolean),
    options?: UntilOptions,
  ): Promise<T>;
  /** Ends the stream; throws if any frame broke the contract. */
  close(): Promise<void>;
}

/** Follows a session on the server that `target` returns for each connection. */
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
      if (!decoded?.success) broken.push(`${frame.type} does not match the table: ${decoded?.error.message}`);
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
    // The server is shutting down; the next one continues.
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

  const reconnect = async () => {
    while (!abort.signal.aborted) {
      await connect().catch((error: unknown) => {
        // Refused and broken connections are expected; a frame that is not JSON is a bug in the server.
        if (error instanceof SyntaxError) broken.push(error.message);
      });
      if (!abort.signal.aborted) await pause(20);
    }
  };
  const reconnecting = reconnect();

  const assertIntact = () => {
    if (broken.length > 0) throw new Error(`The stream broke its contract:\n  ${broken.join("\n  ")}`);
  };
  const close = async () => {
    abort.abort();
    await reconnecting;
    assertIntact();
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
      predicate: (event: SessionEvent) => boolean,
      { deadline, what = `an event that matches ${predicate}` }: UntilOptions = {},
    ) => {
      const seen = () => events.find(predicate) ?? (broken.length > 0 ? "broken" : undefined);
      const found = await until(seen, { what, ...(deadline === undefined ? {} : { deadline }) });
      assertIntact();
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
