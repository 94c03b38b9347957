import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DiffParser, type FileDiff, unquote } from "../src/changes/diff-parse.ts";
import { layoutFile } from "../src/changes/layout.ts";
import { changedStretches } from "../src/changes/line-changes.ts";
import { columnsOf, displayText } from "../src/changes/line-text.ts";
import { counterpart, splitRows } from "../src/changes/split-rows.ts";

function parse(...pieces: string[]): FileDiff[] {
  const files: FileDiff[] = [];
  const parser = new DiffParser((file) => files.push(file));
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return files;
}

const small = `diff --git a/a b.txt b/a b.txt
index 1..2 100644
--- a/a b.txt\t
+++ b/a b.txt\t
@@ -1,3 +1,3 @@
 one
-two
+2
 three
@@ -10,2 +10,3 @@ function f()
 ten
+--- a/looks like a header
 eleven
diff --git a/old.txt "b/n\\303\\274\\n.txt"
similarity index 100%
rename from old.txt
rename to "n\\303\\274\\n.txt"
diff --git a/image.png b/image.png
new file mode 100644
Binary files /dev/null and b/image.png differ
`;

/** A short form of a row: its sign, its numbers and its text. */
const summarize = ({ rows }: FileDiff) =>
  rows.map(({ kind, old, now, text }) => `${kind} ${old} ${now} ${text}`);

describe("a diff", () => {
  test("is parsed into files and lines, each with its number on both sides", () => {
    const [first, second, third] = parse(small);
    expect(first?.path).toBe("a b.txt");
    expect(first && summarize(first)).toEqual([
      "context 1 1 one",
      "removed 2 0 two",
      "added 0 2 2",
      "context 3 3 three",
      "hunk 0 0 Lines 10–12",
      "context 10 10 ten",
      "added 0 11 --- a/looks like a header",
      "context 11 12 eleven",
    ]);
    expect(second).toMatchObject({ path: "nü\n.txt", rows: [{ kind: "note" }] });
    expect(third).toMatchObject({ path: "image.png", rows: [{ kind: "note" }] });
  });

  test("is parsed the same however its chunks are split", () => {
    const whole = parse(small);
    fc.assert(
      fc.property(fc.array(fc.nat(small.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), small.length];
        const pieces = at.slice(1).map((end, i) => small.slice(at[i], end));
        expect(parse(...pieces)).toEqual(whole);
      }),
    );
  });

  test("shows removed lines next to their replacements", () => {
    const rows = parse(small)[0]?.rows ?? [];
    expect(splitRows(rows).slice(0, 4)).toEqual([
      { left: 0, right: 0 },
      { left: 1, right: 2 },
      { left: 3, right: 3 },
      { left: 4, right: 4 },
    ]);
    expect(counterpart(rows, 1)).toBe(rows[2]);
    expect(counterpart(rows, 2)).toBe(rows[1]);
    expect(counterpart(rows, 6)).toBeUndefined();
  });
});

test("a name that git escaped is unescaped", () => {
  expect(unquote('"tab\\there \\"quoted\\" \\\\303 \\303\\274"')).toBe('tab\there "quoted" \\303 ü');
  expect(unquote("plain")).toBe("plain");
  expect(unquote('"caf\\351 \\303\\274"')).toBe("caf⟨0xE9⟩ ü");
});

describe("a line of a diff", () => {
  test("spells out everything that could hide or reorder text", () => {
    expect(displayText("a\u202Eb\u200Bc\x1b[31m")).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+001B⟩[31m");
    expect(displayText("windows\r")).toBe("windows␍");
  });

  test("is cut when too long, with how much is missing", () => {
    expect(displayText("x".repeat(5_000))).toBe(`${"x".repeat(2_000)} … and 3000 more characters`);
  });

  test("takes as many rows as its columns need", () => {
    expect(columnsOf("abc")).toBe(3);
    expect(columnsOf("a\tb")).toBe(5);
    expect(columnsOf("東京")).toBeGreaterThanOrEqual(4);
    const rows = [30, 10, 0].map((columns) => ({
      kind: "added" as const,
      old: 0,
      now: 1,
      text: "",
      columns,
    }));
    const measures = { lineHeight: 20, columns: 10 };
    const { tops } = layoutFile(rows, "unified", { measures, extras: new Map([[1, 7]]) });
    expect([...tops]).toEqual([0, 60, 87, 107]);
  });

  test("marks the words that changed, unless hardly any stayed", () => {
    expect(changedStretches("return a + b;", "return a - b;")).toEqual({
      old: [
        { text: "return a ", changed: false },
        { text: "+", changed: true },
        { text: " b;", changed: false },
      ],
      now: [
        { text: "return a ", changed: false },
        { text: "-", changed: true },
        { text: " b;", changed: false },
      ],
    });
    expect(changedStretches("import fs from 'fs'", "const x = 1")).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (before, after) => {
        const found = changedStretches(before.replaceAll("\n", ""), after.replaceAll("\n", ""));
        if (!found) return;
        expect(found.old.map(({ text }) => text).join("")).toBe(before.replaceAll("\n", ""));
        expect(found.now.map(({ text }) => text).join("")).toBe(after.replaceAll("\n", ""));
      }),
    );
  });
});
