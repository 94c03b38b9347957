import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { buildSystemPromptAppend, type ContextDeps } from "../../src/context/index.ts";

const run = promisify(execFile);

/** Of the current test file, which may not be the first one of this process. */
const home = () => process.env["HOME"] ?? "";

/** What git needs to be found and to find its settings. */
export const environment = {
  get PATH() {
    return process.env["PATH"] ?? "";
  },
  get HOME() {
    return home();
  },
};

export const scratch = () => join(home(), "scratch");

export const deps: ContextDeps = {
  ...{ version: "1.2.3", port: 4242, gitTimeoutMs: 20_000, environment },
  get scratch() {
    return scratch();
  },
};

export const NOT_A_REPOSITORY = ["Is git repo: false"];

/** Plain git, with hooks, filters and everything else a repository configures. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await run("git", args, { cwd, env: { ...environment, LC_ALL: "C" } })).stdout.trim();
}

export async function write(directory: string, files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

export async function commit(directory: string, files: Record<string, string>): Promise<void> {
  await write(directory, files);
  await git(directory, "add", "-A");
  await git(directory, "commit", "-q", "-m", "a change");
}

/** A repository on `branch` with one commit of `tracked.txt`. */
export async function repository(branch = "main"): Promise<TempDir> {
  const directory = await tempDir("repository-");
  await git(directory.path, "init", "-q", "-b", branch);
  await commit(directory.path, { "tracked.txt": "first\n" });
  return directory;
}

/** Clones `directory` into a new temporary directory. */
export async function clone(directory: string): Promise<TempDir> {
  const copy = await tempDir("clone-");
  await git(copy.path, "clone", "-q", directory, ".");
  return copy;
}

/** The lines inside the block `name`. */
export function linesOf(text: string, name: "env" | "git_status"): string[] {
  const found = new RegExp(`^<${name}>\n(?<lines>.*)\n</${name}>$`, "ms").exec(text)?.groups?.["lines"];
  if (found === undefined) throw new Error(`No block ${name} in:\n${text}`);
  return found.split("\n");
}

/** The git lines in the context of an agent in `cwd`. */
export async function gitLines(cwd: string, changed: Partial<ContextDeps> = {}): Promise<string[]> {
  return linesOf(await buildSystemPromptAppend(cwd, { ...deps, ...changed }), "git_status");
}

/** An executable shell script. */
export async function script(path: string, ...lines: string[]): Promise<string> {
  await writeFile(path, ["#!/bin/sh", ...lines, ""].join("\n"));
  await chmod(path, 0o755);
  return path;
}

/** An environment in which `git` is a script of these lines; `$GIT` is the real one. */
export async function withFakeGit(directory: string, ...lines: string[]): Promise<Record<string, string>> {
  const { stdout } = await run("which", ["git"]);
  const bin = join(directory, "bin");
  await mkdir(bin);
  await script(join(bin, "git"), `GIT=${stdout.trim()}`, ...lines);
  return { ...environment, PATH: `${bin}:${environment.PATH}` };
}
