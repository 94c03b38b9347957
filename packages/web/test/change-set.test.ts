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

/** A fakeSource of changes without a disk. */
function fakeSource(files: readonly ChangedFile[]) {
  const requested: (string | undefined)[] = [];
  const source: DiffSource = {
    id: "anything",
    load: async () => ok(changes(files)),
    loadDiff: async (path, { onText }) => {
      requested.push(path);
      for (const one of path === undefined ? files.map((each) => each.path) : [path]) onText(diffOf(one));
      return ok(true);
    },
    loadLines: async ({ path }, { from }) => ok({ path, side: "before", from, total: 1, lines: ["one"] }),
    subscribe: () => () => undefined,
  };
  return { source, requested };
}

const linesOf = (set: ChangeSet) =>
  set.state.get().files.map(({ path, rows }) => [path, rows?.map(({ kind }) => kind).join(" ")]);

test("a small diff from any fakeSource is loaded at once", async () => {
  const { source, requested } = fakeSource([file("a", 1), file("b", 1)]);
  const set = new ChangeSet(source);
  await set.refresh();
  expect(requested).toEqual([undefined]);
  expect(linesOf(set)).toEqual([
    ["a", "context added"],
    ["b", "context added"],
  ]);
});

test("of a large diff, only the files in view are loaded", async () => {
  const { source, requested } = fakeSource([file("a", 9_000), file("b", 9_000)]);
  const set = new ChangeSet(source);
  await set.refresh();
  expect(requested).toEqual([]);
  set.want(["b"]);
  await expect
    .poll(() => linesOf(set))
    .toEqual([
      ["a", undefined],
      ["b", "context added"],
    ]);
  expect(requested).toEqual(["b"]);
});

test("a fakeSource that fails is shown as a problem, and the next refresh clears it", async () => {
  const { source } = fakeSource([]);
  const problem = { code: "BROKEN", message: "It is broken." };
  let isFixed = false;
  const set = new ChangeSet({ ...source, load: async () => (isFixed ? source.load() : err(problem)) });
  await set.refresh();
  expect(set.state.get()).toEqual({ files: [], busy: false, problem });
  isFixed = true;
  await set.refresh();
  expect(set.state.get()).toMatchObject({ files: [], busy: false, changes: { path: "/shop" } });
  expect(set.state.get().problem).toBeUndefined();
});

test("a file that is staged differently shows both versions, the staged one below a note", async () => {
  const { source } = fakeSource([{ ...file("a", 1), staged: true }]);
  const loadDiff: DiffSource["loadDiff"] = async (_path, { onText }) => {
    onText(`${diffOf("a")}${stagedHeading}\n${diffOf("a")}`);
    return ok(true);
  };
  const set = new ChangeSet({ ...source, loadDiff });
  await set.refresh();
  expect(linesOf(set)).toEqual([["a", "context added note context added"]]);
});

test("a file that has no changes any more is not requested, though it was in view", async () => {
  const files = [file("a", 9_000)];
  const { source, requested } = fakeSource(files);
  const set = new ChangeSet(source);
  await set.refresh();
  set.want(["a"]);
  await expect.poll(() => linesOf(set)).toEqual([["a", "context added"]]);
  files.length = 0;
  await set.refresh();
  set.want(["a"]);
  expect(requested).toEqual(["a"]);
});
