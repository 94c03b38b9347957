import { createStore } from "./store.ts";

export interface CollectionState<T> {
  /** True once the first list has arrived. Until then, an empty collection means nothing. */
  readonly loaded: boolean;
  readonly items: readonly T[];
  /** The cursor of the next page, when the server has more than is listed here. */
  readonly more?: string;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly more?: string | undefined;
}

export interface CollectionOptions<T> {
  readonly idOf: (item: T) => string;
  readonly compare: (a: T, b: T) => number;
  /** Whether `a` is an earlier version than `b` of the same item. By default, the one that arrives last wins. */
  readonly isOlder?: (a: T, b: T) => boolean;
  /** Items that do not belong are left out, and removed when they are announced. By default, all belong. */
  readonly belongs?: (item: T) => boolean;
  /** Fetches the first page, or the one at a cursor. Undefined if the server did not answer. */
  readonly fetchPage: (cursor: string | undefined) => Promise<ListPage<T> | undefined>;
  /** Subscribes to the connection being opened, which refreshes the collection each time. */
  readonly onOpen: (listener: () => void) => () => void;
  /** Called with known items that a new list lacks, which stay until they are removed. By default, they are dropped. */
  readonly onUnlisted?: (items: readonly T[]) => void;
}

/**
 * A list from the server, kept current by announcements.
 *
 * A list may have been read before an announcement that overtakes it. Announcements that arrive while a list is in
 * flight are therefore applied twice: at once, and again to the list.
 */
export class LiveCollection<T> {
  readonly state = createStore<CollectionState<T>>({ loaded: false, items: [] });
  private readonly options: CollectionOptions<T>;
  /** Changes since a list was requested, one log for each list in flight. */
  private readonly replays = new Set<((items: readonly T[]) => readonly T[])[]>();
  private readonly addedListeners = new Set<(item: T) => void>();
  /** Counts refreshes, so that answers to earlier requests are dropped. */
  private round = 0;
  private readonly unsubscribe: () => void;

  constructor(options: CollectionOptions<T>) {
    this.options = options;
    this.unsubscribe = options.onOpen(() => void this.refresh());
  }

  /** Stops refreshing, for a collection that does not live as long as the application. */
  close(): void {
    this.round++;
    this.unsubscribe();
  }

  find(id: string): T | undefined {
    return this.state.get().items.find((item) => this.options.idOf(item) === id);
  }

  /** Called with each new item that is announced, or that a refresh brings. The first list is not reported. */
  onAdded(listener: (item: T) => void): () => void {
    this.addedListeners.add(listener);
    return () => this.addedListeners.delete(listener);
  }

  /** Applies an announcement, unless a newer version is known. */
  put(item: T): void {
    const isNew = this.find(this.options.idOf(item)) === undefined;
    this.change((items) => this.withItem(items, item));
    if (isNew && this.belongs(item)) this.notify(item);
  }

  /** Applies the answer to a request, which announcements may have overtaken. */
  learn(item: T): void {
    this.change((items) => this.withItem(items, item, "learnt"));
  }

  remove(id: string): void {
    this.removeWhere((item) => this.options.idOf(item) === id);
  }

  removeWhere(isGone: (item: T) => boolean): void {
    this.change((items) => (items.some(isGone) ? items.filter((item) => !isGone(item)) : items));
  }

  /** Fetches the list again, as far back as before. False if the server did not answer or a later refresh began. */
  async refresh(): Promise<boolean> {
    const round = ++this.round;
    return this.whileListing(async (replay) => {
      const wanted = this.state.get().items.length;
      let listed: readonly T[] = [];
      let more: string | undefined;
      do {
        const page = await this.options.fetchPage(more);
        if (!page || round !== this.round) return false;
        listed = [...listed, ...page.items];
        more = page.more;
      } while (more !== undefined && listed.length < wanted);
      this.replace(listed, more, replay);
      return true;
    });
  }

  /** Fetches the next page. */
  async loadMore(): Promise<void> {
    const { round } = this;
    const cursor = this.state.get().more;
    if (cursor === undefined) return;
    await this.whileListing(async (replay) => {
      const page = await this.options.fetchPage(cursor);
      if (!page || round !== this.round) return;
      const { items: known } = this.state.get();
      const items = page.items.reduce((all, item) => this.withItem(all, item, "learnt"), known);
      this.set({ loaded: true, items: replay(items), more: page.more });
    });
  }

  private replace(
    listed: readonly T[],
    more: string | undefined,
    replay: (items: readonly T[]) => readonly T[],
  ): void {
    const { idOf, onUnlisted } = this.options;
    const { loaded, items: known } = this.state.get();
    const byId = new Map(known.map((item) => [idOf(item), item]));
    const newest = listed
      .filter((item) => this.belongs(item))
      .map((item) => {
        const own = byId.get(idOf(item));
        return own !== undefined && this.isOlder(item, own) ? own : item;
      });
    const current = replay(newest);
    const ids = new Set(current.map(idOf));
    const unlisted = known.filter((item) => !ids.has(idOf(item)));
    this.set({ loaded: true, items: onUnlisted ? [...current, ...unlisted] : current, more });
    if (loaded) for (const item of current) if (!byId.has(idOf(item))) this.notify(item);
    if (unlisted.length > 0) onUnlisted?.(unlisted);
  }

  /** Runs a request for a list; `replay` applies the changes since then to its result. */
  private async whileListing<Result>(
    list: (replay: (items: readonly T[]) => readonly T[]) => Promise<Result>,
  ): Promise<Result> {
    const changes: ((items: readonly T[]) => readonly T[])[] = [];
    this.replays.add(changes);
    try {
      return await list((items) => changes.reduce((now, change) => change(now), items));
    } finally {
      this.replays.delete(changes);
    }
  }

  private change(change: (items: readonly T[]) => readonly T[]): void {
    for (const changes of this.replays) changes.push(change);
    const state = this.state.get();
    const items = change(state.items);
    if (items !== state.items) this.set({ ...state, items });
  }

  /** An announced item replaces one of the same version; a learnt one does not. */
  private withItem(items: readonly T[], item: T, how: "announced" | "learnt" = "announced"): readonly T[] {
    const { idOf } = this.options;
    const id = idOf(item);
    const known = items.find((other) => idOf(other) === id);
    const isOutdated =
      how === "learnt" ? !this.isOlder(known ?? item, item) : this.isOlder(item, known ?? item);
    if (known !== undefined && isOutdated) return items;
    const others = items.filter((other) => other !== known);
    if (this.belongs(item)) return [...others, item];
    return known === undefined ? items : others;
  }

  private set({ loaded, items, more }: { loaded: boolean; items: readonly T[]; more?: string | undefined }) {
    const sorted = items.toSorted(this.options.compare);
    this.state.set({ loaded, items: sorted, ...(more === undefined ? {} : { more }) });
  }

  private isOlder(a: T, b: T): boolean {
    return this.options.isOlder?.(a, b) ?? false;
  }

  private belongs(item: T): boolean {
    return this.options.belongs?.(item) ?? true;
  }

  private notify(item: T): void {
    for (const listener of [...this.addedListeners]) listener(item);
  }
}
