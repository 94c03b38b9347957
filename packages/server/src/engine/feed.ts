import type { FeedEntry, Service } from "../service.ts";

/** How many entries a client may miss and still catch up without asking for everything again. */
const held = 4096;

/**
 * What happens over all sessions, for lists and inboxes. Ids grow across restarts because they begin at the time
 * of the start; entries themselves are not kept: every one of them follows from something stored.
 */
export class Feed {
  private readonly entries: FeedEntry[] = [];
  private readonly listeners = new Set<(entry: FeedEntry) => void>();
  private lastId = Date.now() * 1000;
  private firstId = this.lastId;

  publish(type: string, facts: Readonly<Record<string, unknown>>): void {
    const id = ++this.lastId;
    const data = JSON.stringify({ type, seq: id, from: id, at: new Date().toISOString(), ...facts });
    const entry = { id, type, data };
    this.entries.push(entry);
    if (this.entries.length > held * 2) {
      this.entries.splice(0, held);
      this.firstId = (this.entries[0]?.id ?? id) - 1;
    }
    for (const listener of this.listeners) listener(entry);
  }

  asService(): Service["feed"] {
    const feed = this;
    return {
      get last() {
        return feed.lastId;
      },
      since(id) {
        if (id < feed.firstId || id > feed.lastId) return undefined;
        return feed.entries.slice(feed.entries.length - (feed.lastId - id));
      },
      subscribe(listener) {
        feed.listeners.add(listener);
        return { [Symbol.dispose]: () => feed.listeners.delete(listener) };
      },
    };
  }
}
