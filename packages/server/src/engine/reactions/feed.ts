import type {
  Announcement,
  FeedEntry,
  Feed as FeedService,
  Logger,
  Reactions,
  StoredAnnouncement,
} from "../../ports.ts";
import type { Background } from "../background.ts";
import { Listeners } from "../listeners.ts";
import { Mailbox } from "../session/mailbox.ts";

export interface FeedParts {
  readonly store: Pick<Reactions, "announce" | "announcements" | "announced">;
  readonly background: Background;
  readonly logger: Logger;
  /** What clients are sent for an announcement now. */
  readonly render: (announcement: StoredAnnouncement) => Promise<Rendered>;
}

export interface Rendered {
  readonly type: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Announcements per read. */
const pageSize = 500;

/** What happens in all sessions, for lists and inboxes: stored first, then sent to every listener. */
export class Feed {
  private readonly parts: FeedParts;
  private readonly listeners: Listeners<FeedEntry>;
  /** Ids are published in order. */
  private readonly mailbox = new Mailbox();
  private readonly waiting: Announcement[] = [];
  private forgotten = 0;
  private last = 0;

  constructor(parts: FeedParts) {
    this.parts = parts;
    this.listeners = new Listeners(parts.logger);
  }

  async open(): Promise<void> {
    const { forgotten, last } = await this.parts.store.announced();
    this.forgotten = forgotten;
    this.last = last;
  }

  /** Announces something that is not part of a commit. Calls in the same tick share one write. */
  publish(announcement: Announcement): void {
    this.waiting.push(announcement);
    if (this.waiting.length > 1) return;
    this.parts.background.run(() =>
      this.storeAndEmit(async () => {
        const batch = this.waiting.splice(0);
        return this.parts.store.announce(batch).catch((error: unknown) => {
          this.waiting.unshift(...batch);
          throw error;
        });
      }),
    );
  }

  /** Stores announcements and then publishes them. */
  storeAndEmit(store: () => Promise<readonly StoredAnnouncement[]>): Promise<void> {
    return this.mailbox.run(async () => {
      for (const announcement of await store()) {
        const entry = await this.entryOf(announcement);
        this.last = announcement.id;
        this.listeners.emit(entry);
      }
    });
  }

  asService(): FeedService {
    const feed = this;
    return {
      get last() {
        return feed.last;
      },
      holds: (id) => id >= feed.forgotten && id <= feed.last,
      async after(id) {
        const stored = await feed.parts.store.announcements(id, pageSize);
        return Promise.all(stored.map((announcement) => feed.entryOf(announcement)));
      },
      subscribe: (listener) => feed.listeners.add(listener),
    };
  }

  private async entryOf(announcement: StoredAnnouncement): Promise<FeedEntry> {
    const { id, at } = announcement;
    const { type, facts } = await this.parts.render(announcement);
    return { id, type, data: JSON.stringify({ type, seq: id, from: id, at, ...facts }) };
  }
}
