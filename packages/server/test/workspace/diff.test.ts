import { existsSync } from "node:fs";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../../../test/kit/processes.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import {
  commit,
  environment,
  git,
  repository,
  scratch,
  script,
  withFakeGit,
  write,
} from "../context/support.ts";
import { changesIn, deps, diffOf, placeAt, refusalOf } from "./support.ts";

describe("the diff of a workspace", () => {
  test("can be applied by git without losing any of the change", async () => {
    await using directory = await repository();
    await using copy = await tempDir();
    await commit(directory.path, { "a b.txt": "one\ntwo\n", "gone.txt": "x\n" });
    await git(copy.path, "clone", "-q", directory.path, ".");
    await write(directory.path, { "a b.txt": "one\n2\nthree", "ü\n.txt": "new\r\n" });
    await rm(join(directory.path, "gone.txt"));
    await write(copy.path, { "../change.diff": await diffOf(directory.path) });
    await git(copy.path, "apply", join(copy.path, "../change.diff"));
    await rm(join(copy.path, "../change.diff"));
    await git(copy.path, "add", "-A");
    await git(directory.path, "add", "-A");
    expect(await git(copy.path, "write-tree")).toBe(await git(directory.path, "write-tree"));
  });

  test("does not depend on the user's or the repository's settings", async () => {
    await using directory = await repository();
    await write(directory.path, { "tracked.txt": "first\n\nsecond\n", "ü.txt": "x\n" });
    const plain = await diffOf(directory.path);
    const settings = {
      "color.ui": "always",
      "diff.noprefix": "true",
      "diff.mnemonicPrefix": "true",
      "diff.context": "0",
      "diff.renames": "false",
      "diff.suppressBlankEmpty": "true",
      "diff.orderFile": "/nonexistent",
      "diff.external": "/bin/false",
      "core.pager": "/bin/false",
      "core.quotePath": "true",
    };
    for (const [key, value] of Object.entries(settings)) await git(directory.path, "config", key, value);
    expect(await diffOf(directory.path)).toBe(plain);
  });

  test("runs no program that a repository names", async () => {
    await using directory = await repository();
    const canary = join(directory.path, ".git/canary");
    const evil = await script(join(directory.path, ".git/evil"), `touch "${canary}"`, "exit 1");
    await git(directory.path, "config", "filter.evil.clean", evil);
    await git(directory.path, "config", "diff.evil.textconv", evil);
    await git(directory.path, "config", "diff.evil.command", evil);
    await git(directory.path, "config", "core.fsmonitor", evil);
    await write(directory.path, { ".git/info/attributes": "* filter=evil diff=evil\n" });
    await write(directory.path, { "tracked.txt": "changed\n", "new.txt": "n\n" });
    expect(await diffOf(directory.path)).toContain("+changed");
    await changesIn(directory.path);
    expect(existsSync(canary)).toBe(false);
    await git(directory.path, "diff", "HEAD").catch(() => undefined);
    expect(existsSync(canary)).toBe(true);
  });

  test("is empty for a file that is unchanged or missing", async () => {
    await using directory = await repository();
    await write(directory.path, { "new.txt": "n\n" });
    expect(await diffOf(directory.path, "tracked.txt")).toBe("");
    expect(await diffOf(directory.path, "never/was.txt")).toBe("");
  });

  test("is refused for a file outside the workspace, however it is reached", async () => {
    await using directory = await repository();
    const part = join(directory.path, "part");
    await mkdir(part);
    await symlink(directory.path, join(part, "out"));
    await write(directory.path, { "tracked.txt": "changed\n" });
    for (const path of ["../tracked.txt", "in/../../tracked.txt", "out/tracked.txt", "/etc/passwd"]) {
      expect(await refusalOf(part, path)).toEqual({ code: "OUTSIDE_BOUNDARY" });
    }
    expect(await refusalOf(part, "a\0b")).toEqual({ code: "NULL_BYTE" });
  });

  test("is refused outside a repository, and if the directory is gone", async () => {
    await using directory = await tempDir();
    expect(await refusalOf(directory.path)).toEqual({ code: "UNSUPPORTED", what: "diff" });
    const gone = join(directory.path, "gone");
    expect(await refusalOf(gone)).toEqual({ code: "NOT_FOUND", what: "workspace" });
  });

  test("needs git, and says so", async () => {
    await using directory = await repository();
    const without = { environment: { ...environment, PATH: "/nonexistent" } };
    expect(await refusalOf(directory.path, undefined, without)).toEqual({ code: "UNSUPPORTED", what: "git" });
  });
});

describe("a git that hangs", () => {
  test.for<[string, string]>([
    ["from the start", "sleep 1000"],
    ["at the list of files", 'case "$*" in *ls-files*) sleep 1000;; *) exec "$GIT" "$@";; esac'],
    ["at the diff", 'case "$*" in *" diff "*) sleep 1000;; *) exec "$GIT" "$@";; esac'],
  ])("%s is ended at its timeout, with an error that says so", async ([, line]) => {
    await using directory = await repository();
    await using tools = await tempDir();
    await write(directory.path, { "new.txt": "n\n" });
    const slow = { gitTimeoutMs: 500, environment: await withFakeGit(tools.path, line) };
    const start = performance.now();
    expect(await refusalOf(directory.path, undefined, slow)).toEqual({
      code: "REQUEST_TIMEOUT",
      limitMs: 500,
    });
    await expect(changesIn(directory.path, slow)).rejects.toThrow("git took longer than 500 ms");
    // Far above both timeouts, for a busy machine; far below the 1000 s of the script.
    expect(performance.now() - start).toBeLessThan(6_000);
    await until(() => processesOf(tools.path).length === 0, { what: "nothing of the hanging git is left" });
  });

  test("in the middle of its output fails the diff instead of cutting it short", async () => {
    await using directory = await repository();
    await using tools = await tempDir();
    const line = 'case "$*" in *" diff "*) echo begun; sleep 1000;; *) exec "$GIT" "$@";; esac';
    const slow = { gitTimeoutMs: 1_000, environment: await withFakeGit(tools.path, line) };
    await expect(diffOf(directory.path, undefined, slow)).rejects.toThrow();
    await until(() => processesOf(tools.path).length === 0, { what: "nothing of the hanging git is left" });
  });
});

test("a reader may be slower than git's timeout, and git is ended when the reader leaves", async () => {
  await using directory = await repository();
  await using tools = await tempDir();
  await write(directory.path, { "new.txt": "line\n".repeat(400_000) });
  await using hung = await tempDir();
  const real = await withFakeGit(tools.path, 'exec "$GIT" "$@"');
  const hanging = await withFakeGit(hung.path, "sleep 1000");
  const diffBy = (environment: typeof real) =>
    comparison({ ...deps, gitTimeoutMs: 5_000, environment }).diff(placeAt(directory.path), undefined);
  const diff = await diffBy(real);
  if (!diff.ok) throw new Error(diff.error.message);
  const pieces = diff.value[Symbol.asyncIterator]();
  expect((await pieces.next()).done).toBe(false);
  expect(processesOf(directory.path).length).toBeGreaterThan(0);
  expect(await diffBy(hanging), "the timeout has passed").toMatchObject({
    error: { code: "REQUEST_TIMEOUT" },
  });
  expect((await pieces.next()).done).toBe(false);
  await pieces.return?.();
  await until(() => processesOf(directory.path).length === 0, { what: "git is gone" });
  expect(await readdir(scratch())).toEqual([]);
});
