import type { EncodedEvent } from "../../ports.ts";
import type { EventListener } from "../../service.ts";

/** Numbered entries that are stored first and published afterwards. */
export interface Source {
  /** A page of entries after a number; empty if there are none yet. */
  read(after: number): Promise<readonly EncodedEvent[]>;
  subscribe(listener: EventListener): Disposable;
  /** Every entry's `from` is the last one's `seq` plus one. */
  readonly isGapless: boolean;
}

export interface Sink {
  /** Sends a page and waits until the client has read it; false if the client is gone. */
  replay(events: readonly EncodedEvent[]): Promise<boolean>;
  /** Sends immediately, or returns false: then the same events are read again and replayed. */
  live(events: readonly EncodedEvent[]): boolean;
  /** Waits until the client has read what it was sent before. */
  taken(): Promise<boolean>;
  /** Replay has reached the end of what is stored; from here on it is live. */
  caughtUp?(): void;
  /** The source failed; the client must come back with its cursor. */
  fail(error: unknown): void;
}

export interface Follow {
  readonly source: Source;
  readonly after: number;
  readonly sink: Sink;
}

/**
 * Everything after a number, then everything new, without gaps or repetitions. Subscribes before it reads: events
 * committed during the last, empty read wait in `pending`; earlier ones are found by the next read.
 */
export function follow({ source, after, sink }: Follow): Disposable {
  let last = after;
  let mode: "reading" | "sending" | "live" | "stopped" = "reading";
  let pending: (readonly EncodedEvent[])[] = [];

  const subscription = source.subscribe((batch) => {
    if (mode === "live") goOn(batch);
    else if (mode === "reading") pending.push(batch);
  });
  const stop = () => {
    mode = "stopped";
    pending = [];
    subscription[Symbol.dispose]();
  };

  const goOn = (batch: readonly EncodedEvent[]) => {
    const news = newsOf(batch, last);
    const first = news[0];
    const end = news.at(-1);
    if (!first || !end) return;
    const isNext = !source.isGapless || first.from === last + 1;
    if (isNext && sink.live(news)) last = end.seq;
    else start();
  };

  const catchUp = async () => {
    mode = "sending";
    if (!(await sink.taken())) return stop();
    for (;;) {
      if (isStopped()) return;
      pending = [];
      mode = "reading";
      const page = newsOf(await source.read(last), last);
      if (isStopped()) return;
      const end = page.at(-1);
      if (!end) break;
      mode = "sending";
      last = end.seq;
      if (!(await sink.replay(page))) return stop();
    }
    const waiting = pending;
    pending = [];
    mode = "live";
    sink.caughtUp?.();
    for (const batch of waiting) if (isLive()) goOn(batch);
  };
  // Functions, because the compiler does not see that `mode` changes during an await.
  const isStopped = () => mode === "stopped";
  const isLive = () => mode === "live";

  const start = () => {
    catchUp().catch((error: unknown) => {
      stop();
      sink.fail(error);
    });
  };
  start();
  return { [Symbol.dispose]: stop };
}

/** The part of a batch after a number; the batch itself if that is all of it, so that its encoding can be shared. */
function newsOf(batch: readonly EncodedEvent[], last: number): readonly EncodedEvent[] {
  const first = batch.findIndex((event) => event.seq > last);
  const event = batch[first];
  if (!event) return [];
  if (first === 0 && event.from > last) return batch;
  const news = batch.slice(first);
  if (event.from <= last) news[0] = standingFrom(event, last + 1);
  return news;
}

/** The same frame for a client that has everything before `start` and nothing since. */
export function standingFrom(event: EncodedEvent, start: number): EncodedEvent {
  const data = JSON.parse(event.data) as object;
  return { ...event, from: start, data: JSON.stringify({ ...data, from: start }) };
}
