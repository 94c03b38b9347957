import { lstat } from "node:fs/promises";
import { checkStored, outputOf, ownDirectory } from "./describe.ts";
import { identityVariables } from "./object-writer.ts";
import { type GitRun, runGit } from "./run-git.ts";
import type { Identity } from "./settings.ts";
import { ForgedTree } from "./tree.ts";

export interface RefChange {
  /** Latin 1 stands for bytes. */
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
  /** A linked worktree's own directory: git notes in its log what moves the branch it is on. */
  readonly treeDirectory?: string;
}

/** What the logs of these refs say, if they have any. */
export interface LogEntry {
  readonly message: string;
  readonly identity: Identity;
}

type RefRun = Pick<GitRun, "environment" | "signal">;

/**
 * Changes all of these refs, or none: false if one of them is not what it should be, or locked. With object ids
 * written by `objectWriter`, this is the only thing Drover writes through a repository's own git directory.
 */
export async function updateRefs(
  { top, gitDirectory, treeDirectory }: StoredRepository,
  changes: readonly RefChange[],
  { log, ...run }: RefRun & { readonly log?: LogEntry },
): Promise<boolean> {
  if (changes.length === 0) return true;
  const isLogged = log && treeDirectory !== undefined;
  const directories = { gitDirectory, ...(isLogged ? { treeDirectory } : {}) };
  await checkStored(directories);
  for (const { ref } of changes) await refuseLinks(gitDirectory, ref);
  const input = Buffer.from(changes.map(instruction).join(""), "latin1");
  const said = log ? ["-m", log.message] : [];
  // A repository's settings may request a reflog for every ref.
  const args = ["-c", "core.logAllRefUpdates=false", "update-ref", ...said, "--no-deref", "--stdin", "-z"];
  const environment = { ...run.environment, ...(log ? identityVariables(log.identity) : {}) };
  const own = ownDirectory({ cwd: top, ...run, environment }, directories);
  return (await runGit({ args, input }, own)).code === 0;
}

/** Git refuses to create a ref: usually, one whose name is a part of its own is in the way. */
export class RefBlocked extends Error {
  override readonly name = "RefBlocked";
  readonly ref: string;

  constructor(ref: string) {
    super(`git could not create ${ref}`);
    this.ref = ref;
  }
}

/** Throws `RefBlocked` if it can't be created. */
export async function createRef(
  repository: StoredRepository,
  { ref, to }: { readonly ref: string; readonly to: string },
  run: RefRun,
): Promise<void> {
  if (!(await updateRefs(repository, [{ ref, to, from: null }], run))) throw new RefBlocked(ref);
}

/** A link among the directories of a ref would lead git into another repository. */
async function refuseLinks(gitDirectory: string, ref: string): Promise<void> {
  const names = ref.split("/");
  for (let depth = 2; depth <= names.length; depth += 1) {
    const path = `/${names.slice(0, depth).join("/")}`;
    const found = await lstat(Buffer.concat([Buffer.from(gitDirectory), Buffer.from(path, "latin1")])).catch(
      () => undefined,
    );
    if (!found) return;
    if (found.isSymbolicLink()) throw new ForgedTree(`${gitDirectory}${path} is a link`);
  }
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
