import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { ok, pathText, type Rejection, type Result, reject } from "@drover/core";
import { KEPT, keepFiles } from "../git/kept.ts";
import { commitOf, type GitMeans, isNamedElsewhere } from "../git/worktree.ts";
import type { KeepOptions, KeptWork, SessionWorkspace } from "../ports.ts";
import { changedFiles } from "./changes.ts";
import type { WorkspaceDeps } from "./comparison.ts";
import { recordedTree } from "./recorded-tree.ts";
import { openWorkingCopy } from "./working-copy.ts";

const maxListed = 200;

/** Keeps the files that are in no commit, and commits that no branch has, under a ref. */
export async function keepWork(
  git: WorkspaceDeps,
  workspace: SessionWorkspace,
  { force, checkOnly = false, means }: KeepOptions & { readonly means: GitMeans },
): Promise<Result<KeptWork | undefined, Rejection>> {
  const tree = recordedTree(workspace);
  const { path, branch } = workspace;
  if (!tree || branch === undefined || !(await isDirectory(path))) return ok(undefined);
  const place = { ...means, cwd: path, scratch: git.scratch, tree };
  const changed = await changedIn(place).catch(() => undefined);
  if (changed === undefined) return unreadable(path);
  if (changed.length > 0 && !force) return dirty(path, changed.map(pathText));
  if (checkOnly) return ok(undefined);
  const head = await commitOf(tree, "HEAD", means);
  if (changed.length === 0 && (head === undefined || (await isNamedElsewhere(tree, head, means)))) {
    return ok(undefined);
  }
  const time = new Date().toISOString().replace(/[-:.]/g, "");
  const ref = `${KEPT}${branch.replace(/^drover\//, "")}/${time}`;
  await keepFiles(place, { ref, ...(await storable(path, changed)) });
  return ok({ ref, branch });
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

/** Without repositories inside, FIFOs, sockets and devices: git cannot store them. */
async function storable(top: string, paths: readonly string[]) {
  const present: string[] = [];
  const absent: string[] = [];
  for (const path of paths) {
    const name = Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
    const found = await lstat(name).catch(() => undefined);
    if (!found) absent.push(path);
    else if (found.isFile() || found.isSymbolicLink()) present.push(path);
  }
  return { present, absent };
}

const isDirectory = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

function dirty(path: string, files: readonly string[]) {
  const what = files.length === 1 ? "an uncommitted file" : `${files.length} uncommitted files`;
  const message = `${path} has ${what}; commit, or use force, which keeps the work under a ref`;
  return reject("WORKSPACE_DIRTY", message, { files: files.slice(0, maxListed) });
}

function unreadable(path: string) {
  const message = `Git can't read ${join(path, ".git")}, so it's unknown what would be lost; resume the session, which repairs it, and try again`;
  return reject("WORKSPACE_DIRTY", message, { files: [] });
}
