import { parseRaw } from "./checkpoint-restore.ts";
import { refuseProgress, stage } from "./commit.ts";
import { filesInTheWay } from "./in-the-way.ts";
import { idIn, type ObjectWriter } from "./object-writer.ts";
import { type GitPlace, openRepository, type Repository } from "./repository.ts";
import type { GitTree } from "./tree.ts";
import { treeOn } from "./worktree.ts";

export type NotMergedReason = "unknown_branch" | "own_branch" | "unrelated" | "old_git";

/** Why a merge cannot be tried. */
export class NotMerged extends Error {
  override readonly name = "NotMerged";
  readonly reason: NotMergedReason;

  constructor(reason: NotMergedReason, detail = reason as string) {
    super(detail);
    this.reason = reason;
  }
}

/** A working tree that Drover made, and the top of its repository's main working tree. */
export interface MergePlace extends GitPlace {
  readonly tree: GitTree;
  readonly mainTop: string;
}

/** Paths are relative to the top, and Latin 1 stands for bytes. */
export interface TriedMerge {
  readonly conflicts: readonly string[];
  readonly ahead: number;
  readonly behind: number;
  readonly checkout?: { readonly top: string; readonly inTheWay: readonly string[] };
}

/**
 * Merges the work of a tree, uncommitted files included, into a branch, and forgets the result. Everything is written
 * into a private directory. Throws `NotMerged`, or `NotCommitted` if there can be no commit of the uncommitted files.
 */
export async function tryMerge(place: MergePlace, into: string): Promise<TriedMerge> {
  const { tree, mainTop } = place;
  await using repository = await open(place);
  const { trial } = repository;
  const target = await tipOf(repository, into);
  if (target === undefined) throw new NotMerged("unknown_branch");
  if (into === repository.branch) throw new NotMerged("own_branch");
  const work = await commitWork(repository, tree.top);
  const merged = await mergeTrees(trial, [target, work]);
  const args = ["rev-list", "--left-right", "--count", `${target}...${work}`];
  const [behind = 0, ahead = 0] = idIn(await trial.run({ args }))
    .split("\t")
    .map(Number);
  const result = { conflicts: merged.conflicts, ahead, behind };
  const checkout = await treeOn({ gitDirectory: tree.gitDirectory, top: mainTop }, into, place);
  if (!checkout) return result;
  const compare = ["diff-tree", "-r", "-z", "--no-renames", "--raw", target, merged.tree];
  const touched = parseRaw(await trial.run({ args: compare }));
  const inTheWay = await filesInTheWay({ ...place, cwd: checkout.top, tree: checkout }, touched);
  return { ...result, checkout: { top: checkout.top, inTheWay } };
}

/** Whether a branch of this name exists; Latin 1 stands for bytes. */
export async function hasBranch(place: MergePlace, name: string): Promise<boolean> {
  await using repository = await open(place);
  return (await tipOf(repository, name)) !== undefined;
}

async function open(place: MergePlace): Promise<Repository> {
  const repository = await openRepository(place);
  if (!repository) throw new Error(`${place.tree.top} is gone`);
  return repository;
}

async function tipOf({ refs }: Repository, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const output = await refs("%(objectname) %(refname)", [Buffer.from(ref, "latin1")]);
  const lines = output.toString("latin1").split("\n");
  return lines.find((line) => line.slice(line.indexOf(" ") + 1) === ref)?.split(" ", 1)[0];
}

/** A commit of everything that a tree has and does not ignore: the last commit if nothing has changed since. */
async function commitWork(repository: Repository, top: string): Promise<string> {
  const { trial, commit } = repository;
  const onTrial = { ...repository, writer: trial };
  await refuseProgress(onTrial);
  await stage(onTrial, { top, isWanted: () => true });
  const tree = idIn(await trial.run({ args: ["write-tree"] }));
  if (commit === undefined) return trial.commit(tree, { message: "Uncommitted work\n" });
  const committed = idIn(await trial.run({ args: ["rev-parse", `${commit}^{tree}`] }));
  return tree === committed
    ? commit
    : trial.commit(tree, { message: "Uncommitted work\n", parents: [commit] });
}

async function mergeTrees(
  trial: ObjectWriter,
  commits: readonly [string, string],
): Promise<{ tree: string; conflicts: string[] }> {
  const how = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const { code, output, messages } = await trial.attempt({ args: ["merge-tree", ...how, ...commits] });
  // 1 stands for conflicts.
  if (code !== 0 && code !== 1) {
    const version = idIn(await trial.run({ args: ["version"] }));
    if (isOld(version)) throw new NotMerged("old_git", version);
    const common = await trial.attempt({ args: ["merge-base", ...commits] });
    if (common.code === 1) throw new NotMerged("unrelated");
    throw new Error(`git merge-tree ended with ${code}\n${messages}`);
  }
  const [tree = "", ...conflicts] = output.toString("latin1").split("\0").slice(0, -1);
  return { tree, conflicts };
}

/** `merge-tree --write-tree` came with 2.38. */
function isOld(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) < 2 || (Number(major) === 2 && Number(minor) < 38);
}

export interface ListedCommit {
  readonly id: string;
  readonly author: string;
  /** In seconds. */
  readonly time: number;
  readonly subject: string;
}

/** The commits of a tree that a base does not have, newest first. */
export async function commitsSince(
  place: MergePlace,
  { base, limit }: { readonly base: string; readonly limit: number },
): Promise<ListedCommit[]> {
  await using repository = await open(place);
  if (repository.commit === undefined) return [];
  // An agent may write a subject of any length; git pads a shorter one.
  const format = "%H%x00%<(500,trunc)%an%x00%at%x00%<(1000,trunc)%s";
  const args = ["log", "-z", `--max-count=${limit}`, `--format=${format}`, repository.commit, `^${base}`];
  const tokens = (await repository.trial.run({ args })).toString().split("\0");
  return Array.from({ length: Math.floor(tokens.length / 4) }, (_, at) => {
    const [id = "", author = "", time = "", subject = ""] = tokens.slice(at * 4, at * 4 + 4);
    return { id, author: author.trimEnd(), time: Number(time), subject: subject.trimEnd() };
  });
}
