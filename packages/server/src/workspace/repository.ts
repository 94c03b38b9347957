import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CONFIG_ARGS, parseConfig, withoutFilters } from "../git/git-config.ts";
import { type GitResult, type GitRun, runGit } from "../git/run-git.ts";

/** A repository as seen from a directory of its working tree: everything is relative to that directory. */
export interface Repository extends AsyncDisposable {
  /** Undefined while HEAD is detached. */
  readonly branch: string | undefined;
  /** What the working tree is compared with: the last commit, or the empty tree before there is one. */
  readonly base: string;
  readonly untracked: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
  /** Runs git with what keeps it from running anything else, and with an index that knows untracked files, too. */
  readonly run: GitRun;
  readonly options: readonly string[];
}

/** What it needs for a moment is in `scratch`. Undefined when there is no working tree at `run.cwd`, or git refuses it (another user's). */
export async function openRepository(run: GitRun, scratch: string): Promise<Repository | undefined> {
  const place = await runGit(
    ["rev-parse", "--is-inside-work-tree", "--show-prefix", "--git-path", "index"],
    run,
  );
  const [isWorkTree, prefix = "", index = ""] = place.output.split("\n");
  if (place.code !== 0 || isWorkTree !== "true") return undefined;
  const [config, head, commit, listed] = await Promise.all([
    runGit(CONFIG_ARGS, run),
    runGit(["symbolic-ref", "--quiet", "--short", "HEAD"], run),
    runGit(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], run),
    runGit(["ls-files", "-t", "-z", "--others", "--unmerged", "--exclude-standard"], run),
  ]);
  const options = withoutFilters(parseConfig(config.code === 1 ? "" : outputOf(config)).filters);
  const base = commit.code === 0 ? commit.output.trim() : await emptyObject("tree", run);
  const { untracked, conflicted } = parseListed(outputOf(listed));
  const known = {
    branch: head.code === 0 ? head.output.trim() : undefined,
    base,
    untracked,
    conflicted,
    options,
  };
  if (untracked.size === 0) return { ...known, run, [Symbol.asyncDispose]: async () => undefined };
  const copied = await indexWith(
    [...untracked].map((path) => `${prefix}${path}`),
    {
      run,
      index: resolve(run.cwd, index),
      scratch,
    },
  );
  const environment = { ...run.environment, GIT_INDEX_FILE: copied.index };
  return { ...known, run: { ...run, environment }, [Symbol.asyncDispose]: copied.remove };
}

/** From its input: of a file, its filters would be run. */
const emptyObject = async (type: "tree" | "blob", run: GitRun): Promise<string> =>
  outputOf(await runGit(["hash-object", "-t", type, "--stdin"], { ...run, input: "" })).trim();

export function outputOf({ code, output }: GitResult): string {
  if (code !== 0) throw new Error(`git ended with ${code}`);
  return output;
}

/** `? PATH` for what git does not know, `M MODE HASH STAGE\tPATH` for each side of a conflict. */
function parseListed(output: string): Pick<Repository, "untracked" | "conflicted"> {
  const entries = output.split("\0").filter((entry) => entry !== "");
  const paths = (tag: string) => entries.filter((entry) => entry.startsWith(tag)).map((e) => e.slice(2));
  return {
    // A directory is a repository of its own: what is in it is none of this one's.
    untracked: new Set(paths("? ").filter((path) => !path.endsWith("/"))),
    conflicted: new Set(paths("M ").map((entry) => entry.slice(entry.indexOf("\t") + 1))),
  };
}

/**
 * A copy of the index in which these files are known, as if they were added empty: one `git diff` then shows all of
 * the working tree, and finds a file that was moved without git. Nothing in the repository is written.
 */
async function indexWith(
  paths: readonly string[],
  { run, index, scratch }: { run: GitRun; index: string; scratch: string },
): Promise<{ index: string; remove: () => Promise<void> }> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(scratch, "index-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const copy = join(directory, "index");
  try {
    await copyIndex(index, copy);
    const empty = await emptyObject("blob", run);
    const input = paths.map((path) => `100644 ${empty} 0\t${path}\0`).join("");
    const environment = { ...run.environment, GIT_INDEX_FILE: copy };
    outputOf(await runGit(["update-index", "-z", "--index-info"], { ...run, environment, input }));
    return { index: copy, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A repository to which nothing was ever added has none. */
async function copyIndex(index: string, copy: string): Promise<void> {
  const found = await stat(index).catch(() => undefined);
  if (!found) return;
  await copyFile(index, copy);
  // git looks into files that changed in the second in which the index was written. A younger copy would hide them.
  const written = Math.floor(found.mtimeMs / 1000);
  await utimes(copy, written, written);
}
