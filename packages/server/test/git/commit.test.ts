import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openKeeper } from "./keeper.ts";
import type { Stage } from "./stage.ts";

/** A stage whose user git knows. */
async function openNamed() {
  const opened = await openKeeper();
  const config = "[user]\n\tname = Ada Löve\n\temail = ada@example.test\n";
  await writeFile(join(opened.stage.home, ".gitconfig"), config);
  return opened;
}

const shown = (stage: Stage) =>
  stage.git("log", "-1", "--format=%an <%ae>|%cn|%B|%D", "--name-status", "--no-renames");

test("everything uncommitted is committed with the user's identity, and the index agrees", async () => {
  await using opened = await openNamed();
  const { stage, keeper } = opened;
  await stage.write({ "tracked.txt": "second\n", "new.txt": "new\n", ".gitignore": "ignored.txt\n" });
  await stage.write({ "ignored.txt": "never\n", "forced.log": "log\n" });
  await rm(stage.path("folder"), { recursive: true });
  await stage.git("add", "-f", "ignored.txt");
  const done = await keeper.commit({ message: "\n\nChange it\r\n\r\nBody  \n\n" });
  const files = [".gitignore", "folder/inner.txt", "forced.log", "ignored.txt", "new.txt", "tracked.txt"];
  expect(done).toEqual({
    ok: true,
    value: { commit: await stage.git("rev-parse", "main"), branch: "main", files },
  });
  expect(await shown(stage)).toBe(
    [
      "Ada Löve <ada@example.test>|Ada Löve|Change it\n\nBody\n|HEAD -> main\n",
      ...["A\t.gitignore", "D\tfolder/inner.txt", "A\tforced.log", "A\tignored.txt", "A\tnew.txt"],
      "M\ttracked.txt",
    ].join("\n"),
  );
  expect(await stage.git("status", "--porcelain")).toBe("");
  expect(await stage.git("reflog", "-1", "--format=%gs %gn")).toBe("commit: Change it Ada Löve");
  expect(await keeper.commit({ message: "again" })).toMatchObject({ error: { code: "NOTHING_TO_COMMIT" } });
});

test("only the chosen paths are committed; what else is staged stays staged, and flags of the index stay", async () => {
  await using opened = await openNamed();
  const { stage, keeper } = opened;
  await stage.commit({ "hidden.txt": "hidden\n" });
  await stage.git("update-index", "--assume-unchanged", "hidden.txt");
  await stage.write({ "tracked.txt": "staged\n", "folder/inner.txt": "half\n" });
  await stage.git("add", "-A");
  await stage.write({ "folder/inner.txt": "whole\n", "folder/new.txt": "new\n", "loose.txt": "loose\n" });
  stage.cwd = stage.path("folder");
  expect(await keeper.commit({ message: "part", paths: ["inner.txt"] })).toMatchObject({
    value: { files: ["inner.txt"] },
  });
  expect(await stage.git("show", "HEAD:folder/inner.txt")).toBe("whole");
  expect(await stage.git("status", "--porcelain")).toBe("M  tracked.txt\n?? folder/new.txt\n?? loose.txt");
  expect(await stage.git("ls-files", "-v", "hidden.txt")).toBe("h hidden.txt");
  // Everything below the session's directory, and nothing above it.
  expect(await keeper.commit({ message: "rest" })).toMatchObject({ value: { files: ["new.txt"] } });
  expect(await stage.git("status", "--porcelain")).toBe("M  tracked.txt\n?? loose.txt");
  const nothing = { code: "BAD_REQUEST", facts: { issues: [{ path: "paths" }] } };
  expect(await keeper.commit({ message: "none", paths: ["inner.txt"] })).toMatchObject({ error: nothing });
});

test("the first commit of a repository creates its branch", async () => {
  await using opened = await openNamed();
  const { stage, keeper } = opened;
  await stage.git("checkout", "-q", "--orphan", "feature/ünborn");
  expect(await keeper.commit({ message: "first" })).toMatchObject({ ok: true });
  expect(await stage.git("log", "--format=%s %D")).toBe("first HEAD -> feature/ünborn");
  expect(await stage.git("status", "--porcelain")).toBe("");
});

test("without an identity, nothing is committed, and the answer has the command that sets one", async () => {
  await using opened = await openKeeper();
  const { stage, keeper } = opened;
  await stage.write({ "tracked.txt": "second\n" });
  const index = readFileSync(stage.path(".git/index"));
  expect(await keeper.commit({ message: "no" })).toMatchObject({
    error: { code: "NO_IDENTITY", facts: { command: expect.stringContaining("config user.name") } },
  });
  expect(readFileSync(stage.path(".git/index"))).toEqual(index);
});

