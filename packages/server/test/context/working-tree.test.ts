import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commit, git, gitLines, repository, write } from "./support.ts";

test("C1 every call reads the current state", async () => {
  await using directory = await repository();
  expect(await gitLines(directory.path)).toContain("Working tree: clean");
  await write(directory.path, { "new.txt": "" });
  expect(await gitLines(directory.path)).toContain("Working tree: dirty (1 untracked)");
  await git(directory.path, "switch", "-q", "-c", "other");
  expect(await gitLines(directory.path)).toContain("Current branch: other");
});

test("C1 ignored files leave the working tree clean, and so does a subdirectory as working directory", async () => {
  await using directory = await repository();
  await commit(directory.path, { ".gitignore": "*.log\n" });
  await mkdir(join(directory.path, "below"));
  await write(directory.path, { "a.log": "", "below/b.log": "" });
  expect(await gitLines(join(directory.path, "below"))).toContain("Working tree: clean");
});

describe("C2 the working tree counts", () => {
  test("only existing changes: zeros are left out", async () => {
    await using directory = await repository();
    await write(directory.path, { "tracked.txt": "changed\n" });
    expect(await gitLines(directory.path)).toContain("Working tree: dirty (1 modified)");
    await git(directory.path, "add", "-A");
    expect(await gitLines(directory.path)).toContain("Working tree: dirty (1 staged)");
  });

  test("a staged file that was changed again in both, and so an added file that was deleted again", async () => {
    await using directory = await repository();
    await write(directory.path, { "tracked.txt": "second\n", "added.txt": "added\n" });
    await git(directory.path, "add", "-A");
    await write(directory.path, { "tracked.txt": "third\n" });
    await rm(join(directory.path, "added.txt"));
    expect(await gitLines(directory.path)).toContain("Working tree: dirty (2 modified, 2 staged)");
  });

  test("a rename as one staged file, whatever the file was called", async () => {
    await using directory = await repository();
    await commit(directory.path, { "?? a": "some content to be known again by\n" });
    await git(directory.path, "mv", "--", "?? a", "UU b");
    expect(await gitLines(directory.path)).toContain("Working tree: dirty (1 staged)");
  });

  test("each kind of change, and an untracked directory as one entry", async () => {
    await using directory = await repository();
    await commit(directory.path, { "one.txt": "1\n", "two.txt": "2\n", "three.txt": "3\n" });
    await write(directory.path, { "one.txt": "changed\n", "two.txt": "staged\n" });
    await git(directory.path, "add", "two.txt");
    await rm(join(directory.path, "three.txt"));
    await mkdir(join(directory.path, "new"));
    await write(directory.path, { "new/a": "", "new/b": "", "x\ny": "", "z ü": "" });
    expect(await gitLines(directory.path)).toContain(
      "Working tree: dirty (2 modified, 1 staged, 3 untracked)",
    );
  });

  test("a conflict only as conflicted", async () => {
    await using directory = await repository();
    await git(directory.path, "switch", "-q", "-c", "theirs");
    await commit(directory.path, { "tracked.txt": "theirs\n", "both.txt": "theirs\n" });
    await git(directory.path, "switch", "-q", "main");
    await commit(directory.path, { "tracked.txt": "ours\n", "both.txt": "ours\n" });
    await expect(git(directory.path, "merge", "theirs")).rejects.toThrow();
    expect(await git(directory.path, "status", "--porcelain")).toBe("AA both.txt\nUU tracked.txt");
    expect(await gitLines(directory.path)).toContain("Working tree: dirty (2 conflicted)");
  });
});
