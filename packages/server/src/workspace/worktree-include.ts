import { constants } from "node:fs";
import { copyFile, lstat, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRegular } from "../git/read-regular.ts";
import { openRepository } from "../git/repository.ts";
import type { GitMeans } from "../git/worktree.ts";
import type { WorkspaceNotice } from "../ports.ts";
import type { WorkspaceDeps } from "./comparison.ts";

const LIST = ".worktreeinclude";
const maxPatterns = 65_536;
const maxBytes = 100 * 1024 * 1024;

/**
 * Copies the ignored files that `.worktreeinclude` in the checkout names, such as `.env`. Nothing tracked, nothing
 * through links, and nothing beyond 100 MB; what is left out is in a notice.
 */
export async function includeFiles(
  git: WorkspaceDeps,
  { from, to }: { from: string; to: string },
  means: GitMeans,
): Promise<WorkspaceNotice[]> {
  const list = await readRegular(join(from, LIST)).catch(() => undefined);
  if (!list || list.content.length > maxPatterns) return [];
  const left: string[] = [];
  let size = 0;
  for (const path of await namedFiles(git, { top: from, patterns: list.content }, means)) {
    const file = await plainFile(from, path);
    if (file === undefined) continue;
    if (size + file > maxBytes) left.push(path);
    else if (await copyInto(path, { from, to })) size += file;
  }
  if (left.length === 0) return [];
  const message = `${left.length === 1 ? "1 file" : `${left.length} files`} that ${LIST} names stayed in ${from}: together they have more than 100 MB`;
  return [{ code: "INCLUDE_TOO_LARGE", message, facts: { files: left.slice(0, 50) } }];
}

interface Patterns {
  readonly top: string;
  readonly patterns: Buffer;
}

/** Ignored files that match; names that are not UTF-8 are left out. */
async function namedFiles(
  git: WorkspaceDeps,
  { top, patterns }: Patterns,
  means: GitMeans,
): Promise<string[]> {
  await using repository = await openRepository({ ...means, cwd: top, scratch: git.scratch });
  if (!repository) return [];
  const file = join(git.scratch, `include-${process.pid}-${Math.random().toString(36).slice(2)}`);
  await writeFile(file, patterns, { flag: "wx", mode: 0o600 });
  try {
    const listed = async (how: string) => {
      const output = await repository.run({ args: ["ls-files", "-z", "--others", "--ignored", how] });
      return output
        .toString()
        .split("\0")
        .filter((path) => path !== "" && !path.endsWith("/"));
    };
    const ignored = new Set(await listed("--exclude-standard"));
    const named = await listed(`--exclude-from=${file}`);
    return named.filter((path) => ignored.has(path) && !/^\.drover(-worktrees)?\//.test(path));
  } finally {
    await rm(file, { force: true });
  }
}

/** The size of a regular file that is reached without following a link. */
async function plainFile(top: string, path: string): Promise<number | undefined> {
  const at = join(top, path);
  const found = await lstat(at).catch(() => undefined);
  const parent = await realpath(dirname(at)).catch(() => undefined);
  return found?.isFile() && parent === dirname(at) ? found.size : undefined;
}

async function copyInto(path: string, { from, to }: { from: string; to: string }): Promise<boolean> {
  const target = join(to, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    if ((await realpath(dirname(target))) !== dirname(target)) return false;
    await copyFile(join(from, path), target, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") throw error;
    return false;
  }
}
