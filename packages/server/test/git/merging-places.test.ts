// Repositories that are hard to merge in, and worktrees that are not as Drover made them.
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

const clean = { main: "## main", tree: "## drover/fox" };

describe("V2 a merge works", () => {
  test("between files, directories, links, modes and names that differ by case or are not UTF-8", async () => {
    await using at = await MergeStage.open();
    const files = { "Case.txt": "c\n", link: "l\n", "run.sh": "r\n", "directory/a.txt": "a\n", file: "f\n" };
    await at.commitMain(files);
    await at.update();
    await rm(join(at.tree, "directory"), { recursive: true });
    await rm(join(at.tree, "file"));
    await rename(join(at.tree, "Case.txt"), join(at.tree, "case.txt"));
    await rm(join(at.tree, "link"));
    await symlink("case.txt", join(at.tree, "link"));
    await chmod(join(at.tree, "run.sh"), 0o755);
    await at.write({ directory: "now a file\n", "file/b.txt": "b\n", "caf\xe9": "bytes\n" });
    const commit = await at.merged();
    expect(await at.status()).toEqual(clean);
    const entries = await at.stage.git("ls-tree", "-r", commit);
    for (const line of [/^120000 .*\tlink$/m, /^100755 .*\trun.sh$/m, /\tdirectory$/m, /\tfile\/b.txt$/m])
      expect(entries).toMatch(line);
    expect(await at.read("file/b.txt")).toBe("b\n");
    expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
  });

  test.each([["--cone"], ["--cone", "--sparse-index"], ["--no-cone"]])(
    "into a sparse checkout (%s %s), and leaves out what that leaves out",
    async (...how) => {
      await using at = await MergeStage.open();
      const patterns = how.includes("--cone") ? ["other"] : ["/*", "!/folder/"];
      await at.stage.git("sparse-checkout", "set", ...how, ...patterns);
      await at.write({ "new.txt": "1\n", "folder/inner.txt": "changed\n", "folder/more.txt": "more\n" });
      await at.merged();
      expect(await at.status()).toEqual(clean);
      expect(await at.stage.git("ls-files", "-t")).toBe(
        "S folder/inner.txt\nS folder/more.txt\nH new.txt\nH tracked.txt",
      );
      expect(await at.read("folder/inner.txt").catch(() => "left out")).toBe("left out");
    },
  );

  test("from a sparse worktree, whose other files are not deleted", async () => {
    await using at = await MergeStage.open();
    await at.stage.gitIn(at.tree, "sparse-checkout", "set", "--cone", "other");
    await at.write({ "new.txt": "1\n" });
    await at.commitMain({ "folder/inner.txt": "theirs\n" });
    const commit = await at.merged();
    expect(await at.status()).toEqual(clean);
    expect(await at.stage.git("show", `${commit}:folder/inner.txt`)).toBe("theirs");
  });

  test("with a split index and converted line endings", async () => {
    await using at = await MergeStage.open();
    await at.stage.git("config", "core.autocrlf", "true");
    await at.stage.git("update-index", "--split-index");
    await at.stage.gitIn(at.tree, "update-index", "--split-index");
    await at.write({ "new.txt": "1\r\n2\r\n", "tracked.txt": "first\r\nmore\r\n" });
    const commit = await at.merged();
    expect(await at.status()).toEqual(clean);
    expect(await at.read("new.txt")).toBe("1\r\n2\r\n");
    expect(await at.stage.git("cat-file", "-s", `${commit}:new.txt`)).toBe("4");
  });

  test("around a submodule", async () => {
    await using at = await MergeStage.open();
    const library = at.stage.beside("library");
    await mkdir(library);
    await writeFile(join(library, "s.txt"), "s\n");
    for (const args of [
      ["init", "-q"],
      ["add", "-A"],
      ["commit", "-q", "-m", "s"],
    ])
      await at.stage.gitIn(library, ...args);
    await at.stage.git("submodule", "add", "-q", library, "vendor");
    await at.stage.git("commit", "-q", "-m", "vendor");
    for (const strategy of ["merge", "squash"] as const) {
      await at.write({ "new.txt": `${strategy}\n` });
      await at.merged({ strategy });
      expect((await at.status()).main).toBe("## main");
      expect(await at.read("vendor/s.txt")).toBe("s\n");
    }
  });

  test("in a worktree of a bare repository", async () => {
    await using at = await MergeStage.open();
    const bare = at.stage.beside("bare.git");
    const [top, path] = [at.stage.beside("linked"), at.stage.beside("owl")];
    await at.stage.git("clone", "-q", "--bare", at.stage.top, bare);
    await at.stage.gitIn(bare, "worktree", "add", "-q", top, "main");
    await at.stage.gitIn(bare, "worktree", "add", "-q", "-b", "drover/owl", path, "main");
    await at.stage.gitIn(bare, "config", "user.name", "A");
    await at.stage.gitIn(bare, "config", "user.email", "a@b");
    const repository = { top, gitDirectory: bare, treeDirectory: join(bare, "worktrees/owl") };
    at.workspace = { ...at.workspace, path, branch: "drover/owl", repository };
    await writeFile(join(path, "new.txt"), "new\n");
    await at.merged();
    expect(await at.stage.gitIn(top, "status", "--porcelain", "--branch")).toBe("## main");
    expect(await readFile(join(top, "new.txt"), "utf8")).toBe("new\n");
  });

  test("into the branch of another worktree, which follows", async () => {
    await using at = await MergeStage.open();
    const other = at.stage.beside("owl");
    await at.stage.git("worktree", "add", "-q", "-b", "drover/owl", other);
    await writeFile(join(other, "loose.txt"), "loose\n");
    await at.write({ "new.txt": "new\n" });
    await at.merged({ into: "drover/owl" });
    expect(await at.stage.gitIn(other, "status", "--porcelain")).toBe("?? loose.txt");
    expect(await readFile(join(other, "new.txt"), "utf8")).toBe("new\n");
    expect((await at.status()).main).toBe("## main");
    await writeFile(join(other, "later.txt"), "loose\n");
    await at.write({ "later.txt": "mine\n" });
    const facts = { files: ["later.txt"], path: other };
    expect(await at.merge({ into: "drover/owl" })).toMatchObject({ error: { facts } });
  });

  test("into branches with odd names", async () => {
    await using at = await MergeStage.open();
    for (const name of ["feature/ünï", "@", "heads/x", "a'b\"c$d", "refs/heads/y"]) {
      await at.stage.git("branch", name, "main");
      await at.write({ "new.txt": `${name}\n` });
      await at.merged({ into: name });
      expect(await at.stage.git("show", `refs/heads/${name}:new.txt`)).toBe(name);
    }
  });
});

