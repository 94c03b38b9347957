import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const runner = "packages/server/src/git/run-git.ts";

/** All sources of the product, by their path below the repository. */
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

test("H1 only what shuts out a repository's settings may use that place", () => {
  const calls = /\b(runGit|streamGit)\(/;
  expect(having(calls).filter((path) => path !== runner)).toEqual(["packages/server/src/git/repository.ts"]);
});

// `update-index` runs on the private directory, for an index in two halves.
test("H1 in a repository's own git directory, git is only asked for places, refs and settings", () => {
  const asking = text("packages/server/src/git/repository.ts") + text("packages/server/src/git/settings.ts");
  const command =
    /"(rev-parse|symbolic-ref|for-each-ref|config|status|diff|ls-files|update-index|add|checkout)"/g;
  const commands = asking.match(command);
  expect([...new Set(commands)].sort()).toEqual([
    '"config"',
    '"for-each-ref"',
    '"rev-parse"',
    '"symbolic-ref"',
    '"update-index"',
  ]);
});
