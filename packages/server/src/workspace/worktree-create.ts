import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { err, ok, type Rejection, type Result, reject, shellWord } from "@drover/core";
import { describeRepository } from "../git/describe.ts";
import { openRepository } from "../git/repository.ts";
import { ForgedTree, type FoundTree, findTree } from "../git/tree.ts";
import {
  addWorktree,
  branchOf,
  commitOf,
  commonCommit,
  type GitMeans,
  isPartialClone,
  registeredTrees,
} from "../git/worktree.ts";
import type { MadeWorkspace, NewWorkspace, SessionWorkspace, WorkspaceRepository } from "../ports.ts";
import type { Comparison, WorkspaceDeps } from "./comparison.ts";
import { claimPorts, type PortBlocks } from "./port-blocks.ts";
import { recordedTree } from "./recorded-tree.ts";
import type { RepositoryLocks } from "./repository-lock.ts";
import { failure, gitFailure, WorktreeFailed } from "./worktree-failure.ts";
import { exclude, FOLDER } from "./worktree-files.ts";

export interface WorktreeDeps {
  readonly git: WorkspaceDeps;
  readonly comparison: Comparison;
  readonly ports: () => PortBlocks;
  readonly locks: RepositoryLocks;
  /** Where a path leads, if that is inside the allowed roots. */
  readonly resolvePath: (path: string, field: string) => Promise<Result<string, Rejection>>;
  /** The top of the repository that contains a directory, unless it is the user's home or above it. */
  readonly repositoryTop: (directory: string) => Promise<string | undefined>;
}

/** A worktree as it is going to be. */
export interface Plan {
  readonly workspace: SessionWorkspace & {
    readonly branch: string;
    readonly repository: WorkspaceRepository;
  };
  readonly cwd: string;
  /** The commit whose files it gets. */
  readonly commit: string;
  /** `branch`: the branch exists. `tree`: the tree exists as well, and stays as it is. */
  readonly existing: "nothing" | "branch" | "tree";
}

/** The repository of a directory that a person chose. */
export async function repositoryOf(
  deps: WorktreeDeps,
  { name, directory }: NewWorkspace,
): Promise<Result<{ tree: FoundTree; path: string }, Rejection>> {
  const top = await deps.repositoryTop(directory);
  const tree = top === undefined ? undefined : await findTree(directory).catch(forged);
  if (tree === undefined || tree.top !== top) {
    const message = `${directory} is not in a git repository, so it can't have worktrees.`;
    const facts = { reason: "no_repository", path: directory } as const;
    return err(failure(message, `git -C ${shellWord(directory)} init`, facts));
  }
  const path = join(tree.mainTop, FOLDER, name);
  if (await isOccupied(dirname(path))) return leadsElsewhere(path);
  const resolved = await deps.resolvePath(path, "cwd");
  if (!resolved.ok) return resolved;
  if (resolved.value === path) return ok({ tree, path });
  return leadsElsewhere(path);
}

/** Whether something else is where a folder belongs: a link, which may lead anywhere, or a file. */
const isOccupied = (folder: string): Promise<boolean> =>
  lstat(folder).then(
    (found) => !found.isDirectory(),
    () => false,
  );

/** Names what keeps a worktree from its place: a link or a file instead of the folder of all of them, or only this one. */
export async function leadsElsewhere(path: string): Promise<Result<never, Rejection>> {
  const folder = dirname(path);
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isFile()) return pathTaken(folder);
  if ((await realpath(folder).catch(() => undefined)) === folder) return pathTaken(path);
  const message = `${folder} leads to another directory.`;
  return err(failure(message, `rm ${shellWord(folder)}`, { reason: "path_taken", path: folder }));
}

/** Turns what `findTree` and git's own checks throw into a failure. */
export function forged(error: unknown): never {
  if (!(error instanceof ForgedTree)) throw error;
  const message = `This directory pretends to belong to another repository: ${error.message}.`;
  const facts = { reason: "commondir_forged", detail: error.message } as const;
  throw new WorktreeFailed(failure(message, "git worktree repair", facts));
}

/** Decides what to make. Changes nothing. */
export async function plan(
  wanted: NewWorkspace,
  { tree, path }: { tree: FoundTree; path: string },
  means: GitMeans,
): Promise<Result<Plan, Rejection>> {
  const { name, directory, base, reattach = false } = wanted;
  const refused = await refusedByGit(tree, means);
  if (refused) return refused;
  const head = await commitOf(tree, base ?? "HEAD", means);
  if (head === undefined) return base === undefined ? noCommits(tree.mainTop) : unknownBase(base);
  const branch = `drover/${name}`;
  const tip = await commitOf(tree, `refs/heads/${branch}`, means);
  if (tip !== undefined && !reattach) return branchTaken(name, branch);
  const { mainTop: top, gitDirectory } = tree;
  const registered = (await registeredTrees(tree)).find((each) => each.top === path);
  const isTree =
    tip !== undefined && registered !== undefined && (await branchOf(registered, means)) === branch;
  const isPathTaken = await exists(path);
  if (isPathTaken && !isTree) return pathTaken(path);
  const fork = tip === undefined ? head : ((await commonCommit(tree, [tip, head], means)) ?? head);
  const ref = base ?? (await branchOf(tree, means)) ?? "HEAD";
  const treeDirectory = registered?.treeDirectory ?? join(gitDirectory, "worktrees", name);
  return ok({
    workspace: {
      ...{ mode: "worktree", path, projectDir: directory, branch, confined: false },
      repository: { top, gitDirectory, treeDirectory },
      base: { ref, commit: fork },
      ...(tip === undefined ? { isNewBranch: true } : {}),
    },
    cwd: join(path, relative(tree.top, directory)),
    commit: tip ?? head,
    existing: tip === undefined ? "nothing" : isPathTaken ? "tree" : "branch",
  });
}

