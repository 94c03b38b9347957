import { lstat } from "node:fs/promises";
import { type GitPlace, openRepository, type Repository } from "../git/repository.ts";

/** A repository whose index knows untracked files too: one comparison shows all of the working tree. */
export interface WorkingCopy extends Repository {
  /** Names as git has them; Latin 1 stands for bytes. */
  readonly untracked: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
}

/** Undefined when there is no working tree at `place.cwd`; throws when git refuses it. */
export async function openWorkingCopy(place: GitPlace): Promise<WorkingCopy | undefined> {
  const repository = await openRepository(place);
  if (!repository) return undefined;
  try {
    const { untracked, nested, conflicted, modified } = await list(repository);
    const unreadable = await special(place.cwd, modified);
    await adapt(repository, { untracked, nested, unreadable });
    return { ...repository, untracked: new Set([...untracked, ...nested]), conflicted };
  } catch (error) {
    await repository[Symbol.asyncDispose]();
    throw error;
  }
}

const LIST_ARGS = ["ls-files", "-t", "-z", "--others", "--unmerged", "--modified", "--exclude-standard"];

interface Listed {
  readonly untracked: readonly string[];
  /** Directories that are repositories of their own. */
  readonly nested: readonly string[];
  readonly modified: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
}

/** `? PATH` for what git does not know; `M` or `C MODE HASH STAGE\tPATH` for each side of a conflict, and for changes. */
async function list({ run, hasSparseIndex }: Repository): Promise<Listed> {
  const output = await run({ args: hasSparseIndex ? [...LIST_ARGS, "--sparse"] : LIST_ARGS });
  const entries = output.toString("latin1").split("\0");
  const paths = (tag: string) => entries.filter((entry) => entry.startsWith(tag)).map((e) => e.slice(2));
  const staged = (tag: string) => new Set(paths(tag).map((entry) => entry.slice(entry.indexOf("\t") + 1)));
  const others = paths("? ");
  return {
    untracked: others.filter((path) => !path.endsWith("/")),
    nested: others.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1)),
    modified: staged("C "),
    conflicted: staged("M "),
  };
}

/** What git cannot read, and would give up on: FIFOs, sockets and devices. */
async function special(cwd: string, paths: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const file = await lstat(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from(path, "latin1")])).catch(
      () => undefined,
    );
    if (file && !file.isFile() && !file.isSymbolicLink() && !file.isDirectory()) found.push(path);
  }
  return found;
}

/** Git refuses the null id, and reads the real one from the repository inside; one without commits keeps this. */
const NO_COMMIT = "1";

interface Unknown extends Pick<Listed, "untracked" | "nested"> {
  readonly unreadable: readonly string[];
}

/**
 * Adds untracked files to the index as if they were empty, and repositories inside as submodules: a diff then shows
 * what is there. What git cannot read is removed, and shows as deleted.
 */
async function adapt(repository: Repository, { untracked, nested, unreadable }: Unknown): Promise<void> {
  const { emptyBlob, prefix } = repository;
  const noCommit = NO_COMMIT.padStart(emptyBlob.length, "0");
  const lines = [
    ...untracked.map((path) => `100644 ${emptyBlob} 0\t${prefix}${path}\0`),
    ...nested.map((path) => `160000 ${noCommit} 0\t${prefix}${path}\0`),
    ...unreadable.map((path) => `0 ${noCommit} 0\t${prefix}${path}\0`),
  ];
  if (lines.length === 0) return;
  const input = Buffer.from(lines.join(""), "latin1");
  await repository.run({ args: ["update-index", "-z", "--index-info"], input });
}
