import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

test("V1 a dry run includes committed, uncommitted and untracked work, but no ignored files", async () => {
  await using at = await MergeStage.open();
  await at.stage.git("checkout", "-q", "--detach");
  expect(await at.tried()).toEqual({ into: "main", mergeable: true, conflicts: [], ahead: 0, behind: 0 });
  await at.commit({ "committed.txt": "one\n", ".gitignore": "*.log\n" });
  await at.write({ "debug.log": "log\n" });
  expect(await at.tried()).toMatchObject({ ahead: 1 });
  await at.write({ "tracked.txt": "mine\n", "untracked.txt": "mine\n" });
  expect(await at.tried()).toMatchObject({ mergeable: true, ahead: 2, behind: 0 });
  await at.stage.git("checkout", "-q", "main");
  await at.commitMain({ "tracked.txt": "theirs\n", "untracked.txt": "theirs\n", "debug.log": "theirs\n" });
  expect(await at.tried()).toEqual({
    ...{ into: "main", mergeable: false, conflicts: ["tracked.txt", "untracked.txt"], ahead: 2, behind: 1 },
    checkout: { path: at.stage.top, inTheWay: [] },
  });
});

test("W12 a dry run changes no ref, index, object or file, with and without conflicts", async () => {
  await using at = await MergeStage.open();
  await at.commit({ "new.txt": "new\n" });
  await at.commitMain({ "other.txt": "other\n" });
  await at.write({ "untracked.txt": "mine\n", "folder/inner.txt": "changed\n" });
  await at.stage.gitIn(at.tree, "add", "folder/inner.txt");
  await at.writeMain({ "untracked.txt": "in the way\n" });
  const before = at.everything();
  expect(await at.tried()).toMatchObject({ mergeable: true, checkout: { inTheWay: ["untracked.txt"] } });
  expect(at.everything()).toEqual(before);
  await at.commitMain({ "new.txt": "theirs\n" });
  const again = at.everything();
  expect(again).not.toEqual(before);
  expect(await at.tried()).toMatchObject({ conflicts: ["new.txt", "untracked.txt"] });
  expect(await at.commits()).toMatchObject({ ok: true });
  expect(at.everything()).toEqual(again);
});

test("conflicts have their exact names, whatever these contain", async () => {
  await using at = await MergeStage.open();
  const names = ["a b.txt", "caf\xe9.txt", 'line\n"break', "\xc3\xa4/ö"];
  const files = (text: string) => Object.fromEntries(names.map((name) => [name, `${text}\n`]));
  await at.commitMain(files("theirs"));
  await at.write(files("mine"));
  expect((await at.tried()).conflicts.toSorted()).toEqual(
    ["a b.txt", "caf⟨0xE9⟩.txt", 'line\n"break', "ä/⟨0xF6⟩"].toSorted(),
  );
});

