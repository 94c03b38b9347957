import { lstat, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The nearest directory at or above `directory` that contains a `.git`. Drover walks up itself: git would trust the
 * repository, whose `core.worktree` can name any directory.
 */
export async function findTop(directory: string): Promise<string | undefined> {
  for (let top = directory; ; top = dirname(top)) {
    if (await holdsGit(top)) return top;
    if (top === dirname(top)) return undefined;
  }
}

/** What git accepts: a file that points to the git directory, or that directory. Git ignores a `.git` without HEAD. */
async function holdsGit(directory: string): Promise<boolean> {
  const path = join(directory, ".git");
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) return found !== undefined;
  // HEAD may be a link to a branch that does not exist yet.
  return lstat(join(path, "HEAD")).then(
    () => true,
    () => false,
  );
}
