/** News for lists and inboxes. */
export interface Announcement {
  readonly type: string;
  readonly sessionId: string;
  /** The event with the details, if they may be large. */
  readonly seq?: number;
  /** Everything else that is announced. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** An announcement in the feed. Ids grow, also across restarts. */
export interface StoredAnnouncement extends Announcement {
  readonly id: number;
  readonly at: string;
}

/** What a reactor did with the commits up to one. */
export interface Handled {
  readonly reactor: string;
  readonly number: number;
  readonly announcements: readonly Announcement[];
}

/** What follows from commits: which reactor has seen which, and what was announced. */
export interface Reactions {
  /** The last commit that a reactor has handled. A new reactor starts with the next commit. */
  cursor(reactor: string): Promise<number>;
  /** Advances a reactor's cursor and stores its announcements, together or not at all. */
  handled(handled: Handled): Promise<StoredAnnouncement[]>;
  /** Stores announcements that are not part of a commit. */
  announce(announcements: readonly Announcement[]): Promise<StoredAnnouncement[]>;
  /** Announcements after an id, in order. The last 100,000 are kept. */
  announcements(after: number, limit: number): Promise<StoredAnnouncement[]>;
  /** The range of kept ids: everything above `forgotten`, up to `last`. */
  announced(): Promise<{ forgotten: number; last: number }>;
}
