import type { EncodedEvent, FeedEntry } from "../../ports.ts";
import type { Service } from "../../service.ts";
import type { Source } from "./follow.ts";

/** The size of one read of the log: large enough to be fast, small enough to wait for. */
const pageBytes = 256 * 1024;

export function sessionSource(service: Service, sessionId: string): Source {
  return {
    isGapless: true,
    read: (after) => service.sessions.events(sessionId, after, pageBytes),
    subscribe: (listener) => service.sessions.subscribe(sessionId, listener),
  };
}

/** The feed over all sessions in the form of a log; its entries have one number each. */
export function feedSource(feed: Service["feed"]): Source {
  // The same entry must become the same batch for every client, or its encoding could not be shared.
  const batches = new WeakMap<FeedEntry, readonly EncodedEvent[]>();
  const batch = (entry: FeedEntry) => {
    const known = batches.get(entry) ?? [asEvent(entry)];
    batches.set(entry, known);
    return known;
  };
  return {
    isGapless: false,
    read: async (after) => {
      if (!feed.holds(after)) throw new Error(`The feed no longer holds the entries after ${after}`);
      return (await feed.after(after)).map(asEvent);
    },
    subscribe: (listener) => feed.subscribe((entry) => listener(batch(entry))),
  };
}

const asEvent = ({ id, type, data }: FeedEntry): EncodedEvent => ({ from: id, seq: id, type, data });
