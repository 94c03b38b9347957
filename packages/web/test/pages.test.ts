import { describe, expect, test } from "vitest";
import { fold } from "../src/code/fold.ts";
import { exactNotation } from "../src/format/exact-rows.ts";
import { exactLineDiff } from "../src/format/line-diff.ts";
import { lineWeight, pagesOf, textWeight } from "../src/format/pages.ts";

const lines = (count: number, mark: string) => Array.from({ length: count }, (_, at) => `${mark}${at}`);

describe("H8 content too long to render at once", () => {
  test("is split into pages that contain everything, in order, each quick to render", () => {
    const text = [...lines(2_500, "a"), "x".repeat(1_000_000), ...lines(10, "b")];
    const pages = pagesOf(text, (line) => (line.length > 1_000 ? 5_000 : 1));
    expect(pages.flatMap(({ from, to }) => text.slice(from, to))).toEqual(text);
    expect(pages.map(({ from, to }) => to - from)).toEqual([1_000, 1_000, 500, 1, 10]);
  });

  test("is one page if it is short, or empty", () => {
    expect(pagesOf(lines(100, "a"), lineWeight)).toEqual([{ from: 0, to: 100 }]);
    expect(pagesOf([], lineWeight)).toEqual([{ from: 0, to: 0 }]);
  });

  test("is weighed by its lines", () => {
    const text = ["a", "", "x".repeat(400)];
    expect(textWeight(text.join("\n"))).toBeCloseTo(
      text.reduce((sum, one) => sum + lineWeight(one), 0),
      1,
    );
  });
});

describe("H8 a change of countless lines", () => {
  const long = exactLineDiff(lines(50_000, "\told ").join("\n"), lines(50_000, "\tnew ").join("\n"));

  test("is shown without a comparison: the whole old text, then the whole new text", () => {
    expect(long).toHaveLength(100_000);
    expect([long[0]?.text, long[50_000]?.text]).toEqual(["\told 0", "\tnew 0"]);
    expect(fold(long)).toEqual(long);
  });

  test("spells out the blanks of every changed line; a short change does so only where nothing else changed", () => {
    expect(long.slice(0, 1).map(exactNotation(long))).toEqual([{ sign: "-", text: "⟨U+0009⟩old 0" }]);
    const short = exactLineDiff("\ta\n\tb\n", "  a\n\tc\n");
    expect(short.map(exactNotation(short)).map(({ sign, text }) => sign + text)).toEqual([
      ...["-⟨U+0009⟩a", "-\tb", "+  a", "+\tc"],
    ]);
  });
});
