const HEADS = "refs/heads/";
const ORIGIN = "refs/remotes/origin/";

interface Branch {
  /** The ref that a symbolic one stands for, else empty. */
  readonly target: string;
  /** `[ahead 1, behind 2]`, `[gone]`, or empty. */
  readonly track: string;
}

/** By the full names of their refs. */
export type Branches = ReadonlyMap<string, Branch>;

/** What `parseBranches` reads, for each ref on a line. */
export const BRANCH_FORMAT = "%(refname)%00%(symref)%00%(upstream:track)";

/** The refs that matter here, not all of them, of which there may be very many. */
export function branchesToAsk(defaultBranch: string | undefined, current: string | undefined): string[] {
  const names = candidates(defaultBranch).flatMap((name) => [`${HEADS}${name}`, `${ORIGIN}${name}`]);
  return [`${ORIGIN}HEAD`, ...names, ...(current === undefined ? [] : [`${HEADS}${current}`])];
}

export function parseBranches(output: string): Branches {
  return new Map(
    output.split("\n").map((line): [string, Branch] => {
      const [name = "", target = "", track = ""] = line.split("\0");
      return [name, { target, track }];
    }),
  );
}

/** Commits the upstream lacks, and that it has in addition; 0 without an upstream, or when it is gone. */
export function aheadAndBehind(
  branches: Branches,
  current: string | undefined,
): { ahead: number; behind: number } {
  const { track = "" } = branches.get(`${HEADS}${current}`) ?? {};
  const count = (word: string) => Number(new RegExp(`\\b${word} (\\d+)`).exec(track)?.[1] ?? 0);
  return { ahead: count("ahead"), behind: count("behind") };
}

export interface MainBranchSources {
  readonly branches: Branches;
  readonly defaultBranch: string | undefined;
  /** The current branch, if there is one. */
  readonly current: string | undefined;
}

/**
 * The branch that work is merged into: what origin calls its HEAD; else the first of the usual names that exists, here
 * or at origin; else the current branch, which is then the only one to be known; else `main`.
 */
export function findMainBranch({ branches, defaultBranch, current }: MainBranchSources): string {
  // A pattern may have found more than its name: only equals count. One whose target is gone is not listed.
  const head = branches.get(`${ORIGIN}HEAD`)?.target;
  if (head?.startsWith(ORIGIN)) return head.slice(ORIGIN.length);
  const exists = (name: string) => branches.has(`${HEADS}${name}`) || branches.has(`${ORIGIN}${name}`);
  return candidates(defaultBranch).find(exists) ?? current ?? "main";
}

function candidates(defaultBranch: string | undefined): string[] {
  return [...(defaultBranch === undefined ? [] : [defaultBranch]), "main", "master"];
}
