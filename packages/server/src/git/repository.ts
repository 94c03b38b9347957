import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { checkGitFiles } from "./check-files.ts";
import type { IndexEdit } from "./edit-index.ts";
import { findTop } from "./find-top.ts";
import { editedIndex, hashSizeOf, type Layout, makePrivateDirectory } from "./private-directory.ts";
import {
  type GitCommand,
  type GitOutput,
  type GitResult,
  type GitRun,
  runGit,
  streamGit,
} from "./run-git.ts";
import { parseSettings, SETTINGS_ARGS } from "./settings.ts";

export interface GitPlace extends GitRun {
  /** A directory for temporary files; created when needed. */
  readonly scratch: string;
}

/** A repository as seen from a directory of its working tree: paths are relative to that directory. */
export interface Repository extends AsyncDisposable {
  /** Undefined while HEAD is detached. Latin 1 stands for bytes, here and below. */
  readonly branch: string | undefined;
  /** `init.defaultBranch`, if it is set. */
  readonly defaultBranch: string | undefined;
  /** What the working tree is compared with: the last commit, or the empty tree before there is one. */
  readonly base: string;
  /** The id of an empty file. */
  readonly emptyBlob: string;
  readonly hasSparseIndex: boolean;
  /** The directory relative to the top, with a trailing slash; empty for the top itself. */
  readonly prefix: string;
  /** Reads commit, index and working tree; nothing the repository names can run, and nothing in it is written. */
  run(command: GitCommand): Promise<Buffer>;
  stream(command: GitCommand): GitOutput;
  /** The same, with other entries in the index. */
  withIndex(edit: IndexEdit): Promise<Pick<Repository, "run" | "stream">>;
  /** The output of `for-each-ref` for these refs. */
  refs(format: string, names: readonly Buffer[]): Promise<Buffer>;
}

/**
 * The only access to git. Undefined if there is no working tree at `place.cwd`; throws if git rejects it (another
 * user's, broken).
 *
 * The repository's own git directory is only queried for paths, refs and a few settings, by commands that read no file
 * of the working tree; everything else runs on a private directory.
 */
export async function openRepository(place: GitPlace): Promise<Repository | undefined> {
  const { cwd, environment, signal } = place;
  const top = await abortable(findTop(cwd), signal);
  if (top === undefined) return undefined;
  await abortable(checkGitFiles(top), signal);
  // Neither `core.worktree` nor another repository further up.
  const own = { GIT_WORK_TREE: top, GIT_CEILING_DIRECTORIES: resolve(top, "..") };
  const asked: GitRun = { cwd: top, environment: { ...environment, ...own }, signal };
  const [found, set] = await Promise.all([
    runGit({ args: LAYOUT_ARGS }, asked),
    runGit({ args: SETTINGS_ARGS }, asked),
  ]);
  if (found.code !== 0) throw new Error("git rejects the repository");
  const { layout, ref } = parseLayout(found.output, top);
  const settings = parseSettings(set.code === 1 ? Buffer.alloc(0) : outputOf(set));
  const branch = branchOf(ref ?? (await headRef(asked)));
  const making = makePrivateDirectory({ layout, settings }, place.scratch);
  const directory = await abortable(making, signal).catch((error: unknown) => {
    making.then(
      ({ path }) => remove(path),
      () => undefined,
    );
    throw error;
  });
  const run = { cwd, environment: { ...environment, ...privateEnvironment(directory.path, top) }, signal };
  if (directory.hasSplitIndex) await runGit({ args: ["update-index", "--no-split-index"] }, run);
  const access = (by: GitRun): Pick<Repository, "run" | "stream"> => ({
    run: async (command) => outputOf(await runGit(command, by)),
    stream: (command) => streamGit(command, by),
  });
  const empty = (type: string) => createHash(layout.objectFormat).update(`${type} 0\0`).digest("hex");
  return {
    branch,
    defaultBranch: settings.get("init.defaultbranch") || undefined,
    base: layout.commit ?? empty("tree"),
    emptyBlob: empty("blob"),
    hasSparseIndex: directory.hasSparseIndex,
    prefix: cwd === top ? "" : `${Buffer.from(cwd.slice(top.length).replace(/^\//, "")).toString("latin1")}/`,
    ...access(run),
    withIndex: async (edit) => {
      const index = await editedIndex(directory.path, edit, hashSizeOf(layout));
      return access({ ...run, environment: { ...run.environment, GIT_INDEX_FILE: index } });
    },
    refs: async (format, paths) =>
      outputOf(await runGit({ args: ["for-each-ref", `--format=${format}`], paths }, asked)),
    [Symbol.asyncDispose]: () => remove(directory.path),
  };
}

export function outputOf({ code, output }: GitResult): Buffer {
  if (code !== 0) throw new Error(`git ended with ${code}`);
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
  const infoFile = (name: string) => resolve(at(info), name);
  return { layout: { top, ...places, info: infoFile, objectFormat, commit }, ref };
}

async function headRef(run: GitRun): Promise<string | undefined> {
  const { code, output } = await runGit({ args: ["symbolic-ref", "--quiet", "HEAD"] }, run);
  return code === 0 ? output.toString("latin1").trimEnd() : undefined;
}

const HEADS = "refs/heads/";
const branchOf = (ref: string | undefined): string | undefined =>
  ref?.startsWith(HEADS) ? ref.slice(HEADS.length) : undefined;

const privateEnvironment = (directory: string, top: string) => ({
  GIT_DIR: directory,
  GIT_WORK_TREE: top,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
});

const remove = (path: string) => rm(path, { recursive: true, force: true });

/** The result, unless the signal comes first: a file system may never respond. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<T>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  work.then(settle, reject).finally(() => signal.removeEventListener("abort", onAbort));
  return promise;
}
