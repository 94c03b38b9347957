import { resolve } from "node:path";
import { abortable } from "./abortable.ts";
import { checkGitFiles, discoverDirectories } from "./check-files.ts";
import type { Layout } from "./private-directory.ts";
import { type GitResult, type GitRun, runGit } from "./run-git.ts";
import { parseSettings, SETTINGS_ARGS, type Settings } from "./settings.ts";
import { checkDirectories } from "./tree.ts";

/** What a repository's own git directory says about it. */
export interface Description {
  readonly layout: Layout;
  readonly settings: Settings;
  /** The ref that HEAD names; Latin 1 stands for bytes. Undefined while HEAD is detached. */
  readonly ref: string | undefined;
}

/** The git directories of a working tree as they were recorded. */
export interface StoredDirectories {
  /** Refs, objects and settings. */
  readonly gitDirectory: string;
  /** HEAD and index of a linked worktree. */
  readonly treeDirectory?: string;
}

type Result = Pick<GitResult, "code" | "output"> & Partial<GitResult>;

/**
 * Queries a repository for paths, its current commit and a few settings, by commands that read no file of the working
 * tree. `run.cwd` is the top of that tree. Throws if git rejects the repository (another user's, broken).
 *
 * With `stored`, nothing is discovered: an agent that rewrites `.git` cannot redirect it.
 */
export async function describeRepository(run: GitRun, stored?: StoredDirectories): Promise<Description> {
  await abortable(
    stored ? checkStored(stored) : discoverDirectories(run.cwd).then(checkGitFiles),
    run.signal,
  );
  const asked = ownDirectory(run, stored);
  const [found, set] = await Promise.all([
    runGit({ args: LAYOUT_ARGS }, asked),
    runGit({ args: SETTINGS_ARGS }, asked),
  ]);
  if (found.code !== 0) throw new Error("git rejects the repository");
  const { layout, ref } = parseLayout(found.output, run.cwd);
  const settings = parseSettings(set.code === 1 ? Buffer.alloc(0) : outputOf(set));
  return { layout, settings, ref: ref ?? (await headRef(asked)) };
}

/** Throws if git would be led elsewhere from recorded directories, or must not read what is there. */
export async function checkStored(stored: StoredDirectories): Promise<void> {
  await checkDirectories(stored);
  await checkGitFiles(stored);
}

/** Git in a repository's own git directory. Neither `core.worktree` nor another repository further up counts. */
export function ownDirectory(run: GitRun, stored?: StoredDirectories): GitRun {
  const own = { GIT_WORK_TREE: run.cwd, GIT_CEILING_DIRECTORIES: resolve(run.cwd, "..") };
  const { gitDirectory, treeDirectory = gitDirectory } = stored ?? {};
  // The second also counts for a main working tree: without it, git would follow a planted `commondir`.
  const directories =
    gitDirectory === undefined || treeDirectory === undefined
      ? {}
      : { GIT_DIR: treeDirectory, GIT_COMMON_DIR: gitDirectory };
  return { ...run, environment: { ...run.environment, ...own, ...directories } };
}

export function outputOf({ code, output, messages = "" }: Result): Buffer {
  if (code === null) throw new Error("git was ended by a signal");
  if (code !== 0) throw new Error(`git ended with ${code}\n${messages}`.trim());
  return output;
}

const LAYOUT_ARGS = [
  "rev-parse",
  ...["--git-dir", "--git-path", "index", "--git-path", "objects", "--git-path", "info"],
  // Prints nothing for a HEAD without a commit, and no name while a branch is called HEAD.
  ...["--show-object-format", "--revs-only", "HEAD^{commit}", "--symbolic-full-name", "HEAD"],
];

function parseLayout(output: Buffer, top: string): { layout: Layout; ref: string | undefined } {
  const lines = output.toString("latin1").split("\n").slice(0, -1);
  const [gitDirectory = "", index = "", objects = "", info = "", objectFormat, commit, ref] = lines;
  // A path with a line break shifts everything that follows.
  if (lines.length > 7 || (objectFormat !== "sha1" && objectFormat !== "sha256")) {
    throw new Error("Unexpected description of the repository by git");
  }
  const at = (path: string) => resolve(top, Buffer.from(path, "latin1").toString());
  const places = { gitDirectory: at(gitDirectory), index: at(index), objects: at(objects) };
  return { layout: { top, ...places, info: at(info), objectFormat, commit }, ref };
}

async function headRef(run: GitRun): Promise<string | undefined> {
  const { code, output } = await runGit({ args: ["symbolic-ref", "--quiet", "HEAD"] }, run);
  return code === 0 ? output.toString("latin1").trimEnd() : undefined;
}
