import type { EncodedEvent, Logger } from "../ports.ts";
import type { EventListener } from "../service.ts";
import { Listeners } from "./listeners.ts";

/** The listeners of each session. They are called only after a commit, in commit order. */
export class Bus {
  /** Events published since the start. */
  published = 0;
  private readonly listeners = new Map<string, Listeners<readonly EncodedEvent[]>>();
  private readonly logger: Logger;
  private readonly wakeReactors: () => void;

  constructor({ logger, wakeReactors }: { logger: Logger; wakeReactors: () => void }) {
    this.logger = logger;
    this.wakeReactors = wakeReactors;
  }

  /** Wakes the reactors after something was stored. */
  news(): void {
    this.wakeReactors();
  }

  subscribe(sessionId: string, listener: EventListener): Disposable {
    const listeners = this.listeners.get(sessionId) ?? new Listeners<readonly EncodedEvent[]>(this.logger);
    this.listeners.set(sessionId, listeners);
    const subscription = listeners.add(listener);
    return {
      [Symbol.dispose]: () => {
        subscription[Symbol.dispose]();
        if (listeners.size === 0 && this.listeners.get(sessionId) === listeners)
          this.listeners.delete(sessionId);
      },
    };
  }

  publish(sessionId: string, events: readonly EncodedEvent[]): void {
    this.published += events.length;
    this.listeners.get(sessionId)?.emit(events);
  }
}