describe("of the checkout, in the way is", () => {
  test("nothing while it is clean", async () => {
    await using at = await MergeStage.open();
    await at.write({ "tracked.txt": "mine\n", "new.txt": "mine\n" });
    expect(await at.inTheWay()).toEqual([]);
  });

  test("nothing that the merge does not touch", async () => {
    await using at = await MergeStage.open();
    await at.write({ "tracked.txt": "mine\n" });
    await at.writeMain({ "folder/inner.txt": "dirty\n", "loose.txt": "loose\n" });
    expect(await at.inTheWay()).toEqual([]);
  });

  test("a changed file, staged or not", async () => {
    await using at = await MergeStage.open();
    await at.write({ "tracked.txt": "mine\n", "folder/inner.txt": "mine\n", "new.txt": "mine\n" });
    await at.writeMain({ "tracked.txt": "dirty\n", "folder/inner.txt": "staged\n", "new.txt": "added\n" });
    await at.stage.git("add", "folder/inner.txt", "new.txt");
    expect(await at.inTheWay()).toEqual(["folder/inner.txt", "new.txt", "tracked.txt"]);
  });

  test("an untracked file, also in place of a directory", async () => {
    await using at = await MergeStage.open();
    await at.write({ "new.txt": "mine\n", "deep/er/new.txt": "mine\n", "caf\xe9": "mine\n" });
    await at.writeMain({ "new.txt": "loose\n", deep: "loose\n", "caf\xe9": "loose\n" });
    expect(await at.inTheWay()).toEqual(["caf⟨0xE9⟩", "deep", "new.txt"]);
  });

  test("an ignored file, also below a directory that becomes a file", async () => {
    await using at = await MergeStage.open();
    await mkdir(at.stage.path(".git/info"), { recursive: true });
    await writeFile(at.stage.path(".git/info/exclude"), "*.log\n");
    await at.write({ "place.txt": "mine\n" });
    await at.commit({ "build.log": "mine\n" });
    await at.stage.gitIn(at.tree, "add", "-f", "build.log");
    await at.stage.gitIn(at.tree, "commit", "-q", "-m", "forced");
    await at.writeMain({ "build.log": "ignored\n", "place.txt/own.log": "ignored\n" });
    expect(await at.inTheWay()).toEqual(["build.log", "place.txt/"]);
  });

  test("a changed file below a directory that becomes a file, but not an unchanged one", async () => {
    await using at = await MergeStage.open();
    await rm(join(at.tree, "folder"), { recursive: true });
    await at.write({ folder: "now a file\n" });
    expect(await at.inTheWay()).toEqual([]);
    await at.writeMain({ "folder/staged.txt": "mine\n" });
    await at.stage.git("add", "folder/staged.txt");
    expect(await at.inTheWay()).toEqual(["folder/staged.txt"]);
  });
});

test("the checkout may be another worktree; one that is gone does not count", async () => {
  await using at = await MergeStage.open();
  await at.stage.git("branch", "release");
  await at.write({ "tracked.txt": "mine\n" });
  expect(await at.tried("release")).not.toHaveProperty("checkout");
  const other = at.stage.beside("other tree");
  await at.stage.git("worktree", "add", "-q", other, "release");
  await writeFile(join(other, "tracked.txt"), "dirty\n");
  expect(await at.tried("release")).toMatchObject({
    checkout: { path: other, inTheWay: ["tracked.txt"] },
  });
  await rm(other, { recursive: true });
  expect(await at.tried("release")).not.toHaveProperty("checkout");
});

test("the target is the branch of the base; without one, it has to be named and must exist", async () => {
  await using at = await MergeStage.open();
  await at.stage.git("checkout", "-q", "-b", "elsewhere");
  await at.stage.git("tag", "v1");
  const base = (ref: string) => ({ ...at.workspace, base: { ref, commit: at.workspace.base?.commit ?? "" } });
  expect(await at.ask(undefined, base("refs/heads/main"))).toMatchObject({ value: { into: "main" } });
  const unnamed = { error: { code: "BAD_REQUEST", facts: { issues: [{ path: "into" }] } } };
  for (const ref of ["v1", "HEAD", at.workspace.base?.commit ?? ""])
    expect(await at.ask(undefined, base(ref))).toMatchObject(unnamed);
  expect(await at.ask("drover/fox")).toMatchObject(unnamed);
  for (const name of ["v1", "mai", "mai*", "no such\nbranch"])
    expect(await at.ask(name)).toMatchObject({ error: { code: "NOT_FOUND", facts: { what: "branch" } } });
  await at.stage.git("branch", "-q", "-D", "main");
  expect(await at.ask()).toMatchObject(unnamed);
  expect(await at.ask("main")).toMatchObject({ error: { code: "NOT_FOUND" } });
});

test("a session in a directory of its own user is refused", async () => {
  await using at = await MergeStage.open();
  const refused = { error: { code: "UNSUPPORTED", facts: { what: "worktree" } } };
  expect(await at.ask("main", at.local)).toMatchObject(refused);
  expect(await at.commits(at.local)).toMatchObject(refused);
});

