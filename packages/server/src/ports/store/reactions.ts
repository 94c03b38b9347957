/** News for lists and inboxes. */
export interface Announcement {
  readonly type: string;
  readonly sessionId: string;
  /** The event that says the rest, where that may be large. */
  readonly seq?: number;
  /** Everything else that is told. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** An announcement in the feed. Ids grow, also over restarts. */
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

/** What follows from commits: who has seen which, and what was announced. */
export interface Reactions {
  /** The last commit that a reactor has handled. One that was never heard of begins with the next commit. */
  cursor(reactor: string): Promise<number>;
  /** Moves a reactor's cursor and stores what it announces, together or not at all. */
  handled(handled: Handled): Promise<StoredAnnouncement[]>;
  /** Stores news that no commit brought. */
  announce(announcements: readonly Announcement[]): Promise<StoredAnnouncement[]>;
  /** Announcements after an id, in order. The last 100,000 are kept. */
  announcements(after: number, limit: number): Promise<StoredAnnouncement[]>;
  /** The ids of what is kept: everything above `forgotten`, up to `last`. */
  announced(): Promise<{ forgotten: number; last: number }>;
}
