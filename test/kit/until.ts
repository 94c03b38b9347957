import { setTimeout as pause } from "node:timers/promises";

export interface UntilOptions {
  /** Milliseconds after which the fact counts as never coming true. */
  deadline?: number;
  /** What is waited for, in the words of the error. */
  what?: string;
}

type Nothing = undefined | null | false;

/**
 * Waits until `fact` is something other than undefined, null or false, and returns it. A throw counts as "not yet":
 * it is the cause of the error when the deadline passes.
 */
export async function until<T>(
  fact: () => T | Nothing | Promise<T | Nothing>,
  { deadline = 20_000, what = fact.toString() }: UntilOptions = {},
): Promise<T> {
  const start = performance.now();
  let cause: unknown;
  for (;;) {
    try {
      const value = await fact();
      if (value !== undefined && value !== null && value !== false) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    const waited = performance.now() - start;
    if (waited > deadline) throw new Error(`Not within ${deadline} ms: ${what}`, { cause });
    // Whoever has waited for long does not keep the machine from what they wait for.
    await pause(Math.min(Math.max(10, waited / 20), 50));
  }
}
