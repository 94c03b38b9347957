import { checkStored, outputOf, ownDirectory } from "./describe.ts";
import { type GitRun, runGit } from "./run-git.ts";
import type { GitTree } from "./tree.ts";

/** A setting as git lists it: section and name in lower case. */
export interface Entry {
  readonly key: string;
  /** Undefined for a key without `=`, which means true. */
  readonly value: string | undefined;
}

export interface Remote {
  readonly name: string;
  /** Where it is pushed to. */
  readonly url: string;
}

export interface Remotes {
  readonly remotes: readonly Remote[];
  /** The remote of a branch's upstream. */
  upstreamOf(branch: string): string | undefined;
  /** The user's own settings about connections and credentials; nothing of the repository's. */
  readonly personal: readonly Entry[];
}

/** Only text is taken from a repository: its remotes' addresses and names. */
const OF_REPOSITORY = /^(?:remote\.(.+)\.(url|pushurl)|branch\.(.+)\.(remote))$/s;
const OF_USER =
  /^(?:core\.sshcommand|ssh\.variant|credential\..+|http\..+|url\..+\.(?:insteadof|pushinsteadof))$/s;

const KEYS = [
  ...["remote\\..*\\.(url|pushurl)", "branch\\..*\\.remote"],
  ...[
    "core\\.sshcommand",
    "ssh\\.variant",
    "credential\\..*",
    "http\\..*",
    "url\\..*\\.(insteadof|pushinsteadof)",
  ],
].join("|");

/** Reads the remotes of a working tree's repository, and how its user connects to others. */
export async function readRemotes(
  tree: GitTree,
  run: Pick<GitRun, "environment" | "signal">,
): Promise<Remotes> {
  await checkStored(tree);
  const args = ["config", "-z", "--show-scope", "--get-regexp", `^(${KEYS})$`];
  const found = await runGit({ args }, ownDirectory({ cwd: tree.top, ...run }, tree));
  // 1: none of the keys is set.
  return sort(found.code === 1 ? "" : outputOf(found).toString());
}

function sort(output: string): Remotes {
  const tokens = output.split("\0").slice(0, -1);
  const urls = new Map<string, { url?: string; pushurl?: string }>();
  const upstreams = new Map<string, string>();
  const personal: Entry[] = [];
  for (let at = 0; at + 1 < tokens.length; at += 2) {
    const [scope, entry] = [tokens[at], entryIn(tokens[at + 1] ?? "")];
    if (scope === "system" || scope === "global") {
      if (OF_USER.test(entry.key)) personal.push(entry);
      continue;
    }
    const [, remote, kind, branch] = OF_REPOSITORY.exec(entry.key) ?? [];
    if (branch !== undefined && entry.value) upstreams.set(branch, entry.value);
    if (remote === undefined || !entry.value) continue;
    // Git fetches from the first address of several.
    const field = kind === "pushurl" ? "pushurl" : "url";
    urls.set(remote, { [field]: entry.value, ...urls.get(remote) });
  }
  const remotes = [...urls].map(([name, { url = "", pushurl = url }]) => ({ name, url: pushurl }));
  return { remotes, personal, upstreamOf: (branch) => upstreams.get(branch) };
}

function entryIn(text: string): Entry {
  const end = text.indexOf("\n");
  return end < 0 ? { key: text, value: undefined } : { key: text.slice(0, end), value: text.slice(end + 1) };
}