describe("V2 a merge is refused, and moves nothing,", () => {
  const tips = (at: MergeStage) => at.stage.git("for-each-ref");

  test("when the worktree is on another branch, which may be a person's", async () => {
    await using at = await MergeStage.open();
    await at.stage.gitIn(at.tree, "checkout", "-q", "-b", "release");
    await at.write({ "new.txt": "new\n" });
    const before = await tips(at);
    expect(await at.merge()).toMatchObject({
      error: { facts: { reason: "other_branch" }, message: expect.stringContaining("switch drover/fox") },
    });
    expect(await at.update()).toMatchObject({ ok: false });
    expect(await tips(at)).toBe(before);
    await at.stage.gitIn(at.tree, "switch", "-q", "drover/fox");
    await at.merged();
    expect(await at.read("new.txt")).toBe("new\n");
  });

  test("when HEAD is detached, or the session's branch is gone", async () => {
    await using at = await MergeStage.open();
    await at.stage.gitIn(at.tree, "checkout", "-q", "--detach");
    await at.write({ "new.txt": "new\n" });
    expect(await at.merge()).toMatchObject({ error: { facts: { reason: "detached" } } });
    await at.stage.gitIn(at.tree, "checkout", "-q", "drover/fox");
    await at.stage.git("update-ref", "-d", "refs/heads/drover/fox");
    const merged = await at.merge();
    expect(merged).toMatchObject({ error: { facts: { reason: "no_branch" } } });
    const [, next = ""] = (!merged.ok && /`git (.*)`/.exec(merged.error.message)) || [];
    await at.stage.git(...next.split(" "));
    await at.merged();
  });

  test("while the session's branch keeps moving", async () => {
    await using at = await MergeStage.open();
    await at.commit({ "new.txt": "new\n" });
    const merged = await at.merge({}, async () => {
      await at.stage.gitIn(at.tree, "commit", "-q", "--allow-empty", "-m", "later");
    });
    expect(merged).toMatchObject({ ok: false, error: { facts: { reason: "moved" } } });
    expect(await at.stage.git("log", "-1", "--format=%s", "drover/fox")).toBe("later");
    expect(await at.stage.git("log", "-1", "--format=%s", "main")).toBe("a change");
  });
});
