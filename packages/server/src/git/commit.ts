import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setEntries } from "./checkpoint.ts";
import { parseRaw, type TreeChange } from "./checkpoint-restore.ts";
import { bytesOf, judgeIn, scan } from "./checkpoint-scan.ts";
import { idIn } from "./object-writer.ts";
import { updateRefs } from "./refs.ts";
import { type GitPlace, openRepository, type Repository } from "./repository.ts";
import type { GitTree } from "./tree.ts";
import { treesOn } from "./worktree.ts";

/** Why there is no commit; `paths` are relative to the top, and Latin 1 stands for bytes. */
export class NotCommitted extends Error {
  override readonly name = "NotCommitted";
  readonly reason: NotCommittedReason;
  readonly paths: readonly string[];

  constructor(reason: NotCommittedReason, paths: readonly string[] = []) {
    super(`There is no commit: ${reason}`);
    this.reason = reason;
    this.paths = paths;
  }
}

/** What git is in the middle of, and the file that says so. */
const PROGRESS = {
  rebase: ["rebase-merge", "rebase-apply"],
  merge: ["MERGE_HEAD"],
  cherry_pick: ["CHERRY_PICK_HEAD"],
  revert: ["REVERT_HEAD"],
} as const;

export type NotCommittedReason =
  | keyof typeof PROGRESS
  | "branch_in_use"
  | "conflicts"
  | "detached"
  | "filter"
  | "links"
  | "moved"
  | "no_identity"
  | "nothing"
  | "unchanged_path";

export interface CommitOrder {
  readonly message: string;
  /** Files and directories, relative to the top; Latin 1 stands for bytes. */
  readonly paths: readonly string[];
  /** Each of them must have changed. */
  readonly isChosen: boolean;
}

/**
 * Commits files as they are in the working tree to the branch that is checked out. No hook runs, and nothing is signed.
 * The index agrees with the commit for these files and keeps what else was staged. It is changed before the branch: if
 * the server dies in between, the files are staged and nothing is lost. Throws `NotCommitted` or `IndexLocked`.
 */
export async function commitFiles(
  place: GitPlace,
  tree: GitTree,
  { message, paths, isChosen }: CommitOrder,
): Promise<{ commit: string; branch: string; paths: readonly string[] }> {
  await using repository = await openRepository(place);
  if (!repository || (await realpath(repository.treeDirectory)) !== tree.treeDirectory)
    throw new Error(`${tree.top} is gone`);
  const { writer, branch, identity, base, commit: parent } = repository;
  await refuseProgress(repository);
  if (branch === undefined) throw new NotCommitted("detached");
  // In the other tree, the commit would look like a change that someone has staged there.
  if ((await treesOn(tree, branch, place)) > 1) throw new NotCommitted("branch_in_use");
  if (!identity) throw new NotCommitted("no_identity");
  await stage(repository, { top: tree.top, isWanted: (path) => paths.some((each) => isAt(path, each)) });
  const written = idIn(await writer.run({ args: ["write-tree"] }));
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", base, written];
  const changes = parseRaw(await writer.run({ args }));
  const unchanged = paths.filter((each) => !changes.some(({ path }) => isAt(path, each)));
  if (isChosen && unchanged.length > 0) throw new NotCommitted("unchanged_path", unchanged);
  if (changes.length === 0) throw new NotCommitted("nothing");
  const ref = `refs/heads/${branch}`;
  await refuseLinks(tree, ref);
  const commit = await writer.commit(written, { message, identity, parents: parent ? [parent] : [] });
  await repository.changeIndex((index) => setEntries(index, changes.map(entryOf)));
  const subject = message.split("\n", 1)[0] ?? "";
  const log = { message: `commit${parent ? "" : " (initial)"}: ${subject}`, identity };
  const { environment, signal } = place;
  const isMoved = await updateRefs(tree, [{ ref, to: commit, from: parent ?? null }], {
    ...{ environment, signal, log },
  });
  if (!isMoved) throw new NotCommitted("moved");
  return { commit, branch, paths: changes.map(({ path }) => path) };
}

const entryOf = ({ path, after }: TreeChange) => (after ? { path, object: after } : { path });

/** Whether a path is a place or below it; every path is below "". */
export const isAt = (path: string, place: string): boolean => {
  const directory = place.replace(/\/$/, "");
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
};

/** Throws `NotCommitted` while git is in the middle of something, or files have conflicts. */
export async function refuseProgress({
  treeDirectory,
  writer,
}: Pick<Repository, "treeDirectory" | "writer">): Promise<void> {
  for (const [reason, names] of Object.entries(PROGRESS))
    for (const name of names)
      if (await isThere(join(treeDirectory, name))) throw new NotCommitted(reason as keyof typeof PROGRESS);
  const unmerged = (await writer.run({ args: ["ls-files", "--unmerged", "-z"] })).toString("latin1");
  const paths = new Set(
    unmerged
      .split("\0")
      .slice(0, -1)
      .map((entry) => entry.slice(entry.indexOf("\t") + 1)),
  );
  if (paths.size > 0) throw new NotCommitted("conflicts", [...paths]);
}

/**
 * Makes the private index the last commit with the wanted files as they are now. False if none of them has changed.
 * Throws `NotCommitted`.
 */
export async function stage(
  { writer, base, filtered }: Pick<Repository, "writer" | "base" | "filtered">,
  { top, isWanted }: { top: string; isWanted: (path: string) => boolean },
): Promise<boolean> {
  const compare = ["diff-index", "--cached", "-z", "--no-renames", "--raw", base];
  const staged = parseRaw(await writer.run({ args: compare }));
  await writer.run({ args: ["read-tree", "--reset", base] });
  const found = await scan(writer, { top, maxFile: Number.POSITIVE_INFINITY });
  const added = new Set(found.added.filter(isWanted));
  const judge = judgeIn(top, Number.POSITIVE_INFINITY);
  // Files that someone has staged although they are ignored.
  for (const { path, before } of staged)
    if (!before && isWanted(path) && (await judge(path)) === "add") added.add(path);
  const removed = found.removed.filter(isWanted);
  if (added.size === 0 && removed.length === 0) return false;
  const converted = await filtered([...added]);
  if (converted.length > 0) throw new NotCommitted("filter", converted);
  await setEntries(
    writer,
    removed.map((path) => ({ path })),
  );
  if (added.size === 0) return true;
  const input = Buffer.from([...added].map((path) => `${path}\0`).join(""), "latin1");
  await writer.run({ args: ["update-index", "-z", "--add", "--replace", "--stdin"], input });
  return true;
}

/** A branch or a log that is a link would be written somewhere else. */
async function refuseLinks({ gitDirectory, treeDirectory }: GitTree, ref: string): Promise<void> {
  const places = [
    [gitDirectory, ref],
    [gitDirectory, `logs/${ref}`],
    [treeDirectory, "logs/HEAD"],
  ] as const;
  for (const [directory, place] of places) {
    const names = place.split("/");
    for (const end of names.keys()) {
      const path = names.slice(0, end + 1).join("/");
      const found = await lstat(bytesOf(directory, path)).catch(() => undefined);
      if (found?.isSymbolicLink()) throw new NotCommitted("links", [path]);
    }
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
