/** Runs all of them, `count` at a time: each lane takes the next one when it is free. */
export async function inLanes<T>(count: number, all: readonly T[], run: (one: T) => Promise<void>) {
  const remaining = all.values();
  const lane = async () => {
    for (const one of remaining) await run(one);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
