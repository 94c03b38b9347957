import { appendFile, mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commitFiles } from "../git/commit.ts";
import { initRepository } from "../git/init.ts";
import type { GitPlace } from "../git/repository.ts";
import { findTree } from "../git/tree.ts";
import { Patience } from "./patience.ts";

const TIMEOUT_MS = 30_000;

/** A small library with a test that `node --test` runs. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "slug", type: "module", scripts: { test: "node --test" } }, undefined, 2)}\n`,
  "README.md": '# slug\n\nTurns titles into addresses: `slug("Hello, World!")` is `hello-world`.\n',
  "src/slug.js": `/** A title as a part of an address. */
export function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
`,
  "test/slug.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "../src/slug.js";

test("words are joined by hyphens", () => {
  assert.equal(slug("Hello, World!"), "hello-world");
});
`,
};

/** Makes a repository with a small project in it, and its own git identity. One that exists stays as it is. */
export async function makeDemoProject(
  directory: string,
  { environment, scratch }: Pick<GitPlace, "environment" | "scratch">,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const cwd = await realpath(directory);
  if ((await findTree(cwd))?.top === cwd) return;
  using patience = new Patience(TIMEOUT_MS);
  const git = { cwd, environment, scratch, signal: patience.signal };
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  await initRepository(git);
  await appendFile(join(cwd, ".git/config"), "[user]\n\tname = Drover Demo\n\temail = demo@localhost\n");
  const tree = await findTree(cwd);
  if (!tree) throw new Error(`git made no repository in ${cwd}`);
  await commitFiles(git, tree, { message: "Start\n", paths: [""], isChosen: false });
}
