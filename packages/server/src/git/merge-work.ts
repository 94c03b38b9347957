import { refuseProgress, stage } from "./commit.ts";
import { idIn, type ObjectWriter } from "./object-writer.ts";
import { type GitPlace, openRepository, type Repository } from "./repository.ts";
import type { Identity } from "./settings.ts";
import type { GitTree } from "./tree.ts";

/**
 * `own_branch`: a branch can't be merged into itself. `other_branch`: the session's tree is on a branch that isn't the
 * session's. `no_branch`: the session's branch is gone. `busy`: git is in the middle of something on the target, or
 * several working trees are on it. `filter`: a checkout would need one, and Drover runs none. `stale`: not what was
 * checked. `changed`: not the work that a person wanted to merge.
 */
export type NotMergedReason =
  | "unknown_branch"
  | "own_branch"
  | "other_branch"
  | "no_branch"
  | "symbolic"
  | "unrelated"
  | "old_git"
  | "conflicts"
  | "nothing"
  | "in_the_way"
  | "busy"
  | "filter"
  | "stale"
  | "changed"
  | "moved";

/** Why there is no merge; `paths` are relative to the top, and Latin 1 stands for bytes. */
export class NotMerged extends Error {
  override readonly name = "NotMerged";
  readonly reason: NotMergedReason;
  readonly paths: readonly string[];

  constructor(reason: NotMergedReason, detail = reason as string, paths: readonly string[] = []) {
    super(detail);
    this.reason = reason;
    this.paths = paths;
  }
}

/** A working tree that Drover made, and the top of its repository's main working tree. */
export interface MergePlace extends GitPlace {
  readonly tree: GitTree;
  readonly mainTop: string;
  /** The branch that Drover made for it; Latin 1 stands for bytes. */
  readonly branch: string | undefined;
}

/** Throws if the tree is gone. */
export async function openTree(place: GitPlace & { readonly tree: GitTree }): Promise<Repository> {
  const repository = await openRepository(place);
  if (!repository) throw new Error(`${place.tree.top} is gone`);
  return repository;
}

/** Where a branch is; Latin 1 stands for bytes. Throws `NotMerged`. */
export async function tipOf(repository: Repository, branch: string): Promise<string> {
  const tip = await branchTip(repository, branch);
  if (tip === undefined) throw new NotMerged("unknown_branch");
  if (tip.isSymbolic) throw new NotMerged("symbolic");
  return tip.commit;
}

/** Whether a branch of this name exists; Latin 1 stands for bytes. */
export const hasBranch = async (repository: Pick<Repository, "refs">, name: string): Promise<boolean> =>
  (await branchTip(repository, name)) !== undefined;

async function branchTip({ refs }: Pick<Repository, "refs">, branch: string) {
  const ref = `refs/heads/${branch}`;
  const output = await refs("%(objectname) %(if)%(symref)%(then)symbolic%(end) %(refname)", [
    Buffer.from(ref, "latin1"),
  ]);
  for (const line of output.toString("latin1").split("\n")) {
    const [commit = "", symbolic] = line.split(" ", 2);
    if (line.slice(commit.length + (symbolic?.length ?? 0) + 2) === ref)
      return { commit, isSymbolic: symbolic !== "" };
  }
  return undefined;
}

export interface WorkOrder {
  readonly writer: ObjectWriter;
  readonly top: string;
  readonly message: string;
  readonly identity?: Identity | undefined;
  /** The commit that an unfinished update brings: the other parent. */
  readonly update?: string | undefined;
}

/**
 * A commit of everything that a tree has and does not ignore: the last commit if nothing has changed since. An update
 * that somebody has committed already brings nothing.
 */
export async function commitWork(
  repository: Repository,
  { writer, top, message, identity, update }: WorkOrder,
): Promise<string> {
  const { commit } = repository;
  const staging = { ...repository, writer };
  await refuseProgress(staging);
  const isChanged = await stage(staging, { top, isWanted: () => true });
  const brought = update && commit && (await isAncestor(writer, [update, commit])) ? undefined : update;
  if (commit !== undefined && brought === undefined && !isChanged) return commit;
  const tree = idIn(await writer.run({ args: ["write-tree"] }));
  if (commit !== undefined && brought === undefined && tree === (await treeOf(writer, commit))) return commit;
  const parents = [commit, brought].filter((each) => each !== undefined);
  return writer.commit(tree, { message, parents, ...(identity ? { identity } : {}) });
}

export const treeOf = async (writer: ObjectWriter, commit: string): Promise<string> =>
  idIn(await writer.run({ args: ["rev-parse", `${commit}^{tree}`] }));

/** Whether the history of a commit contains another one. */
export async function isAncestor(
  writer: ObjectWriter,
  [older, newer]: readonly [string, string],
): Promise<boolean> {
  return (await writer.attempt({ args: ["merge-base", "--is-ancestor", older, newer] })).code === 0;
}

/**
 * What a merge would bring is what the work has beyond this commit. If there are several, it is the target itself: then
 * everything that differs is shown, also what is only the target's. Undefined if the histories are unrelated.
 */
export async function mergeBase(
  writer: ObjectWriter,
  [target, work]: readonly [string, string],
): Promise<string | undefined> {
  const { output } = await writer.attempt({ args: ["merge-base", "--all", target, work] });
  const bases = output.toString().split("\n").filter(Boolean);
  return bases.length > 1 ? target : bases[0];
}

/** Names what people review: the files, and what they are compared with. */
export const workId = (tree: string, base: string): string => `${tree}-${base}`;

/** How many commits each of two commits has that the other one hasn't. */
export async function distance(
  writer: ObjectWriter,
  [target, work]: readonly [string, string],
): Promise<{ ahead: number; behind: number }> {
  const args = ["rev-list", "--left-right", "--count", `${target}...${work}`];
  const [behind = 0, ahead = 0] = idIn(await writer.run({ args }))
    .split("\t")
    .map(Number);
  return { ahead, behind };
}

/** The tree of a merge; files with conflicts have markers in it. */
export async function mergeTrees(
  writer: ObjectWriter,
  commits: readonly [string, string],
): Promise<{ tree: string; conflicts: string[] }> {
  const how = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const { code, output, messages } = await writer.attempt({ args: ["merge-tree", ...how, ...commits] });
  // 1 stands for conflicts.
  if (code !== 0 && code !== 1) {
    const version = idIn(await writer.run({ args: ["version"] }));
    if (isOld(version)) throw new NotMerged("old_git", version);
    const common = await writer.attempt({ args: ["merge-base", ...commits] });
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
