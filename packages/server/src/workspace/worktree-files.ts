import { constants } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRegular } from "../git/read-regular.ts";
import { registeredTrees } from "../git/worktree.ts";
import type { SessionWorkspace, WorkspaceRepository } from "../ports.ts";

/** Where worktrees lie, below the top of their repository. */
export const FOLDER = ".drover-worktrees";

/** In there, where the repositories of removed worktrees go. */
export const KEPT_FOLDER = ".kept";

/** In there, where checks run on the result of a merge. */
export const CHECKS_FOLDER = ".checks";

/** A time as a part of a ref or a file name. */
export const timeInName = (time = Date.now()): string => new Date(time).toISOString().replace(/[-:.]/g, "");

/**
 * Never committed, counted or shown: worktrees, and what Drover exchanges with agents, even if an agent has replaced that
 * folder with a file or a link.
 */
const EXCLUDED = [`/${FOLDER}/`, ".drover"];

/** Adds Drover's folders to the repository's list of files to ignore, once. */
export async function exclude(gitDirectory: string): Promise<void> {
  const directory = join(gitDirectory, "info");
  await mkdir(directory, { recursive: true });
  const path = join(directory, "exclude");
  // A link leads to a file that the user keeps elsewhere, or one planted by someone else.
  const found = await lstat(path).catch(() => undefined);
  if ((await realpath(directory)) !== directory || (found && !found.isFile())) return;
  const content = (await readRegular(path))?.content.toString() ?? "";
  const lines = content.split(/\r?\n/);
  const missing = EXCLUDED.filter((line) => !lines.includes(line));
  if (missing.length === 0) return;
  const separator = content === "" || content.endsWith("\n") ? "" : "\n";
  const next = `${path}.drover`;
  await rm(next, { force: true });
  await writeFile(next, `${content}${separator}${missing.map((line) => `${line}\n`).join("")}`, {
    flag: "wx",
  });
  await rename(next, path);
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );

/** Removes the files of a worktree and its registration. Links are removed, never followed. */
export async function removeWorktree({ path, repository }: SessionWorkspace): Promise<void> {
  if (!repository) return;
  if ((await realpath(dirname(path)).catch(() => undefined)) === dirname(path)) await removeTree(path);
  await unregister(path, repository);
  // Fails while it contains other worktrees.
  await rmdir(dirname(path)).catch(() => undefined);
}

/** Removes what the repository knows about a worktree. `git worktree prune` would also forget others that are missing. */
export async function unregister(path: string, repository: WorkspaceRepository): Promise<void> {
  for (const tree of await registeredTrees(repository)) {
    if (tree.top === path) await rm(tree.treeDirectory, { recursive: true, force: true });
  }
  await rmdir(join(repository.gitDirectory, "worktrees")).catch(() => undefined);
}

/** Removes a directory with everything in it. A link is removed, not followed. */
export async function removeTree(path: string): Promise<void> {
  if (await isLink(path)) return unlink(path);
  // Something may still be writing there.
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
      // Tools make directories read-only, and then nothing in them can be removed.
      await makeWritable(path);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  );
}

/** Lets its owner list, change and remove everything in a directory. */
export async function makeWritable(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(directory, entry.name));
  }
}

/** Replaces a small file in a git directory or a worktree, no matter what is there now. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o644);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}
