import { expect, test } from "vitest";
import { elapsed } from "../src/elapsed.ts";

test.each([
  [-5, "0 s"],
  [0.6, "1 s"],
  [59, "59 s"],
  [60, "1 min 0 s"],
  [3599, "59 min 59 s"],
  [7800, "2 h 10 min"],
])("%d seconds are shown as %s", (seconds, text) => {
  const start = Date.parse("2026-02-18T14:05:00Z");
  const iso = (ms: number) => new Date(ms).toISOString();
  expect(elapsed(iso(start), iso(start + seconds * 1000))).toBe(text);
});
