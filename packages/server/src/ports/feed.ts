/** One entry of the feed over all sessions: `data` is JSON with `type`, `seq`, `at`. */
export interface FeedEntry {
  readonly id: number;
  readonly type: string;
  readonly data: string;
}

/** What happens across all sessions. */
export interface Feed {
  /** The newest id; grows across restarts. */
  readonly last: number;
  /** Whether everything after an id can still be read; false for an id that does not exist yet. */
  holds(id: number): boolean;
  /** The next entries after an id; none if there are no more yet. */
  after(id: number): Promise<readonly FeedEntry[]>;
  subscribe(listener: (entry: FeedEntry) => void): Disposable;
}
