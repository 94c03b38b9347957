/** The receiving end of bytes that wait. */
export interface Reader {
  /** Closes its connection at once, so that the memory of what waits for it is free. */
  cut(): void;
}

/**
 * Bytes that wait in memory for clients to read them, over all connections. When there are too many, the client that has
 * read nothing for longest is cut off: one that reads never waits for those that do not.
 */
export class UnreadBytes {
  private readonly limit: number;
  private total = 0;
  /** The one that has read nothing for longest comes first. */
  private readonly waiting = new Map<Reader, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** So many bytes wait for this client now. */
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
