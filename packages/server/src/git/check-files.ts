import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readRegular } from "./read-regular.ts";

const KB = 1024;
/** Far more than git itself ever writes into them. */
const MAX_SMALL = 64 * KB;
const MAX_LIST = 1024 * KB;
const MAX_PACKED_REFS = 256 * 1024 * KB;
/** How many symbolic refs git follows in a row. */
const MAX_DEPTH = 5;
const MAX_ALTERNATES = 100;

/**
 * Throws if a file that git reads whole is a device or a FIFO, or far too large: a link to `/dev/zero` would make git
 * consume memory until it times out.
 */
export async function checkGitFiles({
  gitDirectory,
  treeDirectory = gitDirectory,
}: Directories): Promise<void> {
  await checkRef(treeDirectory, gitDirectory);
  await read(join(gitDirectory, "packed-refs"), MAX_PACKED_REFS);
  for (const name of ["config", "config.worktree", "shallow"])
    for (const directory of new Set([treeDirectory, gitDirectory]))
      await read(join(directory, name), MAX_LIST);
  await checkAlternates(join(gitDirectory, "objects"));
}

interface Directories {
  /** Refs, objects and settings. */
  readonly gitDirectory: string;
  /** HEAD and index of a linked worktree. */
  readonly treeDirectory?: string | undefined;
}

/** Where git finds the directories of a working tree that is not on record. */
export async function discoverDirectories(top: string): Promise<Directories> {
  const treeDirectory = await gitDirectoryOf(top);
  const common = (await read(join(treeDirectory, "commondir"), MAX_SMALL)).trim();
  return { treeDirectory, gitDirectory: resolve(treeDirectory, common) };
}

/** Empty if there is none. */
async function read(path: string, maxSize: number): Promise<string> {
  const found = await readRegular(path, maxSize).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR" || error.code === "ENAMETOOLONG") return undefined;
    throw error;
  });
  return found?.content.toString() ?? "";
}

/** `.git`, or the directory that a file of this name leads to. */
async function gitDirectoryOf(top: string): Promise<string> {
  const path = join(top, ".git");
  if ((await stat(path)).isDirectory()) return path;
  const [, directory = ""] = /^gitdir: (.*?)[\r\n]*$/s.exec(await read(path, MAX_SMALL)) ?? [];
  return resolve(top, directory);
}

/** HEAD, and what it names. */
async function checkRef(treeDirectory: string, gitDirectory: string): Promise<void> {
  let name: string | undefined = "HEAD";
  for (let depth = 0; name !== undefined && depth <= MAX_DEPTH; depth++) {
    const own: string = await read(join(treeDirectory, name), MAX_SMALL);
    const shared: string = await read(join(gitDirectory, name), MAX_SMALL);
    name = /^ref:\s*(refs\/\S+)/.exec(own || shared)?.[1];
  }
}

/** Those of alternates, too: git reads them all. */
async function checkAlternates(first: string): Promise<void> {
  const found = new Set([first]);
  for (const objects of found) {
    if (found.size > MAX_ALTERNATES) throw new Error("Too many alternates");
    const text = await read(join(objects, "info/alternates"), MAX_LIST);
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    for (const line of lines) found.add(resolve(objects, unquoted(line)));
  }
}

const unquoted = (path: string): string =>
  path.startsWith('"') ? path.slice(1, -1).replace(/\\(.)/g, "$1") : path;
