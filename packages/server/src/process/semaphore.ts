/** At most `n` at once, first come first served. */
export class Semaphore {
  #free: number;
  #waiting: (() => void)[] = [];

  constructor(n: number) {
    if (!Number.isInteger(n) || n < 1) throw new RangeError(`A semaphore needs at least one slot, not ${n}`);
    this.#free = n;
  }

  /** `signal` gives up a place in the queue; it does not end work that has begun. */
  async run<T>(work: () => Promise<T> | T, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      // The slot goes directly to the next waiter, so that no later caller can take it first.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#waiting = this.#waiting.filter((each) => each !== enter);
      reject(signal?.reason);
    };
    const enter = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.push(enter);
    return promise;
  }
}
