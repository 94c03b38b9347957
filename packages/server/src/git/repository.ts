import { createHash } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { abortable } from "./abortable.ts";
import { describeRepository, outputOf, ownDirectory } from "./describe.ts";
import type { IndexEdit } from "./edit-index.ts";
import { findTop } from "./find-top.ts";
import { replaceIndex } from "./index-lock.ts";
import { type ObjectWriter, objectWriter } from "./object-writer.ts";
import { changeOwnIndex } from "./own-index.ts";
import {
  editedIndex,
  hashSizeOf,
  infoFile,
  makePrivateDirectory,
  mayConvert,
  privateEnvironment,
  writeSparseCheckout,
} from "./private-directory.ts";
import { type GitCommand, type GitOutput, type GitRun, runGit, streamGit } from "./run-git.ts";
import { type Identity, identityOf, isSparse } from "./settings.ts";
import type { GitTree } from "./tree.ts";

export interface GitPlace extends GitRun {
  /** The working tree, if it is on record; otherwise it is discovered. */
  readonly tree?: GitTree | undefined;
  /** A directory for temporary files; created when needed. */
  readonly scratch: string;
}

/** A repository as seen from a directory of its working tree: paths are relative to that directory. */
export interface Repository extends AsyncDisposable {
  /** Undefined while HEAD is detached. Latin 1 stands for bytes, here and below. */
  readonly branch: string | undefined;
  /** `init.defaultBranch`, if it is set. */
  readonly defaultBranch: string | undefined;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** What the working tree is compared with: the last commit, or the empty tree before there is one. */
  readonly base: string;
  /** HEAD and index of this tree. */
  readonly treeDirectory: string;
  /** Who the user is to git, if it knows. */
  readonly identity: Identity | undefined;
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
  /** For commands that write objects into the repository's store. */
  readonly writer: ObjectWriter;
  /** The same, but objects go into the private directory and are deleted with it. */
  readonly trial: ObjectWriter;
  /** Like `writer`, with an index of its own in the private directory. */
  indexNamed(name: string): ObjectWriter;
  /** Replaces the repository's own index with the one that `run` left behind. Throws `IndexLocked`. */
  saveIndex(): Promise<void>;
  /** Changes entries of the repository's own index; the rest of it stays as it is. Throws `IndexLocked`. */
  changeIndex(change: (index: ObjectWriter) => Promise<void>): Promise<void>;
  /** Whether git may store files differently from how they are in the working tree. */
  mayConvert(): Promise<boolean>;
  /** Which of these files, relative to the top, a filter would convert. Drover runs none. */
  filtered(paths: readonly string[]): Promise<string[]>;
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
  const { tree } = place;
  const top = await abortable(tree ? presentTop(tree) : findTop(cwd), signal);
  if (top === undefined) return undefined;
  const asked = { cwd: top, environment, signal };
  const { layout, settings, ref } = await describeRepository(asked, tree);
  const branch = branchOf(ref);
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
  const writer = objectWriter(layout, { environment, signal, directory: directory.path });
  const objects = join(directory.path, "objects");
  const trial = objectWriter({ ...layout, objects }, { environment, signal, directory: directory.path });
  const empty = (type: string) => createHash(layout.objectFormat).update(`${type} 0\0`).digest("hex");
  return {
    branch,
    defaultBranch: settings.get("init.defaultbranch") || undefined,
    commit: layout.commit,
    base: layout.commit ?? empty("tree"),
    treeDirectory: layout.gitDirectory,
    identity: identityOf(settings),
    emptyBlob: empty("blob"),
    hasSparseIndex: directory.hasSparseIndex,
    prefix: cwd === top ? "" : `${Buffer.from(cwd.slice(top.length).replace(/^\//, "")).toString("latin1")}/`,
    ...access(run),
    withIndex: async (edit) => {
      const index = await editedIndex(directory.path, edit, hashSizeOf(layout));
      return access({ ...run, environment: { ...run.environment, GIT_INDEX_FILE: index } });
    },
    writer,
    trial,
    indexNamed: (name) =>
      objectWriter(layout, {
        ...{ environment, signal, directory: directory.path, index: join(directory.path, name) },
      }),
    saveIndex: async () => {
      await replaceIndex(layout.index, { by: join(directory.path, "index") });
    },
    changeIndex: async (change) => {
      // Files that a sparse checkout leaves out stay out.
      if (isSparse(settings)) await writeSparseCheckout(directory.path, layout);
      await changeOwnIndex({ environment, signal, directory: directory.path, layout }, change);
    },
    mayConvert: () => mayConvert(layout, settings),
    filtered: async (paths) => {
      const attributes = join(directory.path, "info/attributes");
      const ours = await readFile(attributes);
      await writeFile(attributes, await infoFile(layout, "attributes"));
      try {
        return filteredIn(await writer.run(filterQuery(paths)));
      } finally {
        await writeFile(attributes, ours);
      }
    },
    refs: async (format, paths) =>
      outputOf(
        await runGit({ args: ["for-each-ref", `--format=${format}`], paths }, ownDirectory(asked, tree)),
      ),
    [Symbol.asyncDispose]: () => remove(directory.path),
  };
}

const presentTop = ({ top }: GitTree): Promise<string | undefined> =>
  stat(top).then(
    (found) => (found.isDirectory() ? top : undefined),
    () => undefined,
  );

const filterQuery = (paths: readonly string[]): GitCommand => ({
  args: ["check-attr", "-z", "--stdin", "filter"],
  input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
});

/** Reads path, attribute and value, each followed by a NUL. */
function filteredIn(output: Buffer): string[] {
  const tokens = output.toString("latin1").split("\0").slice(0, -1);
  return tokens.filter((_, at) => at % 3 === 0 && !/^un(specified|set)$/.test(tokens[at + 2] ?? ""));
}

const HEADS = "refs/heads/";
const branchOf = (ref: string | undefined): string | undefined =>
  ref?.startsWith(HEADS) ? ref.slice(HEADS.length) : undefined;

const remove = (path: string) => rm(path, { recursive: true, force: true });
