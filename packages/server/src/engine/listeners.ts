import type { Logger } from "../ports.ts";

/**
 * Listeners that are called after a commit. One that throws neither fails the commit nor prevents the others from being
 * called.
 */
export class Listeners<T> {
  private readonly listeners = new Set<(news: T) => void>();
  private readonly logger: Logger;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  get size(): number {
    return this.listeners.size;
  }

  add(listener: (news: T) => void): Disposable {
    // Wrapped, so that adding a listener twice and removing it once leaves one.
    const entry = (news: T) => listener(news);
    this.listeners.add(entry);
    return { [Symbol.dispose]: () => void this.listeners.delete(entry) };
  }

  emit(news: T): void {
    for (const listener of this.listeners) {
      try {
        listener(news);
      } catch (error) {
        this.logger.error("Listener failed", {
          error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        });
      }
    }
  }
}
