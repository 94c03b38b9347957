import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ok } from "@drover/core";
import { findTop } from "../../packages/server/src/git/find-top.ts";
import { comparison } from "../../packages/server/src/workspace/comparison.ts";
import { RepositoryLocks } from "../../packages/server/src/workspace/repository-lock.ts";
import { worktrees } from "../../packages/server/src/workspace/worktrees.ts";
import { tempDir } from "../../test/kit/temp.ts";
import { median } from "../kit/stats.ts";
import type { Outcome, RunOptions, Scenario } from "../scenario.ts";

const run = promisify(execFile);
const PER_FOLDER = 100;

/** A commit of many small files, as a stream for `git fast-import`. */
function* commitOf(files: number): Generator<string> {
  const message = "all";
  yield `commit refs/heads/main\ncommitter A <a@example.test> 1000000000 +0000\ndata ${message.length}\n${message}\n`;
  for (let file = 0; file < files; file++) {
    const content = `${file}\n`.repeat(50);
    const path = `folder-${Math.floor(file / PER_FOLDER)}/file-${file}.txt`;
    yield `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`;
  }
}

async function importFiles(top: string, files: number): Promise<void> {
  const child = spawn("git", ["fast-import", "--quiet"], { cwd: top, stdio: ["pipe", "ignore", "inherit"] });
  for (const piece of commitOf(files)) if (!child.stdin.write(piece)) await once(child.stdin, "drain");
  child.stdin.end();
  await once(child, "exit");
}

async function measure({ smoke, progress }: RunOptions): Promise<Outcome> {
  const [files, rounds] = smoke ? [200, 2] : [100_000, 3];
  await using home = await tempDir("worktrees-");
  const top = join(home.path, "repository");
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home.path };
  const git = (...args: string[]) => run("git", args, { cwd: top, env: environment });
  await mkdir(top);
  await git("init", "-q", "-b", "main");
  progress(`writing ${files} files`);
  await importFiles(top, files);
  await git("reset", "-q", "--hard");
  const limits = { gitTimeoutMs: 600_000, worktreeTimeoutMs: 600_000 };
  const deps = { environment, scratch: join(home.path, "scratch"), ...limits };
  const manager = worktrees({
    git: deps,
    comparison: comparison(deps),
    locks: new RepositoryLocks(),
    ports: () => ({ range: [21_000, 21_999], directory: join(home.path, "ports") }),
    resolvePath: async (path) => ok(path),
    repositoryTop: findTop,
  });
  const plain: number[] = [];
  const own: number[] = [];
  let isWhole = true;
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    const path = join(home.path, "plain");
    let start = performance.now();
    await git("worktree", "add", "-q", "-b", `plain-${round}`, path, "main");
    plain.push(performance.now() - start);
    await git("worktree", "remove", "--force", path);
    start = performance.now();
    const wanted = { name: `own-${round}`, directory: top, trusted: false };
    const made = await manager.create(wanted, async () => undefined);
    own.push(performance.now() - start);
    if (!made.ok) throw new Error(made.error.message);
    const { workspace } = made.value;
    const folders = (await readdir(workspace.path)).filter((name) => name.startsWith("folder-"));
    const { stdout } = await run("git", ["status", "--porcelain"], { cwd: workspace.path, env: environment });
    isWhole &&= folders.length === files / PER_FOLDER && stdout === "";
    await manager.destroy(workspace, { isUnused: true });
  }
  return {
    figures: [
      {
        what: `a worktree of ${files} files`,
        value: median(own),
        unit: "ms",
        floor: { what: "git worktree add", value: median(plain) },
        target: "≤ 1.2 × git worktree add",
      },
    ],
    checks: [{ what: "every worktree has all files, and no change", ok: isWhole }],
  };
}

export const b13: Scenario = { id: "B13", title: "making a worktree of a large repository", run: measure };
