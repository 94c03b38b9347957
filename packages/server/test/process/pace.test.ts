import { expect, test } from "vitest";
import { Pace } from "../../src/process/pace.ts";

const lines = Array.from({ length: 20_000 }, (_, n) => n);

/** Keeps the processor busy, as reading lines does. */
function spend(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("H8 slow lines are delivered in slices, so that other work runs in between", async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const sizes: number[] = [];
  const seen: number[] = [];
  await new Pace().each(lines, async (slice) => {
    seen.push(...slice);
    sizes.push(slice.length);
    spend(slice.length / 20);
    return true;
  });
  clearImmediate(immediate);
  expect(seen).toEqual(lines);
  // 20,000 lines of 0.05 ms each: after the first, no slice takes much more than 20 ms.
  expect(sizes.slice(1).every((size) => size < 1_000)).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(sizes.length - 1);
});

test("fast lines stay together", async () => {
  const sizes: number[] = [];
  const pace = new Pace();
  for (let n = 0; n < 5; n++) {
    await pace.each(lines.slice(0, 3_000), async (slice) => {
      sizes.push(slice.length);
      return true;
    });
  }
  expect(sizes).toEqual([3_000, 3_000, 3_000, 3_000, 3_000]);
});

test("nothing is delivered after a stop", async () => {
  const seen: number[] = [];
  await new Pace().each(lines, async (slice) => {
    seen.push(...slice);
    return false;
  });
  expect(seen).toHaveLength(4_096);
});
