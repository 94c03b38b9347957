import { lstat, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeStale, textOf } from "./stale-file.ts";

/** How many ports each worktree has. */
export const BLOCK = 10;

/** A worktree that is being made does not exist yet, so claims younger than this always count. */
const graceMs = 15 * 60_000;

export interface PortBlocks {
  /** The first and the last port that may be assigned. */
  readonly range: readonly [number, number];
  /** One file for each block in use, named by its first port. Shared by all servers of this user. */
  readonly directory: string;
}

/** Claims a block of ports for a worktree; undefined if all are taken. The same worktree gets the same block again. */
export async function claimPorts(
  { range: [first, last], directory }: PortBlocks,
  path: string,
): Promise<readonly [number, number] | undefined> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  for (let at = first; at + BLOCK - 1 <= last; at += BLOCK) {
    if (await claim(join(directory, String(at)), path)) return [at, at + BLOCK - 1];
  }
  return undefined;
}

export async function releasePorts(
  { directory }: PortBlocks,
  { path, ports }: { path: string; ports?: readonly [number, number] | undefined },
): Promise<void> {
  const file = join(directory, String(ports?.[0]));
  if (ports && (await textOf(file)) === path) await rm(file, { force: true });
}

async function claim(file: string, path: string): Promise<boolean> {
  if (await written(file, path)) return true;
  const holder = await textOf(file);
  if (holder === path) return true;
  if (holder !== undefined && (await isInUse(file, holder))) return false;
  if (holder !== undefined) await removeStale(file, holder);
  return written(file, path);
}

const written = (file: string, path: string): Promise<boolean> =>
  writeFile(file, path, { flag: "wx", mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );

async function isInUse(file: string, holder: string): Promise<boolean> {
  const [tree, claimed] = await Promise.all([
    lstat(holder).catch(() => undefined),
    stat(file).catch(() => undefined),
  ]);
  return tree !== undefined || (claimed !== undefined && Date.now() - claimed.mtimeMs < graceMs);
}
