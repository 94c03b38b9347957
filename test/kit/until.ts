import { setTimeout as pause } from "node:timers/promises";

export interface UntilOptions {
  /** Milliseconds to wait before giving up. */
  deadline?: number;
  /** What is waited for, for the error message. */
  what?: string;
}

type Nothing = undefined | null | false;

/**
 * Waits until `probe` returns something other than undefined, null or false, and returns it. An exception counts as
 * "not yet"; the last one is the cause of the error when the deadline passes.
 */
export async function until<T>(
  probe: () => T | Nothing | Promise<T | Nothing>,
  { deadline = 20_000, what = probe.toString() }: UntilOptions = {},
): Promise<T> {
  const start = performance.now();
  let cause: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) return value;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    const waited = performance.now() - start;
    if (waited > deadline) throw new Error(`Not within ${deadline} ms: ${what}`, { cause });
    // Poll less often the longer it takes, to leave the machine to the work that is waited for.
    await pause(Math.min(Math.max(10, waited / 20), 50));
  }
}