test("a git older than 2.38, unrelated histories and unfinished merges are refused", async () => {
  await using at = await MergeStage.open();
  await at.stage.git("checkout", "-q", "--orphan", "unrelated");
  await at.stage.git("commit", "-q", "-m", "unrelated");
  expect(await at.ask("unrelated")).toMatchObject({
    error: { code: "UNSUPPORTED", facts: { what: "merge" } },
  });
  const usual = at.path;
  await at.meddle(`for each; do
  [ "$each" = --write-tree ] && exit 129
  [ "$each" = version ] && echo git version 2.37.9 && exit
done`);
  expect(await at.ask("main")).toMatchObject({
    error: { code: "UNSUPPORTED", message: expect.stringContaining("2.37.9"), facts: { what: "git" } },
  });
  at.path = usual;
  await writeFile(at.stage.path(".git/worktrees/fox/MERGE_HEAD"), "");
  expect(await at.ask("main")).toMatchObject({
    error: { code: "COMMIT_REFUSED", facts: { reason: "merge" } },
  });
});

test("no merge driver and no filter of the repository runs, and no attribute hides a conflict", async () => {
  await using at = await MergeStage.open();
  const trap = await at.stage.trap("cat");
  await at.stage.set({
    "merge.evil.driver": `${trap} %A`,
    "filter.evil.clean": trap,
    "filter.evil.smudge": trap,
  });
  await at.commit({ ".gitattributes": "*.txt merge=evil\n*.union merge=union\n", "a.union": "mine\n" });
  await at.commitMain({ "tracked.txt": "theirs\n", "a.union": "theirs\n" });
  await at.write({ "tracked.txt": "mine\n" });
  expect((await at.tried()).conflicts).toEqual(["a.union", "tracked.txt"]);
  await at.write({ ".gitattributes": "*.txt filter=evil\n" });
  expect(await at.ask()).toMatchObject({
    error: { code: "COMMIT_REFUSED", facts: { reason: "filter", files: ["tracked.txt"] } },
  });
  expect(at.stage.hasSprung).toBe(false);
  await at.stage.gitIn(at.tree, "add", "tracked.txt");
  expect(at.stage.hasSprung).toBe(true);
});

test("the history of a shallow clone ends where the clone does", async () => {
  await using at = await MergeStage.open();
  await at.commitMain({ "old.txt": "old\n" });
  const oldest = await at.stage.git("rev-parse", "main");
  await at.stage.gitIn(at.tree, "reset", "-q", "--hard", "main");
  await writeFile(at.stage.path(".git/shallow"), `${oldest}\n`);
  const parent = at.workspace.base?.commit ?? "";
  await rm(at.stage.path(`.git/objects/${parent.slice(0, 2)}/${parent.slice(2)}`));
  await at.commit({ "new.txt": "new\n" });
  expect(await at.tried()).toMatchObject({ mergeable: true, ahead: 1, behind: 0 });
});

test("V1 the commits beyond the base are listed, newest first, and no more than 200", async () => {
  await using at = await MergeStage.open();
  expect(await at.commits()).toEqual({ ok: true, value: { commits: [] } });
  await at.commit({ "a.txt": "a\n" }, "First ä\n\nBody");
  await at.commit({ "b.txt": "b\n" }, "Second  |\tone");
  const id = await at.stage.gitIn(at.tree, "rev-parse", "HEAD");
  const time = await at.stage.gitIn(at.tree, "log", "-1", "--format=%at");
  const author = await at.stage.gitIn(at.tree, "log", "-1", "--format=%an");
  expect(await at.commits()).toMatchObject({
    value: {
      commits: [
        { id, author, subject: "Second  |\tone", at: new Date(Number(time) * 1000).toISOString() },
        { subject: "First ä" },
      ],
    },
  });
  let tip = id;
  for (let n = 0; n < 199; n++)
    tip = await at.stage.gitIn(at.tree, "commit-tree", "-p", tip, "-m", `${n}`, "HEAD^{tree}");
  await at.stage.gitIn(at.tree, "update-ref", "HEAD", tip);
  const found = await at.commits();
  expect(found).toMatchObject({ value: { incomplete: true } });
  expect(found.ok && found.value.commits.map(({ subject }) => subject).slice(0, 2)).toEqual(["198", "197"]);
  expect(found.ok && found.value.commits.length).toBe(200);
});
