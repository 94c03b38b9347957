import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { namedBy, pathIn } from "../git/tree.ts";
import type { WorkspaceCondition, WorkspacePlace } from "../ports.ts";
import { isFile, isThere } from "./comparison.ts";

/**
 * Whether an agent can work in a worktree. Its own git follows the tree's `.git` file, so that must lead to where
 * Drover put it: without it, git would use the checkout that surrounds the worktree.
 */
export async function inspectWorktree({ workspace, cwd }: WorkspacePlace): Promise<WorkspaceCondition> {
  const { path, repository } = workspace;
  const found = await lstat(path).catch(() => undefined);
  if (!repository || !found?.isDirectory()) {
    return {
      state: "missing",
      message: `The worktree ${path} no longer exists; resume the session to make it again`,
    };
  }
  const named = await namedBy(join(path, ".git"));
  const altered = (what: string): WorkspaceCondition => ({
    state: "altered",
    message: `${what} no longer leads to ${repository.gitDirectory}; resume the session to put it back`,
  });
  if (named === undefined || resolve(path, named) !== repository.treeDirectory) {
    return altered(join(path, ".git"));
  }
  if ((await pathIn(repository.treeDirectory, "commondir")) !== repository.gitDirectory) {
    return altered(join(repository.treeDirectory, "commondir"));
  }
  if ((await pathIn(repository.treeDirectory, "gitdir")) !== join(path, ".git")) {
    return altered(join(repository.treeDirectory, "gitdir"));
  }
  const index = join(repository.treeDirectory, "index");
  if (!(await isFile(index))) {
    // Git would take every file for deleted, and the next commit would delete them.
    const message = `The worktree ${path} has no index (${index}); resume the session to write it again`;
    return { state: "altered", message };
  }
  if (await isThere(cwd)) return { state: "ready" };
  return { state: "missing", message: `The session's directory ${cwd} no longer exists; create it again` };
}
