/** The number of files in each state; a file that is staged and changed again counts in both. */
export interface Changes {
  readonly modified: number;
  readonly staged: number;
  readonly untracked: number;
  readonly conflicted: number;
}

/**
 * The output that `countChanges` reads. Without the last, git would run in each submodule with the submodule's own
 * settings.
 */
export const STATUS_ARGS = [
  "status",
  "--porcelain=v1",
  "-z",
  "--untracked-files=normal",
  "--ignore-submodules=dirty",
] as const;

const CONFLICTS = new Set(["DD", "AU", "UD", "UA", "DU", "AA", "UU"]);
/** Their entries are followed by a second one, the path they came from. */
const RENAMED_OR_COPIED = /[RC]/;

/** Reads the output of `STATUS_ARGS`. */
export function countChanges(output: string): Changes {
  const entries = output.split("\0");
  const changes = { modified: 0, staged: 0, untracked: 0, conflicted: 0 };
  for (let i = 0; i < entries.length; i++) {
    const code = entries[i]?.slice(0, 2) ?? "";
    if (code === "" || code === "!!") continue;
    if (code === "??") changes.untracked++;
    else if (CONFLICTS.has(code)) changes.conflicted++;
    else {
      if (code[0] !== " ") changes.staged++;
      if (code[1] !== " ") changes.modified++;
      if (RENAMED_OR_COPIED.test(code)) i++;
    }
  }
  return changes;
}
