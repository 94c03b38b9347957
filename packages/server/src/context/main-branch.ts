const HEADS = "refs/heads/";
const ORIGIN = "refs/remotes/origin/";

export interface MainBranchSources {
  /** The output of `refsArgs` for the same `defaultBranch`. */
  readonly refs: string;
  readonly defaultBranch: string | undefined;
  /** The current branch, if there is one. */
  readonly current: string | undefined;
}

/** The arguments that list what `findMainBranch` looks for, not all refs, of which there may be very many. */
export function refsArgs(defaultBranch: string | undefined): string[] {
  const patterns = candidates(defaultBranch).flatMap((name) => [`${HEADS}${name}`, `${ORIGIN}${name}`]);
  return ["for-each-ref", "--format=%(refname)%00%(symref)", "--", `${ORIGIN}HEAD`, ...patterns];
}

/**
 * The branch that work is merged into: what origin calls its HEAD; else the first of the usual names that exists, here
 * or at origin; else the current branch, which is then the only one to be known; else `main`.
 */
export function findMainBranch({ refs, defaultBranch, current }: MainBranchSources): string {
  const targets = new Map(
    refs.split("\n").map((line): [string, string] => {
      const [name = "", target = ""] = line.split("\0");
      return [name, target];
    }),
  );
  // One whose target is gone is not listed, and a pattern may have found more than its name: only equals count.
  const head = targets.get(`${ORIGIN}HEAD`);
  if (head?.startsWith(ORIGIN)) return head.slice(ORIGIN.length);
  const exists = (name: string) => targets.has(`${HEADS}${name}`) || targets.has(`${ORIGIN}${name}`);
  return candidates(defaultBranch).find(exists) ?? current ?? "main";
}

function candidates(defaultBranch: string | undefined): string[] {
  return [...(defaultBranch === undefined ? [] : [defaultBranch]), "main", "master"];
}