/** With recorded directories, git would accept another user's repository, which it normally rejects. */
async function refusedByGit(tree: FoundTree, means: GitMeans): Promise<Result<never, Rejection> | undefined> {
  const { top, treeDirectory } = tree;
  const described = await describeRepository({ cwd: top, ...means }).catch(() => undefined);
  if (described?.layout.gitDirectory === treeDirectory) return undefined;
  means.signal.throwIfAborted();
  const message = `Git rejects the repository ${top}: it is broken, or belongs to another user.`;
  return err(failure(message, `git -C ${shellWord(top)} status`, { reason: "no_repository", path: top }));
}

/** The plan with its own block of ports. */
export async function withPorts(deps: WorktreeDeps, planned: Plan): Promise<Result<Plan, Rejection>> {
  const ports = await ownPorts(deps, planned.workspace);
  return ports.ok ? ok({ ...planned, workspace: { ...planned.workspace, ports: ports.value } }) : ports;
}

/** A worktree's own block of ports. */
export async function ownPorts(
  deps: WorktreeDeps,
  { path, ports: earlier }: SessionWorkspace,
): Promise<Result<readonly [number, number], Rejection>> {
  const blocks = deps.ports();
  const ports = await claimPorts(blocks, { path, ports: earlier });
  if (ports) return ok(ports);
  const message = `All ports from ${blocks.range.join(" to ")} belong to worktrees; widen worktrees.ports.`;
  return err(failure(message, "drover workspaces", { reason: "disk", path, detail: "no free ports" }));
}

/** Makes what was planned, and returns its own git directory. Throws `WorktreeFailed`. */
export async function make(
  deps: WorktreeDeps,
  { workspace, cwd, commit, existing }: Plan,
  means: GitMeans,
): Promise<MadeWorkspace> {
  const { path, branch, repository } = workspace;
  const { top, gitDirectory } = repository;
  const explain = (said: string) => explained({ workspace, commit }, said, means);
  await exclude(gitDirectory);
  if (existing === "tree") return { workspace, cwd, isNew: false, notices: [] };
  const start = existing === "nothing" ? { commit } : {};
  const { code, messages } = await addWorktree(repository, { path, branch, ...start }, means);
  if (code !== 0) throw await explain(messages);
  const tree = (await registeredTrees(repository)).find((each) => each.top === path);
  if (!tree) throw await explain("git did not register the worktree");
  const made = { ...workspace, repository: { top, gitDirectory, treeDirectory: tree.treeDirectory } };
  await writing({ workspace: made, commit }, means, writeFiles(deps.git, { workspace: made, commit }, means));
  const inside = await deps.resolvePath(cwd, "cwd");
  if (!inside.ok || inside.value !== cwd) throw await explain(`${cwd} leads out of the worktree`);
  await mkdir(cwd, { recursive: true });
  return { workspace: made, cwd, isNew: true, notices: [] };
}

type Attempt = Pick<Plan, "workspace" | "commit">;

/** Turns what git says while it writes the files of a commit into `WorktreeFailed`. */
export const writing = (attempt: Attempt, means: GitMeans, work: Promise<void>): Promise<void> =>
  work.catch(async (error: unknown) => {
    if (means.signal.aborted) throw error;
    throw await explained(attempt, error instanceof Error ? error.message : String(error), means);
  });

async function explained({ workspace, commit }: Attempt, said: string, means: GitMeans) {
  const { path, branch, repository } = workspace;
  const attempted = { top: repository.top, path, branch, commit };
  const isPartial = await isPartialClone(repository, means);
  return new WorktreeFailed(gitFailure(said, { ...attempted, isPartialClone: isPartial }));
}

/** Writes the files of a commit into a worktree that has none, and its index. */
export async function writeFiles(
  deps: WorkspaceDeps,
  { workspace, commit }: { workspace: SessionWorkspace; commit: string },
  means: GitMeans,
): Promise<void> {
  const place = { ...means, cwd: workspace.path, scratch: deps.scratch, tree: recordedTree(workspace) };
  await using repository = await openRepository(place);
  if (!repository) throw new Error(`${workspace.path} is gone`);
  // As many workers as there are processors: most of the time is spent waiting for the file system.
  await repository.run({ args: ["-c", "checkout.workers=0", "read-tree", "--reset", "-u", commit] });
  await repository.saveIndex();
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

function noCommits(top: string) {
  const command = `git -C ${shellWord(top)} commit --allow-empty -m "Start"`;
  return err(
    failure(`The repository ${top} has no commits yet.`, command, { reason: "no_commits", path: top }),
  );
}

function unknownBase(base: string) {
  const message = `There is no branch, tag or commit "${base}"; list branches with \`git branch --all\``;
  return reject("BAD_REQUEST", message, { issues: [{ path: "base", message }] });
}

const branchTaken = (name: string, branch: string) =>
  reject(
    "NAME_TAKEN",
    `The branch ${branch} already exists; choose a name other than ${name}, or continue that branch with reattach`,
    { branch },
  );

export function pathTaken(path: string) {
  const isFolder = basename(path) === FOLDER;
  const message = `${path} already exists, and is not ${isFolder ? "a directory" : "a worktree of this branch"}.`;
  const command = `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`;
  return err(failure(message, command, { reason: "path_taken", path }));
}
