const HEADS = "refs/heads/";
const ORIGIN = "refs/remotes/origin/";

interface Branch {
  /** The target of a symbolic ref, else empty. */
  readonly target: string;
  /** `[ahead 1, behind 2]`, `[gone]`, or empty. */
  readonly track: string;
}

/** By full ref name. */
export type Branches = ReadonlyMap<string, Branch>;

/** The format that `parseBranches` reads, one ref per line. */
export const BRANCH_FORMAT = "%(refname)%00%(symref)%00%(upstream:track)";

/** Only the refs that matter here; there may be very many. */
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

/** Commits the upstream lacks, and those it has in addition; 0 without an upstream, or if it is gone. */
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
 * The branch that work is merged into: origin's HEAD; else the first of the usual names that exists, here or at origin;
 * else the current branch, which is then the only one known; else `main`.
 */
export function findMainBranch({ branches, defaultBranch, current }: MainBranchSources): string {
  // A pattern may match more than its name: only exact matches count. A ref whose target is gone is not listed.
  const head = branches.get(`${ORIGIN}HEAD`)?.target;
  if (head?.startsWith(ORIGIN)) return head.slice(ORIGIN.length);
  const exists = (name: string) => branches.has(`${HEADS}${name}`) || branches.has(`${ORIGIN}${name}`);
  return candidates(defaultBranch).find(exists) ?? current ?? "main";
}

function candidates(defaultBranch: string | undefined): string[] {
  return [...(defaultBranch === undefined ? [] : [defaultBranch]), "main", "master"];
}
