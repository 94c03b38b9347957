import { type ChangedFile, err, ok, stagedHeading, type WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { ChangeSet } from "../src/changes/change-set.ts";
import type { DiffSource } from "../src/changes/diff-source.ts";

const file = (path: string, added: number): ChangedFile => ({
  path,
  status: "modified",
  added,
  removed: 0,
});
const changes = (files: readonly ChangedFile[]): WorkspaceChanges => ({
  path: "/shop",
  mode: "local",
  versioned: true,
  files: [...files],
});
const diffOf = (path: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n one\n+two\n`;

/** A source of changes that are nowhere on a disk. */
function source(files: readonly ChangedFile[]) {
  const asked: (string | undefined)[] = [];
  const made: DiffSource = {
    id: "anything",
    load: async () => ok(changes(files)),
    loadDiff: async (path, { onText }) => {
      asked.push(path);
      for (const one of path === undefined ? files.map((each) => each.path) : [path]) onText(diffOf(one));
      return ok(true);
    },
    loadLines: async ({ path }, { from }) => ok({ path, side: "before", from, total: 1, lines: ["one"] }),
    subscribe: () => () => undefined,
  };
  return { made, asked };
}

const linesOf = (set: ChangeSet) =>
  set.state.get().files.map(({ path, rows }) => [path, rows?.map(({ kind }) => kind).join(" ")]);

test("few changed lines of any source are loaded at once", async () => {
  const { made, asked } = source([file("a", 1), file("b", 1)]);
  const set = new ChangeSet(made);
  await set.refresh();
  expect(asked).toEqual([undefined]);
  expect(linesOf(set)).toEqual([
    ["a", "context added"],
    ["b", "context added"],
  ]);
});

test("of many changed lines those are loaded that somebody looks at", async () => {
  const { made, asked } = source([file("a", 9_000), file("b", 9_000)]);
  const set = new ChangeSet(made);
  await set.refresh();
  expect(asked).toEqual([]);
  set.want(["b"]);
  await expect
    .poll(() => linesOf(set))
    .toEqual([
      ["a", undefined],
      ["b", "context added"],
    ]);
  expect(asked).toEqual(["b"]);
});

test("a source that fails is a problem to show, and the next refresh clears it", async () => {
  const { made } = source([]);
  const problem = { code: "BROKEN", message: "It is broken." };
  let works = false;
  const set = new ChangeSet({ ...made, load: async () => (works ? made.load() : err(problem)) });
  await set.refresh();
  expect(set.state.get()).toEqual({ files: [], busy: false, problem });
  works = true;
  await set.refresh();
  expect(set.state.get()).toMatchObject({ files: [], busy: false, changes: { path: "/shop" } });
  expect(set.state.get().problem).toBeUndefined();
});

test("a file that is staged differently shows both versions, the staged one below a note", async () => {
  const { made } = source([{ ...file("a", 1), staged: true }]);
  const loadDiff: DiffSource["loadDiff"] = async (_path, { onText }) => {
    onText(`${diffOf("a")}${stagedHeading}\n${diffOf("a")}`);
    return ok(true);
  };
  const set = new ChangeSet({ ...made, loadDiff });
  await set.refresh();
  expect(linesOf(set)).toEqual([["a", "context added note context added"]]);
});
