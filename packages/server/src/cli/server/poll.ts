import { setTimeout as pause } from "node:timers/promises";

/** Calls `fact` at most every 50 ms until it returns a value or the time is up. */
export async function poll<T>(
  fact: () => Promise<T | undefined> | T | undefined,
  milliseconds: number,
): Promise<T | undefined> {
  const end = performance.now() + milliseconds;
  for (let wait = 5; ; wait = Math.min(wait * 2, 50)) {
    const value = await fact();
    if (value !== undefined) return value;
    if (performance.now() >= end) return undefined;
    await pause(wait);
  }
}
