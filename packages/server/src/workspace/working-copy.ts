import { lstat } from "node:fs/promises";
import type { IndexEdit } from "../git/edit-index.ts";
import { type GitPlace, openRepository, type Repository } from "../git/repository.ts";
import { type Staged, stagedPaths } from "./staged.ts";

/** A repository whose index includes untracked files, so that one comparison shows the whole working tree. */
export interface WorkingCopy extends Repository {
  /** Names as git has them, in Latin 1 for arbitrary bytes. */
  readonly untracked: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
  readonly staged: Staged;
}

/** Undefined if there is no working tree at `place.cwd`; throws if git refuses it. */
export async function openWorkingCopy(place: GitPlace): Promise<WorkingCopy | undefined> {
  const repository = await openRepository(place);
  if (!repository) return undefined;
  try {
    const [listed, staged] = await Promise.all([list(repository), stagedPaths(repository)]);
    const unreadable = await special(place.cwd, listed.modified);
    const whole = await repository.withIndex(edit(repository, { ...listed, unreadable }));
    const { conflicted, modified } = listed;
    const untracked = new Set([...listed.untracked, ...listed.nested]);
    const differs = (path: string) => (modified.has(path) || untracked.has(path)) && !conflicted.has(path);
    const { base, run, stream } = repository;
    return {
      ...repository,
      ...whole,
      untracked,
      conflicted,
      staged: { paths: new Set(staged.filter(differs)), base, run, stream },
    };
  } catch (error) {
    await repository[Symbol.asyncDispose]();
    throw error;
  }
}

const LIST_ARGS = ["ls-files", "-t", "-z", "--others", "--unmerged", "--modified", "--exclude-standard"];

interface Listed {
  readonly untracked: readonly string[];
  /** Directories that are separate repositories. */
  readonly nested: readonly string[];
  readonly modified: ReadonlySet<string>;
  readonly conflicted: ReadonlySet<string>;
}

/** `? PATH` for untracked files; `M` or `C MODE HASH STAGE\tPATH` for each side of a conflict, and for changes. */
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

/** What git cannot read and would fail on: FIFOs, sockets and devices. */
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

/** Git refuses the null id and reads the real one from the nested repository; one without commits keeps this. */
const NO_COMMIT = "1";

interface Unknown extends Pick<Listed, "untracked" | "nested" | "modified"> {
  readonly unreadable: readonly string[];
}

/**
 * Adds untracked files to the index as if they were empty, and nested repositories as submodules: a diff then shows
 * their content. What git cannot read is removed, and shows as deleted.
 */
function edit({ emptyBlob, prefix }: Repository, listed: Unknown): IndexEdit {
  const { untracked, nested, modified, unreadable } = listed;
  const noCommit = NO_COMMIT.padStart(emptyBlob.length, "0");
  const added = [
    ...untracked.map((name) => ({ name, mode: 0o100644, id: emptyBlob })),
    ...nested.map((name) => ({ name, mode: 0o160000, id: noCommit })),
  ];
  // Files that are now directories, and files in directories that are now files.
  const names = new Set(added.map(({ name }) => name));
  const above = new Set(added.flatMap(({ name }) => parents(name)));
  const replaced = [...modified].filter((path) => above.has(path) || parents(path).some((p) => names.has(p)));
  return {
    added: added.map((entry) => ({ ...entry, name: prefix + entry.name })),
    removed: new Set([...unreadable, ...replaced].map((path) => prefix + path)),
  };
}

/** The directories on the way to a path. */
const parents = (path: string): string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
