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
  const end = performance.now() + deadline;
  let cause: unknown;
  for (;;) {
    try {
      const value = await fact();
      if (value !== undefined && value !== null && value !== false) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) throw new Error(`Not within ${deadline} ms: ${what}`, { cause });
    await pause(10);
  }
}
