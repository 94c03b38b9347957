import type { EncodedEvent } from "../ports.ts";
import type { EventListener } from "../service.ts";

/** Who listens to which session. Told only after a commit, in commit order. */
export class Bus {
  /** Events told of since the start. */
  published = 0;
  private readonly listeners = new Map<string, Set<EventListener>>();

  subscribe(sessionId: string, listener: EventListener): Disposable {
    const listeners = this.listeners.get(sessionId) ?? new Set();
    this.listeners.set(sessionId, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.listeners.get(sessionId) === listeners)
          this.listeners.delete(sessionId);
      },
    };
  }

  publish(sessionId: string, events: readonly EncodedEvent[]): void {
    this.published += events.length;
    for (const listener of this.listeners.get(sessionId) ?? []) listener(events);
  }
}
