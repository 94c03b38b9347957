import type { FeedEntry, Service } from "../service.ts";

/** How much a client may miss and still catch up without asking for everything again. */
const maxEntries = 8_192;
const maxCharacters = 16 * 1024 * 1024;

/**
 * What happens over all sessions, for lists and inboxes. Ids grow across restarts because they begin at the time
 * of the start; entries themselves are not kept: every one of them follows from something stored.
 */
export class Feed {
  /** The newest ones, without a gap. */
  private readonly entries: FeedEntry[] = [];
  private characters = 0;
  private readonly listeners = new Set<(entry: FeedEntry) => void>();
  private lastId = Date.now() * 1000;

  publish(type: string, facts: Readonly<Record<string, unknown>>): void {
    const id = ++this.lastId;
    const data = JSON.stringify({ type, seq: id, from: id, at: new Date().toISOString(), ...facts });
    const entry = { id, type, data };
    this.entries.push(entry);
    this.characters += data.length;
    if (this.entries.length > maxEntries || this.characters > maxCharacters) this.forgetOldest();
    for (const listener of this.listeners) listener(entry);
  }

  asService(): Service["feed"] {
    const feed = this;
    return {
      get last() {
        return feed.lastId;
      },
      since(id) {
        const missed = feed.lastId - id;
        if (missed < 0 || missed > feed.entries.length) return undefined;
        return feed.entries.slice(feed.entries.length - missed);
      },
      subscribe(listener) {
        feed.listeners.add(listener);
        return { [Symbol.dispose]: () => feed.listeners.delete(listener) };
      },
    };
  }

  /** Down to half of what may be held, so that it is seldom done. */
  private forgetOldest(): void {
    let count = 0;
    for (const { data } of this.entries) {
      if (this.entries.length - count <= maxEntries / 2 && this.characters <= maxCharacters / 2) break;
      this.characters -= data.length;
      count += 1;
    }
    this.entries.splice(0, count);
  }
}
