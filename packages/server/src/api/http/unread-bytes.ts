/** The receiver of pending bytes. */
export interface Reader {
  /** Closes its connection immediately, to free the memory of its pending bytes. */
  cut(): void;
}

/**
 * Bytes in memory that clients have not read yet, over all connections. If there are too many, the client that has read
 * nothing for the longest time is cut off: a client that reads never waits for those that do not.
 */
export class UnreadBytes {
  private readonly limit: number;
  private total = 0;
  /** The one that has read nothing for the longest time comes first. */
  private readonly waiting = new Map<Reader, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Updates how many bytes are pending for this client. */
  set(reader: Reader, bytes: number): void {
    const before = this.waiting.get(reader) ?? 0;
    if (bytes < before) this.waiting.delete(reader);
    if (bytes > 0) this.waiting.set(reader, bytes);
    this.total += bytes - before;
    for (const [slowest, its] of this.waiting) {
      if (this.total <= this.limit) break;
      this.waiting.delete(slowest);
      this.total -= its;
      slowest.cut();
    }
  }
}
