// An edit is shown as a diff that contains every line of the text before and after it.
import { describe, expect, test } from "vitest";
import { plain } from "../../src/cli/terminal/styled.ts";
import { askedInFull, askedRows, timeLeft } from "../../src/cli/view/asked.ts";
import { anApproval, aQuestion } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();

const rowsOf = (input: unknown) => askedRows(anApproval({ input }), 80).map(plain);

/** The rows of the diff, without their indentation. */
const diffOf = (input: unknown) => {
  const rows = rowsOf(input);
  const start = rows.findIndex((row) => /^ {2}\S*diff\b/.test(row));
  return rows.slice(start).map((row) => row.trim());
};

describe("an edit", () => {
  test.for([
    ["old_string", "new_string"],
    ["oldText", "newText"],
    ["oldString", "newString"],
  ])("with %j is shown as a diff, unchanged lines included", ([before, after]) => {
    const input = { path: "a.ts", [before ?? ""]: "one\ntwo\nthree", [after ?? ""]: "one\n2\nthree\n" };
    expect(rowsOf(input)).toContain("  path  │ a.ts");
    expect(diffOf(input)).toEqual(["diff  │ one", "- two", "+ 2", "│ three", "+"]);
  });

  test("of a new file has added lines only", () => {
    expect(diffOf({ path: "a", oldText: null, newText: "x\ny" })).toEqual(["diff  + x", "+ y"]);
  });

  test("is shown per element of a list, beside its other keys", () => {
    const edits = [{ old_string: "a", new_string: "b", replace_all: true }];
    const rows = rowsOf({ file_path: "x", edits });
    expect(rows.map((row) => row.trim())).toEqual(
      expect.arrayContaining(["edits[0].replace_all = true", "edits[0].diff        - a", "+ b"]),
    );
  });

  test.for([
    [{ oldText: "a", newText: "b", diff: "mine" }],
    [{ oldText: "a", old_string: "c", newText: "b" }],
    [{ oldText: 5, newText: "b" }],
    [{ oldText: "a" }],
  ])("that could be read in two ways stays as it is: %j", ([input]) => {
    const rows = rowsOf(input).join("\n");
    for (const key of Object.keys(input ?? {}))
      expect(rows).toMatch(new RegExp(`^ {2}(input\\.)?${key}\\b`, "m"));
  });

  test("is one line without a terminal", () => {
    const line = askedInFull(anApproval({ input: { oldText: "a\nb", newText: "c" } }));
    expect(line).toContain('diff: "a\\nb" → "c"');
  });

  test("has hidden characters spelled out", () => {
    expect(diffOf({ oldText: "a", newText: "a\u202eb" })).toContain("+ a⟨U+202E⟩b");
  });
});

describe("permit", () => {
  test("shows the options, the age and the time left of each", async () => {
    const createdAt = new Date(Date.now() - 180_000).toISOString();
    t.server.interactions = [
      anApproval({ createdAt, remainingMs: 7 * 60_000 }),
      anApproval({ id: "int_2", createdAt, scopes: ["once"] }),
      aQuestion({ createdAt, deadline: new Date(Date.now() - 1000).toISOString() }),
    ];
    const { stdout } = await t.run("permit");
    expect(stdout).toContain(
      "int_01hv0000000000000000000001  brave-otter  approval  3 min ago, 7 min left\n",
    );
    expect(stdout).toContain(
      "  Options: allow once · allow npm test for this session (--scope session) · deny\n",
    );
    expect(stdout).toContain("int_2  brave-otter  approval  3 min ago\n");
    expect(stdout).toContain("  Options: allow once · deny\n");
    expect(stdout).toContain("question  3 min ago, expiring now\n");
    expect(stdout).toMatch(/option +│ Dark blue/);
  });

  test("and show print the time left beside what is asked", async () => {
    t.server.interactions = [anApproval({ remainingMs: 59_500 })];
    expect((await t.run("show", "brave-otter")).stdout).toContain("asks (1 min left):");
    expect(timeLeft(anApproval())).toBeUndefined();
  });

  test("says so if nothing is open", async () => {
    expect(await t.run("permit")).toEqual({ code: 0, stdout: "", stderr: "You're all caught up.\n" });
  });
});
