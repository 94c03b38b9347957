import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ok, pathText, type Rejection, type Result, reject } from "@drover/core";
import { bytesOf } from "../git/checkpoint-scan.ts";
import { KEPT, keepFiles } from "../git/kept.ts";
import { keepCommits, leftCommits } from "../git/left-commits.ts";
import { commitOf, type GitMeans, isNamedElsewhere } from "../git/worktree.ts";
import type { KeepOptions, KeptWork, SessionWorkspace } from "../ports.ts";
import { changedFiles } from "./changes.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { refuseBlockedMove } from "./move-nested.ts";
import { nestedRepositories } from "./nested-repositories.ts";
import { recordedTree } from "./recorded-tree.ts";
import { modulesOf } from "./stored-submodules.ts";
import { entriesToLookAt } from "./walk-repositories.ts";
import { openWorkingCopy } from "./working-copy.ts";
import { KEPT_FOLDER, timeInName } from "./worktree-files.ts";

const maxListed = 200;

/** Keeps the files that are in no commit, and commits that no branch has, under a ref. */
export async function keepWork(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  { force, checkOnly = false, means }: KeepOptions & { readonly means: GitMeans },
): Promise<Result<KeptWork | undefined, Rejection>> {
  const tree = recordedTree(workspace);
  const { path, branch } = workspace;
  if (!tree || branch === undefined) return ok(undefined);
  const possible = await refuseBlockedMove(git, workspace, means);
  if (!possible.ok) return possible;
  if (!(await isDirectory(path))) {
    if (checkOnly) return ok(undefined);
    // What is left of its registration may be broken.
    return ok(await keepHistory(workspace, { isWorkKept: false, means }).catch(() => undefined));
  }
  const place = { ...means, cwd: path, scratch: git.scratch, tree };
  const changed = await changedIn(place).catch(() => undefined);
  if (changed === undefined) return unreadable(path);
  // By force, they are moved when the worktree is removed.
  const nested = force ? [] : await listNested(git, workspace, means);
  if (!force && changed.length + nested.length > 0) return dirty(path, { changed, nested });
  if (checkOnly) return ok(undefined);
  const files = await storable(path, changed);
  const isWorkKept = files.present.length + files.absent.length > 0;
  const history = await keepHistory(workspace, { isWorkKept, means });
  if (!isWorkKept) return ok(history);
  const ref = keptRef(branch);
  await keepFiles(place, { ref, ...files });
  return ok({ ref, branch, ...(history ? { commits: history.ref } : {}) });
}

/** Relative to the top of the worktree; those that are stored elsewhere by their whole path. */
async function listNested(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  means: GitMeans,
): Promise<string[]> {
  const { inside, stored } = await nestedRepositories(git, workspace, { limit: entriesToLookAt, means });
  const modules = modulesOf(workspace.repository?.treeDirectory ?? "");
  return [...inside, ...stored.map((path) => bytesOf(modules, path).toString("latin1"))];
}

const keptRef = (branch: string, time = Date.now()): string =>
  `${KEPT}${branch.replace(/^drover\//, "")}/${timeInName(time)}`;

/** Keeps the commits that only HEAD of a worktree leads to, now or earlier. Works without the worktree's files. */
async function keepHistory(
  { branch = "", repository }: SessionWorkspace,
  { isWorkKept, means }: { readonly isWorkKept: boolean; readonly means: GitMeans },
): Promise<KeptWork | undefined> {
  if (!repository || !(await isDirectory(repository.treeDirectory))) return undefined;
  const head = await commitOf(repository, "HEAD", means);
  const isLost = head !== undefined && !isWorkKept && !(await isNamedElsewhere(repository, head, means));
  const left = await leftCommits(repository, means);
  const commits = [...(isLost ? [head] : []), ...left];
  if (commits.length === 0) return undefined;
  // Just before that of the files, which is then the latest.
  const ref = keptRef(branch, Date.now() - 1);
  await keepCommits(repository, { ref, commits }, means);
  return { ref, branch };
}

/** Everything that differs from the last commit, by its bytes in Latin 1. */
export async function changedIn(place: Parameters<typeof openWorkingCopy>[0]): Promise<string[]> {
  await using copy = await openWorkingCopy(place);
  if (!copy) return [];
  const files = await changedFiles(copy);
  return [
    ...new Set(
      files.flatMap(({ path, from, status }) => (from && status === "renamed" ? [from, path] : [path])),
    ),
  ];
}

/**
 * Without repositories inside, FIFOs, sockets and devices: git cannot store them. A path behind a link is not in the
 * tree, whatever the link leads to.
 */
async function storable(top: string, paths: readonly string[]) {
  const present: string[] = [];
  const absent: string[] = [];
  const realTop = await realpath(top);
  for (const path of paths) {
    const name = bytesOf(realTop, path);
    const found = (await isBehindLink(name)) ? undefined : await lstat(name).catch(() => undefined);
    if (!found) absent.push(path);
    else if (found.isFile() || found.isSymbolicLink()) present.push(path);
  }
  return { present, absent };
}

/** Whether a directory on the way to a file is a link, in a tree that is none itself. */
async function isBehindLink(name: Buffer): Promise<boolean> {
  const parent = name.subarray(0, name.lastIndexOf("/"));
  const real = await realpath(parent, { encoding: "buffer" }).catch(() => parent);
  return !real.equals(parent);
}

const isDirectory = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

interface OnlyThere {
  readonly changed: readonly string[];
  readonly nested: readonly string[];
}

function dirty(path: string, { changed, nested }: OnlyThere) {
  const files = changed.filter((each) => !nested.includes(each));
  const facts = { files: [...files, ...nested].map(pathText).slice(0, maxListed) };
  const uncommitted = files.length === 1 ? "an uncommitted file" : `${files.length} uncommitted files`;
  const keeping = "use force, which keeps the work under a ref";
  if (nested.length === 0)
    return reject("WORKSPACE_DIRTY", `${path} has ${uncommitted}; commit, or ${keeping}`, facts);
  const [first = "", ...others] = nested.map(pathText);
  const repositories = others.length === 0 ? `the repository ${first}` : `${nested.length} repositories`;
  const moving = `moves what git can't keep to ${join(dirname(path), KEPT_FOLDER)}`;
  const message =
    files.length === 0
      ? `${path} contains ${repositories}; move it, or use force, which ${moving}`
      : `${path} has ${uncommitted} and contains ${repositories}; commit and move them, or ${keeping} and ${moving}`;
  return reject("WORKSPACE_DIRTY", message, facts);
}

function unreadable(path: string) {
  const message = `Git can't read ${join(path, ".git")}, so it's unknown what would be lost; resume the session, which repairs it, and try again`;
  return reject("WORKSPACE_DIRTY", message, { files: [] });
}
