import { setImmediate as turn } from "node:timers/promises";

/** How long one slice of an agent's lines may block the event loop. */
const SLICE_MS = 20;
const FEWEST = 64;
const AT_FIRST = 4_096;

/**
 * Hands out lines in slices, and lets the event loop turn between them. The size of a slice depends on how long the
 * last ones took: some kinds of lines cost a hundred times as much as others.
 */
export class Pace {
  #size = AT_FIRST;

  /** Stops early if `handle` returns false. */
  async each<T>(lines: readonly T[], handle: (slice: readonly T[]) => Promise<boolean>): Promise<void> {
    for (let from = 0; from < lines.length; ) {
      const isWhole = from === 0 && lines.length <= this.#size;
      const slice = isWhole ? lines : lines.slice(from, from + this.#size);
      const start = performance.now();
      if (!(await handle(slice))) return;
      const took = performance.now() - start;
      this.#size = Math.max(FEWEST, Math.min(AT_FIRST, Math.round((slice.length * SLICE_MS) / took)));
      from += slice.length;
      if (from < lines.length) await turn();
    }
  }
}
