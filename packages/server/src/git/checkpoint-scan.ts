import { access, constants, lstat } from "node:fs/promises";
import type { ObjectWriter } from "./object-writer.ts";

/** Why a file is not in a checkpoint. */
export type SkipReason = "too_large" | "unreadable" | "special" | "repository";

export interface SkippedFile {
  /** Relative to the top; Latin 1 stands for bytes. */
  readonly path: string;
  readonly reason: SkipReason;
}

/** How the working tree differs from the index of the session's directory. */
export interface Scan {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly skipped: readonly SkippedFile[];
  /** The index itself differs from the last checkpoint. */
  readonly isStaged: boolean;
}

export const STATUS_ARGS = [
  "status",
  "--porcelain=v1",
  "-z",
  "--untracked-files=all",
  "--no-renames",
  "--no-ahead-behind",
  // To look into a submodule, git would run in it with the submodule's own settings.
  "--ignore-submodules=dirty",
];

const AT_ONCE = 32;

export async function scan(
  { run }: ObjectWriter,
  { top, maxFile }: { top: string; maxFile: number },
): Promise<Scan> {
  const entries = (await run({ args: STATUS_ARGS })).toString("latin1").split("\0").slice(0, -1);
  const changed = entries.filter((entry) => entry[1] !== " ");
  const judge = judgeIn(top, maxFile);
  const added: string[] = [];
  const removed: string[] = [];
  const skipped: SkippedFile[] = [];
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    const some = changed.slice(at, at + AT_ONCE);
    const verdicts = await Promise.all(some.map((entry) => judge(entry.slice(3))));
    for (const [i, entry] of some.entries()) {
      const verdict = verdicts[i];
      const path = entry.slice(3);
      if (verdict === "add") added.push(path);
      else if (verdict === "remove") removed.push(path);
      else if (verdict) {
        skipped.push({ path, reason: verdict });
        // An unmerged entry cannot be part of a tree.
        if (isUnmerged(entry)) removed.push(path);
      }
    }
  }
  return { added: added.sort(), removed, skipped, isStaged: entries.some(isStagedEntry) };
}

const isUnmerged = (entry: string): boolean => /^(U.|.U|AA|DD)/.test(entry);
const isStagedEntry = (entry: string): boolean => entry[0] !== " " && entry[0] !== "?";

type Verdict = "add" | "remove" | SkipReason;

/** Decides what happens to a path, based on the file that is there now. */
export function judgeIn(top: string, maxFile: number): (path: string) => Promise<Verdict> {
  const parents = new Map<string, Promise<boolean>>();
  /** Whether all directories above a path are directories, and none is a link. */
  const isBelowDirectories = (path: string): Promise<boolean> => {
    const end = path.lastIndexOf("/");
    if (end < 0) return Promise.resolve(true);
    const parent = path.slice(0, end);
    const known = parents.get(parent);
    if (known) return known;
    const found = isBelowDirectories(parent).then(
      async (isBelow) => isBelow && ((await look(top, parent))?.isDirectory() ?? false),
    );
    parents.set(parent, found);
    return found;
  };
  return async (path) => {
    if (path.endsWith("/")) return "repository";
    try {
      const file = (await isBelowDirectories(path)) ? await look(top, path) : undefined;
      if (!file) return "remove";
      if (file.isSymbolicLink()) return "add";
      // A submodule is kept as its commit.
      if (file.isDirectory()) return (await look(top, `${path}/.git`)) ? "add" : "remove";
      if (!file.isFile()) return "special";
      if (file.size > maxFile) return "too_large";
      await access(bytesOf(top, path), constants.R_OK);
      return "add";
    } catch {
      return "unreadable";
    }
  };
}

/** Undefined if there is nothing. */
function look(top: string, path: string) {
  return lstat(bytesOf(top, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

/** A path below the top, as bytes. */
export const bytesOf = (top: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);
