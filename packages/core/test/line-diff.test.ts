import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../../test/kit/any-text.ts";
import { compareLines } from "../src/line-diff.ts";

const written = (...sides: Parameters<typeof compareLines>) =>
  compareLines(...sides).map(({ sign, text }) => sign + text);

const numbered = (count: number, word: string) => Array.from({ length: count }, (_, at) => `${word} ${at}`);

describe("comparing lines", () => {
  test("keeps what both texts have, and removes before it adds", () => {
    expect(written(["a", "b", "c", "d"], ["a", "x", "c", "e"])).toEqual([" a", "-b", "+x", " c", "-d", "+e"]);
    expect(written([], ["a"])).toEqual(["+a"]);
    expect(written(["a"], [])).toEqual(["-a"]);
  });

  test("has every line of both texts, in order", () => {
    const lines = fc.array(fc.oneof(fc.constantFrom("a", "b", "c", ""), anyText()), { maxLength: 12 });
    const isComplete = fc.property(lines, lines, (before, after) => {
      const diff = compareLines(before, after);
      const side = (sign: string) => diff.filter((line) => line.sign !== sign).map(({ text }) => text);
      expect(side("+")).toEqual(before);
      expect(side("-")).toEqual(after);
    });
    fc.assert(isComplete, { numRuns: 300 });
  });

  test("finds few changes in long texts", () => {
    const before = numbered(200_000, "line");
    const after = before.with(100, "other").with(150_000, "other");
    expect(compareLines(before, after).filter(({ sign }) => sign !== " ")).toHaveLength(4);
  });

  test("finds the one line that a rewritten text has kept", () => {
    const half = 50_000;
    const before = [...numbered(half, "old"), "same", ...numbered(half, "old")];
    const after = [...numbered(half, "new"), "same", ...numbered(half, "new")];
    const signs = compareLines(before, after).map(({ sign }) => sign);
    const rewritten = "-".repeat(half) + "+".repeat(half);
    expect(signs.join("")).toBe(`${rewritten} ${rewritten}`);
  });

  test("gives up on texts whose lines were mixed, between their equal ends", () => {
    const count = 100_000;
    const lines = numbered(count, "line");
    const before = ["start", ...lines, "end"];
    const after = ["start", ...lines.toReversed(), "end"];
    const signs = compareLines(before, after).map(({ sign }) => sign);
    expect(signs.join("")).toBe(` ${"-".repeat(count)}${"+".repeat(count)} `);
  });

  test("keeps as many lines as possible", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 9 });
    const isLongest = fc.property(lines, lines, (before, after) => {
      const kept = compareLines(before, after).filter(({ sign }) => sign === " ").length;
      expect(kept).toBe(longestCommon(before, after));
    });
    fc.assert(isLongest, { numRuns: 300 });
  });
});

function longestCommon([a, ...restA]: readonly string[], [b, ...restB]: readonly string[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a === b) return 1 + longestCommon(restA, restB);
  return Math.max(longestCommon([a, ...restA], restB), longestCommon(restA, [b, ...restB]));
}