const situations: Record<string, (stage: Stage) => Promise<unknown>> = {
  merge: async (stage) => {
    await stage.git("checkout", "-q", "-b", "other");
    await stage.commit({ "tracked.txt": "theirs\n" });
    await stage.git("checkout", "-q", "main");
    await stage.commit({ "tracked.txt": "ours\n" });
    return stage.git("merge", "other").catch(() => undefined);
  },
  conflicts: async (stage) => {
    await situations["merge"]?.(stage);
    await rm(stage.path(".git/MERGE_HEAD"));
  },
  rebase: (stage) => mkdir(stage.path(".git/rebase-merge")),
  branch_in_use: (stage) => stage.git("worktree", "add", "-q", "--force", stage.beside("linked"), "main"),
  detached: (stage) => stage.git("checkout", "-q", "--detach"),
  locked: (stage) => writeFile(stage.path(".git/index.lock"), ""),
  filter: (stage) => stage.write({ ".gitattributes": "*.txt filter=lfs\n" }),
  links: async (stage) => {
    await rm(stage.path(".git/logs/refs/heads/main"));
    await writeFile(stage.beside("outside"), "");
    await symlink(stage.beside("outside"), stage.path(".git/logs/refs/heads/main"));
  },
};

describe("COMMIT_REFUSED says why, and changes nothing:", () => {
  test.each(Object.entries(situations))("%s", async (reason, arrange) => {
    await using opened = await openNamed();
    const { stage, keeper } = opened;
    await arrange(stage);
    await stage.write({ "tracked.txt": "mine\n" });
    const [head, index] = [await stage.git("rev-parse", "HEAD"), readFileSync(stage.path(".git/index"))];
    expect(await keeper.commit({ message: "no" })).toMatchObject({
      error: { code: "COMMIT_REFUSED", facts: { reason } },
    });
    expect(await stage.git("rev-parse", "HEAD")).toBe(head);
    expect(readFileSync(stage.path(".git/index"))).toEqual(index);
    if (reason === "links") expect(readFileSync(stage.beside("outside"), "utf8")).toBe("");
    expect(existsSync(stage.path(".git/index.lock"))).toBe(reason === "locked");
  });
});

test("a linked tree doesn't move the branch of the checkout, but may be on the branch of a bare repository", async () => {
  await using opened = await openNamed();
  const { stage, keeper } = opened;
  const main = await stage.git("rev-parse", "main");
  stage.cwd = stage.beside("linked");
  await stage.git("worktree", "add", "-q", "-b", "drover/fix", stage.cwd);
  await writeFile(join(stage.cwd, "tracked.txt"), "second\n");
  await stage.gitIn(stage.cwd, "symbolic-ref", "HEAD", "refs/heads/main");
  expect(await keeper.commit({ message: "no" })).toMatchObject({
    error: { code: "COMMIT_REFUSED", facts: { reason: "branch_in_use" } },
  });
  expect(await stage.git("rev-parse", "main")).toBe(main);
  expect(await stage.git("status", "--porcelain")).toBe("");
  await stage.gitIn(stage.cwd, "symbolic-ref", "HEAD", "refs/heads/drover/fix");
  expect(await keeper.commit({ message: "own" })).toMatchObject({ value: { branch: "drover/fix" } });
  await stage.git("clone", "-q", "--bare", stage.top, stage.beside("bare.git"));
  stage.cwd = stage.beside("of-bare");
  await stage.gitIn(stage.beside("bare.git"), "worktree", "add", "-q", stage.cwd, "main");
  await writeFile(join(stage.cwd, "tracked.txt"), "second\n");
  expect(await keeper.commit({ message: "bare" })).toMatchObject({ value: { branch: "main" } });
});

test("line endings are committed as the repository's attributes say", async () => {
  await using opened = await openNamed();
  const { stage, keeper } = opened;
  await stage.commit({ ".gitattributes": "*.txt text eol=crlf\n" });
  await stage.write({ "crlf.txt": "one\r\ntwo\r\n" });
  expect(await keeper.commit({ message: "text" })).toMatchObject({ value: { files: ["crlf.txt"] } });
  expect(await stage.git("cat-file", "-s", "HEAD:crlf.txt")).toBe("8");
  expect(await stage.git("status", "--porcelain")).toBe("");
});

test("a split index stays readable, and a nested repository is left out", async () => {
  await using opened = await openNamed();
  const { stage, keeper } = opened;
  await stage.git("update-index", "--split-index");
  await stage.write({ "tracked.txt": "second\n" });
  await mkdir(stage.path("nested"));
  await stage.gitIn(stage.path("nested"), "init", "-q");
  await stage.gitIn(stage.path("nested"), "commit", "-q", "--allow-empty", "-m", "x");
  expect(await keeper.commit({ message: "split" })).toMatchObject({ value: { files: ["tracked.txt"] } });
  expect(await stage.git("status", "--porcelain")).toBe("?? nested/");
});
