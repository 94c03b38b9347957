import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const runner = "packages/server/src/git/run-git.ts";

/** All of the product's source files, by their path in the repository. */
const sources = ["core", "server", "web"].flatMap((name) =>
  readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/")),
);
const text = (path: string) => readFileSync(join(root, path), "utf8");
const having = (pattern: RegExp) => sources.filter((path) => pattern.test(text(path)));

test("H1 git is started in one place", () => {
  const starts = /from "node:child_process"/;
  const namesGit = /["'`](\/usr\/bin\/)?git["'` ]/;
  expect(having(starts).filter((path) => namesGit.test(text(path)))).toEqual([runner]);
});

/** Files that run git in a repository's own git directory, and the commands they may run there. */
const ownCommands = {
  describe: ["config", "rev-parse", "symbolic-ref"],
  refs: ["for-each-ref", "update-ref"],
  remotes: ["config"],
  // `update-index` runs on the private directory, for a split index.
  repository: ["for-each-ref", "update-index"],
  // Registers worktrees and writes none of their files.
  worktree: ["add", "config", "merge-base", "rev-list", "rev-parse", "symbolic-ref", "worktree"],
};
/** Files that run git only on a private directory, or to make a repository where there is none. */
const privateOnly = ["init", "object-writer", "push"];
const inGit = (name: string) => `packages/server/src/git/${name}.ts`;

test("H1 only code that shuts out a repository's settings may start git", () => {
  const callers = having(/\b(runGit|streamGit)\(/).filter((path) => path !== runner);
  expect(callers.sort()).toEqual([...Object.keys(ownCommands), ...privateOnly].map(inGit).sort());
});

test("H1 in a repository's own git directory, git only reads paths and settings, and reads and writes refs", () => {
  expect(having(/\bownDirectory\(/)).toEqual(Object.keys(ownCommands).map(inGit));
  const command =
    /"(rev-parse|symbolic-ref|for-each-ref|update-ref|config|status|diff|ls-files|update-index|add|checkout|read-tree|rev-list|merge-base|worktree)"/g;
  for (const [name, commands] of Object.entries(ownCommands)) {
    const settings = name === "describe" ? text(inGit("settings")) : "";
    const used = (text(inGit(name)) + settings).match(command) ?? [];
    expect([...new Set(used)].map((each) => each.slice(1, -1)).sort()).toEqual(commands);
  }
  expect(text(inGit("worktree"))).toContain('"worktree", "add", "--no-checkout"');
});
