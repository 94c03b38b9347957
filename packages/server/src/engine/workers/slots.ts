/** A worker whose process may be running. */
export interface SlotHolder {
  readonly id: string;
  /** It has a process, or is starting or ending one. */
  isRunning(): boolean;
}

export interface SlotRequest extends SlotHolder {
  /** When its turn began: the oldest one comes first. */
  readonly since: string;
  /** False once its turn has ended otherwise. */
  isWanted(): boolean;
}

interface Waiting {
  readonly request: SlotRequest;
  readonly resolve: (slot: Disposable | undefined) => void;
}

/**
 * Limits how many workers have a process at the same time. What waits is on record in its session: a server that starts
 * opens the slots once it knows every process that is still alive.
 */
export class WorkerSlots {
  private readonly limit: () => number;
  private readonly holders = new Map<string, SlotHolder>();
  /** Those that may start a process, and have not begun to yet. */
  private readonly granted = new Set<string>();
  private waiting: Waiting[] = [];
  private isOpen = false;
  private isClosed = false;

  constructor(limit: () => number) {
    this.limit = limit;
  }

  /** A worker that may have a process of an earlier server. */
  register(holder: SlotHolder): void {
    this.holders.set(holder.id, holder);
  }

  /** It was deleted: its process is gone, even if its last record has one. */
  forget(id: string): void {
    this.holders.delete(id);
    this.grant();
  }

  open(): void {
    this.isOpen = true;
    this.grant();
  }

  /** Whatever waits is for the next server. */
  close(): void {
    this.isClosed = true;
    for (const { resolve } of this.waiting.splice(0)) resolve(undefined);
  }

  /**
   * `slot` resolves when a process may start, to be disposed of once it has; with undefined if it is no longer wanted.
   * `isWaiting`: others come first.
   */
  acquire(request: SlotRequest): { slot: Promise<Disposable | undefined>; isWaiting: boolean } {
    const { promise: slot, resolve } = Promise.withResolvers<Disposable | undefined>();
    if (this.isClosed) return { slot: Promise.resolve(undefined), isWaiting: false };
    this.register(request);
    if (request.isRunning()) {
      // The last server started its process, and died before that got its prompt.
      this.give({ request, resolve });
      return { slot, isWaiting: false };
    }
    const at = this.waiting.findIndex(({ request: { since } }) => since > request.since);
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, { request, resolve });
    this.grant();
    return { slot, isWaiting: this.waiting.some((waiting) => waiting.request === request) };
  }

  /** Something has changed: a process or a turn has ended, or there are more slots. */
  grant(): void {
    const [wanted, unwanted] = [true, false].map((is) =>
      this.waiting.filter(({ request }) => request.isWanted() === is),
    ) as [Waiting[], Waiting[]];
    this.waiting = wanted;
    for (const { resolve } of unwanted) resolve(undefined);
    while (this.isOpen && this.waiting.length > 0 && this.running() < this.limit()) {
      const [next] = this.waiting.splice(0, 1);
      if (next) this.give(next);
    }
  }

  private give({ request: { id }, resolve }: Waiting): void {
    this.granted.add(id);
    resolve({
      [Symbol.dispose]: () => {
        this.granted.delete(id);
        this.grant();
      },
    });
  }

  private running(): number {
    let count = this.granted.size;
    for (const [id, holder] of this.holders) {
      if (this.granted.has(id)) continue;
      if (holder.isRunning()) count += 1;
      else if (!this.waiting.some(({ request }) => request.id === id)) this.holders.delete(id);
    }
    return count;
  }
}
