import { extend, type Item, type SessionEvent, type Snapshot, type Timeline } from "@drover/core";
import type { EncodedEvent } from "../../ports.ts";
import type { Service } from "../../service.ts";
import type { Sink } from "../stream/follow.ts";
import type { Outlet } from "../stream/outlet.ts";
import { textFrame } from "./frame.ts";

/** A growing item is sent at most this often. */
const paceMs = 50;
const pageItems = 200;
/** A client that missed more starts over with the newest items. */
const maxPages = 10;

export interface ItemsViewOptions {
  readonly sessionId: string;
  /** Items that were open at the number the view starts from. */
  readonly open: readonly Item[];
  readonly outlet: Outlet;
  readonly fail: () => void;
}

type Manner = "live" | "bulk";

/** A session as complete items, each sufficient to draw it: dropping any still ends in the right text. */
export class ItemsView implements Sink, Disposable {
  private readonly options: ItemsViewOptions;
  private timeline: Timeline;
  private readonly grown = new Map<string, Item>();
  private readonly sentAt = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(options: ItemsViewOptions) {
    this.options = options;
    const open = options.open.map((item) => [item.id, { item, last: item.seq, count: 1 }] as const);
    this.timeline = { open: Object.fromEntries(open) };
  }

  async replay(events: readonly EncodedEvent[]): Promise<boolean> {
    this.fold(events, "bulk");
    return this.taken();
  }

  live(events: readonly EncodedEvent[]): boolean {
    if (this.options.outlet.isBehind) return false;
    this.fold(events, "live");
    return true;
  }

  /** Sends what the client missed as fast as it reads it; false if it does not. */
  async catchUp(items: readonly Item[]): Promise<boolean> {
    for (const item of items) {
      if (this.options.outlet.isBehind && !(await this.taken())) return false;
      this.send(item, "bulk");
    }
    return true;
  }

  taken(): Promise<boolean> {
    return this.options.outlet.taken();
  }

  fail(): void {
    this.options.fail();
  }

  /** `bulk` for data the client requested, which may be more than it could ever be behind with live data. */
  send(item: Item, manner: Manner): void {
    const { sessionId, outlet } = this.options;
    outlet[manner](textFrame(JSON.stringify({ type: "session:upsert", sessionId, item })));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.grown.clear();
  }

  private fold(events: readonly EncodedEvent[], manner: Manner): void {
    for (const { data } of events) {
      const step = extend(this.timeline, JSON.parse(data) as SessionEvent);
      this.timeline = step.timeline;
      for (const { item } of step.changed) this.change(item, manner);
    }
    this.flush(manner);
  }

  private change(item: Item, manner: Manner): void {
    if (item.status === "open") this.grown.set(item.id, item);
    else {
      this.grown.delete(item.id);
      this.sentAt.delete(item.id);
      this.send(item, manner);
    }
  }

  /** Sends grown items that are due; the others when they are. */
  private flush(manner: Manner): void {
    const now = performance.now();
    for (const [id, item] of this.grown) {
      if (now - (this.sentAt.get(id) ?? -paceMs) < paceMs) continue;
      this.grown.delete(id);
      this.sentAt.set(id, now);
      this.send(item, manner);
    }
    if (this.grown.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush("live");
    }, paceMs);
  }
}

/**
 * The items that started or changed after a number, oldest first; undefined if there are too many. Anything open at
 * that number belongs to the turn that was running then.
 */
export async function itemsSince(
  service: Service,
  snapshot: Snapshot,
  after: number,
): Promise<Item[] | undefined> {
  let items: readonly Item[] = snapshot.items;
  let { before } = snapshot;
  for (let pages = 0; ; pages++) {
    const turnId = items.findLast((item) => item.seq <= after && item.turnId !== undefined)?.turnId;
    const oldest = items[0];
    const hasAll = before === undefined || (oldest && oldest.seq <= after && oldest.turnId !== turnId);
    if (hasAll) {
      return items.filter((item) => item.seq > after || (turnId !== undefined && item.turnId === turnId));
    }
    if (pages === maxPages || before === undefined) return undefined;
    const page = await service.sessions.items(snapshot.session.id, { before, limit: pageItems });
    if (!page.ok) return undefined;
    items = [...page.value.items, ...items];
    before = page.value.before;
  }
}
