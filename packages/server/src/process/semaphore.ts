/** At most `n` at once, first come first served. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(n: number) {
    if (!Number.isInteger(n) || n < 1) throw new RangeError(`A semaphore needs at least one slot, not ${n}`);
    this.#free = n;
  }

  async run<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot goes directly to the next waiter, so that no later caller can take it first.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
