import { mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { commit, git, repository, write } from "../context/support.ts";
import { changesIn, diffOf, filesIn } from "./support.ts";

const many = (count: number, from = 1) =>
  Array.from({ length: count }, (_, i) => `line ${from + i}\n`).join("");

describe("the changed files of a workspace", () => {
  test("are those that differ from the last commit, staged or not, with lines added and removed", async () => {
    await using directory = await repository();
    await commit(directory.path, { "gone.txt": "a\nb\n", "kept.txt": "same\n" });
    await write(directory.path, { "tracked.txt": "first\nsecond\nthird\n", "new.txt": "1\n2\n" });
    await write(directory.path, { "staged.txt": "s\n" });
    await git(directory.path, "add", "staged.txt");
    await write(directory.path, { "staged.txt": "s\nand again\n" });
    await rm(join(directory.path, "gone.txt"));
    expect(await filesIn(directory.path)).toEqual([
      "deleted gone.txt +0 -2",
      "untracked new.txt +2 -0",
      "added staged.txt +2 -0 staged",
      "modified tracked.txt +2 -0",
    ]);
    expect(await changesIn(directory.path)).toMatchObject({ versioned: true, branch: "main" });
  });

  test("are none if it is clean, and the branch is absent while HEAD is detached", async () => {
    await using directory = await repository("trunk");
    const base = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(await changesIn(directory.path)).toEqual({ versioned: true, branch: "trunk", base, files: [] });
    await git(directory.path, "checkout", "-q", "--detach");
    expect(await changesIn(directory.path)).toEqual({ versioned: true, base, files: [] });
  });

  test("are all of them before the first commit", async () => {
    await using directory = await tempDir();
    await git(directory.path, "init", "-q", "-b", "main");
    await write(directory.path, { "a.txt": "a\n", "b.txt": "b\nb\n" });
    await git(directory.path, "add", "b.txt");
    expect(await changesIn(directory.path)).toMatchObject({ branch: "main" });
    expect(await filesIn(directory.path)).toEqual(["untracked a.txt +1 -0", "added b.txt +2 -0"]);
    expect(await diffOf(directory.path)).toContain("+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n");
  });

  test("are listed no matter how long their diff is", async () => {
    await using directory = await repository();
    await write(directory.path, { "long.txt": "x\n".repeat(9 * 1024 * 1024) });
    expect(await filesIn(directory.path)).toEqual([`untracked long.txt +${9 * 1024 * 1024} -0`]);
  });

  test("are unknown outside a repository", async () => {
    await using directory = await tempDir();
    expect(await changesIn(directory.path)).toEqual({ versioned: false, files: [] });
  });

  test.each([
    ["spaces", "two words.txt"],
    ["a newline", "two\nlines.txt"],
    ["a tab and quotes", 'a\t"quoted" \\name.txt'],
    ["other scripts", "Zürich 東京 🐑.txt"],
    ["pathspec characters", ":(top)*[a].txt"],
    ["a leading dash", "-n.txt"],
    ["markup", '<img src=x onerror="alert(1)">.txt'],
  ])("may have %s in their names, and each one's diff is found by its name", async (_, name) => {
    await using directory = await repository();
    await write(directory.path, { [name]: "words\n", "beside.txt": "other\n" });
    expect(await filesIn(directory.path)).toContain(`untracked ${name} +1 -0`);
    const diff = await diffOf(directory.path, name);
    expect(diff).toContain("\n+words\n");
    expect(diff).not.toContain("other");
    await git(directory.path, "add", "-A");
    expect(await filesIn(directory.path)).toContain(`added ${name} +1 -0`);
    expect(await diffOf(directory.path, name)).toBe(diff);
  });

  test("that moved are renamed, with or without git mv", async () => {
    await using directory = await repository();
    await mkdir(join(directory.path, "deep er"));
    await commit(directory.path, { "old.txt": many(20), "staged.txt": many(20, 100) });
    await git(directory.path, "mv", "staged.txt", "was staged.txt");
    await rename(join(directory.path, "old.txt"), join(directory.path, "deep er", "new.txt"));
    await write(join(directory.path, "deep er"), { "new.txt": `${many(20)}more\n` });
    expect(await filesIn(directory.path)).toEqual([
      "renamed deep er/new.txt (was old.txt) +1 -0",
      "renamed was staged.txt (was staged.txt) +0 -0",
    ]);
    const diff = await diffOf(directory.path, "deep er/new.txt");
    expect(diff).toContain("rename from old.txt\nrename to deep er/new.txt\n");
    expect(diff.match(/^[+-](?![+-])/gm)).toEqual(["+"]);
  });

  test("may be binary files, links or mode changes", async () => {
    await using directory = await repository();
    await commit(directory.path, { "image.bin": "\0\x01", "run.sh": "echo\n" });
    await write(directory.path, { "image.bin": "\0\x02\x03", "new.bin": "a\0b" });
    await symlink("/etc/passwd", join(directory.path, "link"));
    await git(directory.path, "update-index", "--chmod=+x", "run.sh");
    expect(await filesIn(directory.path)).toEqual([
      "modified image.bin +0 -0 binary",
      "untracked link +1 -0",
      "untracked new.bin +0 -0 binary",
      "modified run.sh +0 -0 staged",
    ]);
    expect(await diffOf(directory.path, "link")).toContain("\n+/etc/passwd\n\\ No newline");
    expect(await diffOf(directory.path, "image.bin")).toContain("Binary files a/image.bin and b/image.bin");
  });

  test("are conflicted until the conflict is resolved, even if the working copy equals one side", async () => {
    await using directory = await repository();
    await commit(directory.path, { "other.txt": "base\n" });
    await git(directory.path, "checkout", "-q", "-b", "theirs");
    await commit(directory.path, { "tracked.txt": "theirs\n" });
    await git(directory.path, "rm", "-q", "other.txt");
    await git(directory.path, "commit", "-q", "-m", "gone");
    await git(directory.path, "checkout", "-q", "main");
    await commit(directory.path, { "tracked.txt": "ours\n", "other.txt": "ours\n" });
    await git(directory.path, "merge", "theirs").catch(() => undefined);
    expect(await filesIn(directory.path)).toEqual([
      "conflicted other.txt +0 -0",
      "conflicted tracked.txt +4 -0",
    ]);
    expect(await diffOf(directory.path, "tracked.txt")).toContain("+<<<<<<< HEAD");
  });

  test("H3 include a submodule or other nested repository only as its commit", async () => {
    await using library = await repository();
    await using directory = await repository();
    await git(
      directory.path,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "-q",
      "add",
      library.path,
      "lib",
    );
    await git(directory.path, "commit", "-q", "-m", "a submodule");
    await write(join(directory.path, "lib"), { "tracked.txt": "dirty\n" });
    await mkdir(join(directory.path, "inner"));
    await git(join(directory.path, "inner"), "init", "-q");
    await write(join(directory.path, "inner"), { "its-own.txt": "x\n" });
    expect(await filesIn(directory.path)).toEqual(["untracked inner +1 -0"]);
    await git(join(directory.path, "lib"), "commit", "-q", "-a", "-m", "further");
    expect(await filesIn(directory.path)).toEqual(["untracked inner +1 -0", "modified lib +1 -1"]);
    expect(await diffOf(directory.path)).toContain("+Subproject commit ");
  });

  test("are those below the workspace if it is part of a repository, with paths relative to it", async () => {
    await using directory = await repository();
    const part = join(directory.path, "part");
    await mkdir(join(part, "in"), { recursive: true });
    await commit(directory.path, { "part/in/a.txt": "a\n" });
    await write(directory.path, {
      "part/in/a.txt": "b\n",
      "part/new.txt": "n\n",
      "tracked.txt": "changed\n",
    });
    expect(await filesIn(part)).toEqual(["modified in/a.txt +1 -1", "untracked new.txt +1 -0"]);
    const diff = await diffOf(part);
    expect(diff).toContain("diff --git a/in/a.txt b/in/a.txt");
    expect(diff).not.toContain("tracked.txt");
    expect(await diffOf(part, "in/a.txt")).toContain("-a\n+b\n");
    expect(await diffOf(part, join(part, "new.txt"))).toContain("+n\n");
  });

  test("don't include ignored ones", async () => {
    await using directory = await repository();
    await commit(directory.path, { ".gitignore": "*.log\n" });
    await write(directory.path, { "a.log": "x\n" });
    expect(await filesIn(directory.path)).toEqual([]);
  });

  test("are found even if they changed in the second the index was written, at the same length", async () => {
    await using directory = await repository();
    await commit(directory.path, { "fast.txt": "1111\n" });
    await write(directory.path, { "fast.txt": "2222\n", "new.txt": "n\n" });
    expect(await filesIn(directory.path)).toEqual(["modified fast.txt +1 -1", "untracked new.txt +1 -0"]);
  });

  test("H2 are read without writing anything into the repository", async () => {
    await using directory = await repository();
    await write(directory.path, { "new.txt": "n\n", "tracked.txt": "changed\n" });
    const index = await readFile(join(directory.path, ".git/index"));
    const objects = await git(directory.path, "count-objects");
    await changesIn(directory.path);
    await diffOf(directory.path);
    expect(await readFile(join(directory.path, ".git/index"))).toEqual(index);
    expect(await git(directory.path, "count-objects")).toBe(objects);
  });
});
