import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { clone, commit, git, gitLines, repository, write } from "./support.ts";

test("C3 a repository without commits has its branch name", async () => {
  await using directory = await tempDir();
  await git(directory.path, "init", "-q", "-b", "feat/first");
  await write(directory.path, { "a.txt": "" });
  expect(await gitLines(directory.path)).toEqual([
    "Is git repo: true",
    "Current branch: feat/first",
    "Main branch (use for PRs): feat/first",
    "Working tree: dirty (1 untracked)",
  ]);
});

test("C3 a repository without commits has its branch name, and ignores an upstream without commits", async () => {
  await using directory = await tempDir();
  await git(directory.path, "init", "-q", "-b", "trunk");
  await git(directory.path, "remote", "add", "origin", directory.path);
  await git(directory.path, "config", "branch.trunk.remote", "origin");
  await git(directory.path, "config", "branch.trunk.merge", "refs/heads/trunk");
  expect(await git(directory.path, "status", "-sb")).toBe("## No commits yet on trunk...origin/trunk [gone]");
  expect(await gitLines(directory.path)).toEqual([
    "Is git repo: true",
    "Current branch: trunk",
    "Main branch (use for PRs): trunk",
    "Working tree: clean",
  ]);
});

test("C4 a detached HEAD is reported, with HEAD as the current branch", async () => {
  await using directory = await repository();
  await git(directory.path, "switch", "-q", "--detach");
  expect(await gitLines(directory.path)).toEqual([
    "Is git repo: true",
    "Current branch: HEAD",
    "Main branch (use for PRs): main",
    "Detached HEAD: true",
    "Working tree: clean",
  ]);
});

test("C5 commits ahead of and behind the upstream are counted, and zeros are left out", async () => {
  await using origin = await repository();
  await using directory = await clone(origin.path);
  await commit(directory.path, { "a.txt": "a\n" });
  await commit(directory.path, { "b.txt": "b\n" });
  expect(await gitLines(directory.path)).toEqual([
    "Is git repo: true",
    "Current branch: main",
    "Main branch (use for PRs): main",
    "Ahead of origin: 2 commits",
    "Working tree: clean",
  ]);
  await commit(origin.path, { "c.txt": "c\n" });
  await git(directory.path, "fetch", "-q");
  // Turns off counting in a person's git status, but must have no effect here.
  await git(directory.path, "config", "status.aheadBehind", "false");
  const both = await gitLines(directory.path);
  expect(both.slice(3, 5)).toEqual(["Ahead of origin: 2 commits", "Behind origin: 1 commits"]);
  await git(directory.path, "reset", "-q", "--hard", "HEAD~2");
  const behind = await gitLines(directory.path);
  expect(behind.slice(3)).toEqual(["Behind origin: 1 commits", "Working tree: clean"]);
});

describe("C5 a branch has its full name", () => {
  test.for(["v1.2.x", "fix(ui)]{a}", "a.b/c.d", "ünï/分支", "HEAD", "a\u00a0b", "(no]"])(
    "%s",
    async (name) => {
      await using origin = await repository();
      await git(origin.path, "update-ref", `refs/heads/${name}`, "HEAD");
      await using directory = await clone(origin.path);
      await git(directory.path, "update-ref", `refs/heads/${name}`, "HEAD");
      await git(directory.path, "symbolic-ref", "HEAD", `refs/heads/${name}`);
      await git(directory.path, "config", `branch.${name}.remote`, "origin");
      await git(directory.path, "config", `branch.${name}.merge`, `refs/heads/${name}`);
      await commit(directory.path, { "a.txt": "a\n" });
      expect((await gitLines(directory.path)).slice(0, 4)).toEqual([
        "Is git repo: true",
        `Current branch: ${name}`,
        "Main branch (use for PRs): main",
        "Ahead of origin: 1 commits",
      ]);
    },
  );
});

test("C5 an upstream that is gone is ignored", async () => {
  await using origin = await repository();
  await git(origin.path, "branch", "feat/1.0(x)]");
  await using directory = await clone(origin.path);
  await git(directory.path, "switch", "-q", "feat/1.0(x)]");
  await commit(directory.path, { "a.txt": "a\n" });
  await git(origin.path, "branch", "-D", "feat/1.0(x)]");
  await git(directory.path, "fetch", "-q", "--prune");
  expect(await git(directory.path, "status", "-sb")).toContain("[gone]");
  expect(await gitLines(directory.path)).toEqual([
    "Is git repo: true",
    "Current branch: feat/1.0(x)]",
    "Main branch (use for PRs): main",
    "Working tree: clean",
  ]);
});

describe("C8 the main branch is", () => {
  const mainOf = async (directory: string) => (await gitLines(directory))[2];
  const line = (name: string) => `Main branch (use for PRs): ${name}`;

  test("first of all the HEAD of origin", async () => {
    await using origin = await repository("trunk/v2");
    await git(origin.path, "branch", "main");
    await using directory = await clone(origin.path);
    await git(directory.path, "switch", "-q", "main");
    expect(await mainOf(directory.path)).toBe(line("trunk/v2"));
  });

  test("never a HEAD of origin whose branch is gone", async () => {
    await using origin = await repository("trunk");
    await using directory = await clone(origin.path);
    await git(directory.path, "switch", "-q", "-c", "master");
    await git(directory.path, "update-ref", "-d", "refs/remotes/origin/trunk");
    expect(await git(directory.path, "symbolic-ref", "refs/remotes/origin/HEAD")).toContain("trunk");
    expect(await mainOf(directory.path)).toBe(line("master"));
  });

  test("otherwise the first that exists of init.defaultBranch, main and master", async () => {
    await using directory = await repository("work");
    await git(directory.path, "config", "init.defaultBranch", "develop");
    expect(await mainOf(directory.path)).toBe(line("work"));
    for (const name of ["master", "main", "develop"]) {
      await git(directory.path, "branch", name);
      expect(await mainOf(directory.path)).toBe(line(name));
    }
  });

  test("also a branch that exists only at origin", async () => {
    await using origin = await repository("master");
    await using directory = await clone(origin.path);
    await git(directory.path, "remote", "set-head", "origin", "--delete");
    await git(directory.path, "switch", "-q", "-c", "work");
    await git(directory.path, "branch", "-D", "master");
    expect(await mainOf(directory.path)).toBe(line("master"));
  });

  test.for(["*", "", "wo", "no such\nbranch"])(
    "never a branch that a setting of '%s' happens to match",
    async (setting) => {
      await using directory = await repository("work");
      await git(directory.path, "branch", "wo/rk");
      await git(directory.path, "config", "init.defaultBranch", setting);
      expect(await mainOf(directory.path)).toBe(line("work"));
    },
  );

  test("main if there is no current branch either", async () => {
    await using directory = await repository("work");
    await git(directory.path, "switch", "-q", "--detach");
    expect(await mainOf(directory.path)).toBe(line("main"));
  });
});
