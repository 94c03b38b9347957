import type { Item } from "@drover/core";
import { applyPatch, parsePatch, reversePatch, type StructuredPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DiffParser, type FileDiff } from "../src/changes/diff-parse.ts";
import { pathsOf } from "../src/changes/diff-source.ts";
import { labelHunks, reveal, revealsOf } from "../src/changes/hunks.ts";
import { editorCommand, editorHref } from "../src/editor/editor.ts";
import { bytesWords } from "../src/format/bytes.ts";
import { arrange } from "../src/transcript/entries.ts";
import { undoneTurns } from "../src/transcript/undone.ts";
import { diffText } from "./fixture/tree.ts";

let seq = 0;
const item = (turnId: string, fields: Partial<Item> = {}): Item => ({
  ...{ id: `itm_${++seq}`, turnId, kind: "changes", status: "complete", at: "2026-01-01T00:00:00Z", seq },
  changes: { files: 1, added: 1, removed: 0 },
  ...fields,
});
const revertOf = (reverts: string, turnId: string, partly?: true) =>
  item(turnId, { changes: { files: 1, added: 0, removed: 1, reverts, ...(partly ? { partly } : {}) } });

function parse(text: string): readonly FileDiff[] {
  const files: FileDiff[] = [];
  const parser = new DiffParser((file) => files.push(file), { keepsPatches: true });
  parser.push(text);
  parser.end();
  return files;
}
const patchesOf = ({ rows }: FileDiff) => rows.flatMap(({ hunk }) => hunk?.patch ?? []);

describe("undone turns", () => {
  test("are those with a revert that was not reverted itself", () => {
    const first = [item("a"), item("b"), revertOf("a", "r1")];
    expect([...undoneTurns(first).by]).toEqual([["a", "r1"]]);
    const redone = undoneTurns([...first, revertOf("r1", "r2")]);
    expect([...redone.by]).toEqual([["r1", "r2"]]);
    expect([...redone.redone]).toEqual(["r2"]);
    const again = undoneTurns([...first, revertOf("r1", "r2"), revertOf("r2", "r3")]);
    expect([...again.by.keys()].sort()).toEqual(["a", "r2"]);
    expect([...again.redone]).toEqual(["r2"]);
  });

  test("do not include those of which only some files were reverted", () => {
    expect(undoneTurns([item("a"), revertOf("a", "r1", true)]).by.size).toBe(0);
  });

  test("are shown where they end, even if the next turn began first", () => {
    const items = [
      item("a", { kind: "user" }),
      item("a", { kind: "text" }),
      item("b", { kind: "user" }),
      item("a"),
      revertOf("a", "r1"),
    ];
    const shown = arrange(items, []).map((entry) => (entry.type === "item" ? entry.item : undefined));
    expect(shown.map((each) => `${each?.turnId} ${each?.kind}`)).toEqual([
      "a user",
      "a text",
      "a changes",
      "b user",
      "r1 changes",
    ]);
  });
});

describe("a hunk's patch", () => {
  const before = Array.from({ length: 40 }, (_, i) => `${i}`);

  test("takes back that hunk alone, whatever its lines look like", () => {
    const line = fc.constantFrom("-- x", "++ y", "@@ z", "\\ w", "", "\tt", "ä\r");
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 6 }), line, (places, text) => {
        const now = before.map((old, i) => (places.includes(i) ? `${text}${i}` : old));
        const [old, changed] = [before.join("\n"), `${now.join("\n")}\n`];
        const [file] = parse(diffText([{ f: old }, { f: changed }], undefined));
        const patches = file ? patchesOf(file) : [];
        const reverse = (content: string, patch: string) => {
          const [parsed] = parsePatch(patch);
          const result = applyPatch(content, reversePatch(parsed as StructuredPatch));
          if (result === false) throw new Error(`does not apply: ${patch}`);
          return result;
        };
        // From the end, as the numbers of later lines change.
        const restored = patches.toReversed().reduce(reverse, changed);
        expect(restored).toBe(patches.length > 0 ? old : changed);
      }),
    );
  });

  test("exists only where a file has several hunks and no other change", () => {
    const hunks = "@@ -1 +1 @@\n-a\n+b\n@@ -10 +10 @@\n-c\n+d\n";
    const names = "--- a/f\n+++ b/f\n";
    const [plain] = parse(`diff --git a/f b/f\nindex 1..2 100644\n${names}${hunks}`);
    expect(plain && patchesOf(plain)).toHaveLength(2);
    expect(plain && patchesOf(plain)[1]).toBe(`diff --git a/f b/f\n${names}@@ -10 +10 @@\n-c\n+d\n`);
    const [renamed] = parse(
      `diff --git a/e b/f\nsimilarity index 90%\nrename from e\nrename to f\n${names}${hunks}`,
    );
    expect(renamed && patchesOf(renamed)).toEqual([]);
    const [single] = parse(`diff --git a/f b/f\n${names}@@ -1 +1 @@\n-a\n+b\n`);
    expect(single && patchesOf(single)).toEqual([]);
  });

  test("stays when the lines above it are revealed", () => {
    const [file] = parse(`diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n-c\n+d\n`);
    const rows = labelHunks(reveal(file?.rows ?? [], { lines: new Map([[2, "two"]]) }));
    const heads = rows.flatMap(({ hunk, text }) => (hunk ? [{ hunk, text }] : []));
    expect(heads.map(({ text }) => text)).toEqual(["Lines 1–2", "Line 3"]);
    expect(heads.flatMap(({ hunk }) => revealsOf(hunk))).toEqual([]);
  });
});

test("a renamed file is taken back under both names", () => {
  const file = { path: "new", from: "old", added: 0, removed: 0 };
  expect(pathsOf({ ...file, status: "renamed" })).toEqual(["old", "new"]);
  expect(pathsOf({ ...file, status: "copied" })).toEqual(["new"]);
});

test("an editor's address keeps names with spaces and signs apart from the line", () => {
  expect(editorHref("vscode", "/home/ada/my notes/#1.md", 12)).toBe(
    "vscode://file/home/ada/my%20notes/%231.md:12",
  );
  expect(editorHref("zed", "/a.ts")).toBe("zed://file/a.ts");
  expect(editorHref("off", "/a.ts")).toBeUndefined();
  expect(editorHref("terminal", "/a.ts")).toBeUndefined();
});

test("an editor's command quotes names for the shell", () => {
  expect(editorCommand("/home/ada/it's $HOME.md", 12)).toBe(
    `\${EDITOR:-vi} +12 '/home/ada/it'\\''s $HOME.md'`,
  );
  expect(editorCommand("/a.ts")).toBe(`\${EDITOR:-vi} /a.ts`);
});

test("sizes are rounded to what people compare", () => {
  expect([0, 999, 1500, 20_400_000, 3.21e9].map(bytesWords)).toEqual([
    "0 B",
    "999 B",
    "1.5 KB",
    "20 MB",
    "3.2 GB",
  ]);
});
