import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DiffParser, type FileDiff } from "../src/changes/diff-parse.ts";
import { labelHunks, reveal, revealsOf } from "../src/changes/hunks.ts";
import type { DiffRow, Hunk } from "../src/changes/rows.ts";

const hunk = (at: string, place = "") => `@@ ${at} @@${place}\n a\n b\n c\n-old\n+new\n+newer\n d\n e\n f\n`;

/** Lines 5 to 8 and 12 are hidden, and everything from 20 on. */
function parse(): readonly DiffRow[] {
  const files: FileDiff[] = [];
  const parser = new DiffParser((file) => files.push(file));
  parser.push("diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-x\n+y\n p\n q\n r\n");
  parser.push("@@ -9,3 +9,3 @@ class A\n s\n-t\n+T\n u\n");
  parser.push(hunk("-13,7 +13,8", " f()"));
  parser.end();
  return files[0]?.rows ?? [];
}

const headsOf = (rows: readonly DiffRow[]) =>
  rows.flatMap(({ hunk: found, text }) => (found ? [`${text} ${found.from}-${found.to ?? ""}`.trim()] : []));

const linesOf = (...numbers: number[]) => new Map(numbers.map((line) => [line, `line ${line}`]));

describe("the hunks of a diff", () => {
  test("say which lines they cover, in which function, and what is hidden above them and at the end", () => {
    const rows = parse();
    expect(headsOf(rows)).toEqual(["Lines 9–11 5-8", "Lines 13–20 12-12", "20-"]);
    expect(rows.find(({ hunk: found }) => found?.from === 12)?.hunk?.place).toBe("f()");
    expect(rows.at(-1)?.hunk).toMatchObject({ isEnd: true, shift: 1 });
  });

  test("keep hidden lines behind their header, and lose the header with the last hidden line", () => {
    const rows = parse();
    const fromBothEnds = labelHunks(reveal(rows, { lines: linesOf(5, 8) }));
    expect(headsOf(fromBothEnds)).toEqual(["Lines 8–11 6-7", "Lines 13–20 12-12", "20-"]);
    expect(rows.find(({ hunk: found }) => found?.from === 5)?.hunk?.place).toBe("class A");
    expect(fromBothEnds.find(({ hunk: found }) => found?.from === 6)?.hunk).not.toHaveProperty("place");
    const line = fromBothEnds.find(({ old }) => old === 5);
    expect(line).toMatchObject({ kind: "context", now: 5, text: "line 5" });
    const all = labelHunks(reveal(fromBothEnds, { lines: linesOf(5, 6, 7, 8, 12) }));
    expect(headsOf(all)).toEqual(["20-"]);
    expect(all.filter(({ old }) => old > 0).map(({ old }) => old)).toEqual(
      Array.from({ length: 19 }, (_, i) => i + 1),
    );
  });

  test("end where the file ends, once that is known", () => {
    const some = reveal(parse(), { lines: linesOf(20, 21), total: 30 });
    expect(headsOf(some).at(-1)).toBe("22-30");
    expect(some.find(({ old }) => old === 21)).toMatchObject({ now: 22 });
    expect(headsOf(reveal(parse(), { lines: new Map(), total: 19 }))).not.toContain("20-");
  });

  test("reveal the lines next to those shown, a few or all", () => {
    const offers = (gap: Partial<Hunk>) =>
      revealsOf({ id: 0, from: 11, to: 60, shift: 2, ...gap }).map(
        ({ direction, from, to, name }) => `${direction} ${from}-${to}: ${name}`,
      );
    expect(offers({})).toEqual([
      "down 11-30: Show 20 lines below line 12",
      "up 41-60: Show 20 lines above line 63",
      "all 11-60: Show all 50 hidden lines",
    ]);
    expect(offers({ from: 1, shift: 0 })).toEqual([
      "up 41-60: Show 20 lines above line 61",
      "all 1-60: Show all 60 hidden lines",
    ]);
    expect(offers({ to: 30 })).toEqual(["all 11-30: Show 20 hidden lines"]);
    expect(offers({ to: 11 })).toEqual(["all 11-11: Show 1 hidden line"]);
    expect(offers({ isEnd: true })).toHaveLength(2);
    const { to: _, ...unknown } = { id: 0, from: 11, to: 60, shift: 0, isEnd: true };
    expect(revealsOf(unknown).map(({ from, to }) => [from, to])).toEqual([[11, 30]]);
    expect(offers({ to: 5_000 }).at(-1)).toBe("all 11-510: Show 500 of 4,990 hidden lines");
  });

  test("never show a line twice or out of order, whatever is revealed", () => {
    const known = fc.uniqueArray(fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(known, fc.option(fc.integer({ min: 19, max: 40 }), { nil: undefined }), (lines, total) => {
        const rows = reveal(parse(), {
          lines: linesOf(...lines.filter((line) => line <= (total ?? 40))),
          ...(total === undefined ? {} : { total }),
        });
        const shown = rows.flatMap(({ old }) => (old > 0 ? [old] : []));
        expect(shown).toEqual([...new Set(shown)].toSorted((a, b) => a - b));
      }),
    );
  });
});
