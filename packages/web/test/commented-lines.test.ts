import { describe, expect, test } from "vitest";
import { linesIn, lineWords, rowsIn, rowsOf } from "../src/changes/commented-lines.ts";
import { DiffParser, type FileDiff } from "../src/changes/diff-parse.ts";

function parse(...lines: string[]): FileDiff {
  const files: FileDiff[] = [];
  const parser = new DiffParser((file) => files.push(file));
  parser.push(`${["diff --git a/a b/a", "--- a/a", "+++ b/a", ...lines].join("\n")}\n`);
  parser.end();
  const [file] = files;
  if (!file) throw new Error("No file");
  return file;
}

const head = "@@ -1,3 +1,4 @@";
const change = ["-two", "+zwei", "+drei"];
// Rows: one, −two, +zwei, +drei, three; then a gap of hidden lines, ten, −eleven.
const { rows } = parse(head, " one", ...change, " three", "@@ -10,2 +11,1 @@", " ten", "-eleven");

describe("lines to comment on", () => {
  test("are on the side of the last one, and keep to it", () => {
    expect(linesIn(rows, { anchor: 2, head: 4 })).toEqual({
      ...{ side: "now", from: 2, line: 4 },
      text: "zwei\ndrei\nthree",
    });
    // In either direction, the lower one is the last.
    expect(linesIn(rows, { anchor: 1, head: 0 })).toEqual({
      side: "old",
      from: 1,
      line: 2,
      text: "one\ntwo",
    });
    expect(linesIn(rows, { anchor: 0, head: 3 })).toMatchObject({ side: "now", from: 1, line: 3 });
    expect(linesIn(rows, { anchor: 3, head: 3 })).toEqual({ side: "now", line: 3, text: "drei" });
  });

  test("end where lines are hidden", () => {
    const gap = rows.findIndex(({ hunk }) => hunk);
    expect(rowsIn(rows, { anchor: 3, head: gap + 2 })).toEqual([3, 4]);
    expect(rowsIn(rows, { anchor: gap + 2, head: 3 })).toEqual([gap + 1, gap + 2]);
  });

  test("are found again by their numbers", () => {
    expect(rowsOf(rows, { side: "now", from: 2, line: 3, text: "" })).toEqual([2, 3]);
    expect(rowsOf(rows, { side: "old", line: 2, text: "" })).toEqual([1]);
    expect(lineWords({ side: "old", from: 2, line: 3 })).toBe("removed lines 2 to 3");
    expect(lineWords({ side: "now", line: 3 })).toBe("line 3");
  });
});

describe("the digest of a change", () => {
  const { digest } = parse(head, " one", ...change, " three");

  test("stays the same when the change moves, and when lines around it change", () => {
    expect(parse("@@ -7,3 +9,4 @@ place", " uno", ...change, " tres").digest).toBe(digest);
  });

  test("is another one for another change", () => {
    expect(parse(head, " one", "-two", "+zwei", "+dreI", " three").digest).not.toBe(digest);
    expect(parse(head, " one", "-two", "+ziwe", "+drei", " three").digest).not.toBe(digest);
    expect(parse(head, " one", "-two", "+drei", "+zwei", " three").digest).not.toBe(digest);
    expect(parse(head, " one", "-two", "+zweidrei", " three").digest).not.toBe(digest);
    const binary = (index: string) => parse(`index ${index}`, "Binary files a/a and b/a differ").digest;
    expect(binary("1..2")).not.toBe(binary("1..3"));
  });
});
