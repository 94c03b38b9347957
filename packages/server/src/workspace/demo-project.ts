import { appendFile, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { commitFiles, NotCommitted } from "../git/commit.ts";
import { initRepository } from "../git/init.ts";
import type { GitPlace } from "../git/repository.ts";
import { findTree, type GitTree } from "../git/tree.ts";
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

const IDENTITY = "[user]\n\tname = Drover Demo\n\temail = demo@localhost\n";

export interface DemoOrder {
  /** One that exists gets its first files again, without these; if omitted, it stays as it is. */
  readonly anew?: readonly string[];
}

/** Makes a repository with a small project in it, and its own git identity. */
export async function makeDemoProject(
  directory: string,
  { environment, scratch }: Pick<GitPlace, "environment" | "scratch">,
  { anew }: DemoOrder = {},
): Promise<void> {
  await mkdir(directory, { recursive: true });
  const cwd = await realpath(directory);
  using patience = new Patience(TIMEOUT_MS);
  const git = { cwd, environment, scratch, signal: patience.signal };
  const found = await findTree(cwd);
  if (found?.top === cwd) {
    if (anew) await startOver(git, found, anew);
    return;
  }
  await writeFiles(cwd);
  await initRepository(git);
  await appendFile(join(cwd, ".git/config"), IDENTITY);
  const tree = await findTree(cwd);
  if (!tree) throw new Error(`git made no repository in ${cwd}`);
  await commitFiles(git, tree, { message: "Start\n", paths: [""], isChosen: false });
}

async function writeFiles(top: string): Promise<void> {
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(top, name)), { recursive: true });
    await writeFile(join(top, name), content);
  }
}

/** What a person has changed there meanwhile stays in the history. */
async function startOver(git: GitPlace, tree: GitTree, added: readonly string[]): Promise<void> {
  const config = await readFile(join(tree.gitDirectory, "config"), "utf8");
  if (!config.includes(IDENTITY)) throw new Error("it is another repository");
  await commitAll(git, tree, "Keep what has changed");
  for (const name of added) await rm(join(tree.top, name), { force: true });
  await writeFiles(tree.top);
  await commitAll(git, tree, "Start over");
}

async function commitAll(git: GitPlace, tree: GitTree, subject: string): Promise<void> {
  try {
    await commitFiles(git, tree, { message: `${subject}\n`, paths: [""], isChosen: false });
  } catch (error) {
    if (!(error instanceof NotCommitted) || error.reason !== "nothing") throw error;
  }
}
