/** How many files stand in each way; a file that is staged and changed again counts in both. */
export interface Changes {
  readonly modified: number;
  readonly staged: number;
  readonly untracked: number;
  readonly conflicted: number;
}

export interface GitStatus {
  /** Undefined when HEAD is detached. A branch without commits has its name all the same. */
  readonly branch: string | undefined;
  /** Commits the upstream lacks; 0 without an upstream, or when it is gone. */
  readonly ahead: number;
  readonly behind: number;
  readonly changes: Changes;
}

/** What `parseStatus` reads. */
export const STATUS_ARGS = ["status", "--porcelain=v1", "-z", "--branch"] as const;

const DETACHED = "## HEAD (no branch)";
/** A branch's name has neither spaces nor two dots in a row, so the first three dots begin its upstream. */
const HEADER =
  /^## (?:No commits yet on )?(?<branch>[^ ]+?)(?:\.\.\.[^ ]+)?(?: \[(?:gone|(?:ahead (?<ahead>\d+))?(?:, )?(?:behind (?<behind>\d+))?)\])?$/;

const CONFLICTS = new Set(["DD", "AU", "UD", "UA", "DU", "AA", "UU"]);
/** Their entries are followed by a second one, the path they came from. */
const RENAMED_OR_COPIED = /[RC]/;

/** Reads the output of `STATUS_ARGS` in the C locale (the words of its header are translated in others). */
export function parseStatus(output: string): GitStatus {
  const [header = "", ...entries] = output.split("\0");
  return { ...parseHeader(header), changes: countChanges(entries) };
}

function parseHeader(header: string): Omit<GitStatus, "changes"> {
  if (header === DETACHED) return { branch: undefined, ahead: 0, behind: 0 };
  const found = HEADER.exec(header)?.groups;
  if (found === undefined) throw new Error("git status began with a header of unknown form");
  return {
    branch: found["branch"],
    ahead: Number(found["ahead"] ?? 0),
    behind: Number(found["behind"] ?? 0),
  };
}

function countChanges(entries: readonly string[]): Changes {
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
