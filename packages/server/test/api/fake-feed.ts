import type { SessionEvent, TurnChange } from "@drover/core";
import type { EncodedEvent, FeedEntry } from "../../src/ports.ts";
import type { Service } from "../../src/service.ts";

/** The first id: a restarted server does not start at 1. */
const start = 1000;

/** The feed of all sessions, in memory. */
export class FakeFeed {
  private readonly entries: FeedEntry[] = [];
  private readonly listeners = new Set<(entry: FeedEntry) => void>();

  get last(): number {
    return start + this.entries.length;
  }

  publish(type: string, facts: Record<string, unknown>): void {
    const id = this.last + 1;
    const entry = { id, type, data: JSON.stringify({ type, seq: id, ...facts }) };
    this.entries.push(entry);
    for (const listener of this.listeners) listener(entry);
  }

  readonly holds: Service["feed"]["holds"] = (id) => id >= start && id <= this.last;
  readonly after: Service["feed"]["after"] = async (id) => this.entries.slice(id - start);
  readonly subscribe: Service["feed"]["subscribe"] = (listener) => {
    this.listeners.add(listener);
    return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
  };
}

/** The start or end of a turn that an event reports, if any. */
export function turnChanges({ data }: EncodedEvent): TurnChange[] {
  const event = JSON.parse(data) as SessionEvent;
  if (event.type !== "turn_start" && event.type !== "done") return [];
  const { sessionId, turnId } = event;
  if (event.type === "turn_start") return [{ sessionId, turnId, phase: "started" }];
  return [{ sessionId, turnId, phase: "ended", reason: event.reason }];
}
