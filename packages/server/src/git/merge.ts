import { parseRaw, type TreeChange } from "./checkpoint-restore.ts";
import { filesInTheWay } from "./in-the-way.ts";
import {
  commitWork,
  distance,
  type MergePlace,
  mergeBase,
  mergeTrees,
  NotMerged,
  openTree,
  tipOf,
  treeOf,
} from "./merge-work.ts";
import type { ObjectWriter } from "./object-writer.ts";
import type { Repository } from "./repository.ts";
import { treeOn } from "./worktree.ts";

const MESSAGE = "Uncommitted work\n";

/** A look at everything that a tree has and does not ignore. */
export interface Work {
  readonly place: MergePlace;
  readonly repository: Repository;
  /** In a private directory, unless there is nothing uncommitted. */
  readonly commit: string;
}

/**
 * Looks at the work of a tree, uncommitted files included, as a commit that is forgotten afterwards. `update`: the
 * commit that an unfinished update brings. Throws `NotCommitted` if there can be no commit of the uncommitted files.
 */
export async function withWork<T>(
  place: MergePlace,
  update: string | undefined,
  look: (work: Work) => Promise<T>,
): Promise<T> {
  await using repository = await openTree(place);
  const order = { writer: repository.trial, top: place.tree.top, message: MESSAGE, update };
  return await look({ place, repository, commit: await commitWork(repository, order) });
}

/** The same commit in the repository itself, with no ref that keeps it. */
export async function keepWork(place: MergePlace, update: string | undefined): Promise<string> {
  await using repository = await openTree(place);
  const { writer } = repository;
  return await commitWork(repository, { writer, top: place.tree.top, message: MESSAGE, update });
}

/** Paths are relative to the top, and Latin 1 stands for bytes. */
export interface TriedMerge {
  readonly conflicts: readonly string[];
  readonly ahead: number;
  readonly behind: number;
  readonly checkout?: { readonly top: string; readonly inTheWay: readonly string[] };
}

/** Merges the work into a branch, and forgets the result. Throws `NotMerged`. */
export async function tryMerge({ place, repository, commit: work }: Work, into: string): Promise<TriedMerge> {
  const { tree, mainTop } = place;
  const { trial } = repository;
  const target = await tipOf(repository, into);
  if (into === repository.branch) throw new NotMerged("own_branch");
  const merged = await mergeTrees(trial, [target, work]);
  const result = { conflicts: merged.conflicts, ...(await distance(trial, [target, work])) };
  const checkout = await treeOn({ gitDirectory: tree.gitDirectory, top: mainTop }, into, place);
  if (!checkout) return result;
  const touched = await changesBetween(trial, [target, merged.tree]);
  const inTheWay = await filesInTheWay({ ...place, cwd: checkout.top, tree: checkout }, touched);
  return { ...result, checkout: { top: checkout.top, inTheWay } };
}

/** The paths that differ between two commits or trees; a renamed file is two of them. */
export async function changesBetween(
  writer: ObjectWriter,
  [before, after]: readonly [string, string],
): Promise<TreeChange[]> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", before, after];
  return parseRaw(await writer.run({ args }));
}

export interface WorkSummary {
  /** What the files are compared with. */
  readonly base: string;
  /** The tree of everything that the session has. */
  readonly tree: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly ahead: number;
  readonly behind: number;
  /** Relative to the top; Latin 1 stands for bytes. */
  readonly conflicts: readonly string[];
}

export interface SummaryOrder {
  /** Where the session began. */
  readonly base: string;
  readonly into?: string | undefined;
}

/** What a merge into a branch would bring; if there can be none, what the work has beyond the tree's own base. */
export async function summarizeWork(
  { repository, commit: work }: Work,
  { base: own, into }: SummaryOrder,
): Promise<WorkSummary> {
  const { trial } = repository;
  const target = into === undefined ? undefined : await tipOf(repository, into).catch(unlessKnown);
  const common = target && (await mergeBase(trial, [target, work]));
  const [base, other] = target && common ? [common, target] : [own, undefined];
  // Beyond what both have in common, the work has the same commits as beyond the target.
  const { ahead, behind } = await distance(trial, [other ?? base, work]);
  const tree = await treeOf(trial, work);
  const args = ["diff-tree", "-r", "-z", "--numstat", base, work];
  const lines = (await trial.run({ args })).toString("latin1").split("\0").slice(0, -1);
  // Binary files have `-` in place of numbers.
  const counts = lines.map((line) => line.split("\t", 2).map((each) => Number(each) || 0));
  const sum = (at: number) => counts.reduce((all, each) => all + (each[at] ?? 0), 0);
  const mayConflict = other !== undefined && ahead > 0 && behind > 0;
  const merged = mayConflict ? await mergeTrees(trial, [other, work]).catch(unlessKnown) : undefined;
  return {
    ...{ base, tree, files: lines.length, added: sum(0), removed: sum(1), ahead },
    ...{ behind: other === undefined ? 0 : behind, conflicts: merged?.conflicts ?? [] },
  };
}

function unlessKnown(error: unknown): undefined {
  if (!(error instanceof NotMerged)) throw error;
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
  await using repository = await openTree(place);
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
