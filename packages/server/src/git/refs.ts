import { checkStored, outputOf, ownDirectory } from "./describe.ts";
import { type GitRun, runGit } from "./run-git.ts";

export interface RefChange {
  readonly ref: string;
  /** The id it gets; null deletes it. */
  readonly to: string | null;
  /** The id it must have now; null if it must not exist. Not checked if omitted. */
  readonly from?: string | null;
}

/** A repository by its stored git directory: nothing is discovered. */
export interface StoredRepository {
  readonly top: string;
  readonly gitDirectory: string;
}

type RefRun = Pick<GitRun, "environment" | "signal">;

/**
 * Changes all of these refs, or none: false if one of them is not what it should be, or locked. With object ids
 * written by `objectWriter`, this is the only thing Drover writes through a repository's own git directory.
 */
export async function updateRefs(
  { top, gitDirectory }: StoredRepository,
  changes: readonly RefChange[],
  run: RefRun,
): Promise<boolean> {
  if (changes.length === 0) return true;
  await checkStored({ gitDirectory });
  const input = Buffer.from(changes.map(instruction).join(""));
  // A repository's settings may request a reflog for every ref.
  const args = ["-c", "core.logAllRefUpdates=false", "update-ref", "--no-deref", "--stdin", "-z"];
  return (await runGit({ args, input }, ownDirectory({ cwd: top, ...run }, { gitDirectory }))).code === 0;
}

function instruction({ ref, to, from }: RefChange): string {
  if (to === null) return `delete ${ref}\0${from ?? ""}\0`;
  return from === null ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${from ?? ""}\0`;
}

/** A line for each ref below a prefix that ends with a slash. */
export async function listRefs(
  { top, gitDirectory }: StoredRepository,
  { prefix, format }: { readonly prefix: string; readonly format: string },
  run: RefRun,
): Promise<string[]> {
  await checkStored({ gitDirectory });
  const command = { args: ["for-each-ref", `--format=${format}`], paths: [Buffer.from(prefix)] };
  const output = outputOf(await runGit(command, ownDirectory({ cwd: top, ...run }, { gitDirectory })));
  return output.toString("utf8").split("\n").slice(0, -1);
}

/** The refs below a prefix that ends with a slash, and the ids they have. */
export async function readRefs(
  repository: StoredRepository,
  prefix: string,
  run: RefRun,
): Promise<Map<string, string>> {
  const lines = await listRefs(repository, { prefix, format: "%(objectname) %(refname)" }, run);
  return new Map(
    lines.map((line): [string, string] => {
      const end = line.indexOf(" ");
      return [line.slice(end + 1), line.slice(0, end)];
    }),
  );
}
