import { lstat, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
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

type Ports = readonly [number, number];

interface Claimant {
  readonly path: string;
  /** The ports it has had. */
  readonly ports?: Ports | undefined;
}

/**
 * Claims a block of ports for a worktree; undefined if all are taken. The same worktree gets the same block again,
 * unless its files were gone and another one needed it.
 */
export async function claimPorts(blocks: PortBlocks, { path, ports }: Claimant): Promise<Ports | undefined> {
  const { directory } = blocks;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const fileOf = (at: number) => join(directory, String(at));
  const own = await heldBy(directory, path);
  if (own !== undefined) return blockAt(own);
  if (ports && (await claim(fileOf(ports[0]), path))) return ports;
  const all = firstPorts(blocks);
  // A block that nobody ever had comes first: worktrees that are gone may come back.
  for (const at of all) if (await written(fileOf(at), path)) return blockAt(at);
  for (const at of all) if (await claim(fileOf(at), path)) return blockAt(at);
  return undefined;
}

/** Whether a worktree still has the ports it got. */
export const hasPorts = async ({ directory }: PortBlocks, { path, ports }: Claimant): Promise<boolean> =>
  ports !== undefined && (await textOf(join(directory, String(ports[0])))) === path;

const blockAt = (first: number): Ports => [first, first + BLOCK - 1];

function firstPorts({ range: [first, last] }: PortBlocks): number[] {
  const count = Math.max(0, Math.floor((last - first + 1) / BLOCK));
  return Array.from({ length: count }, (_, index) => first + index * BLOCK);
}

/** The first port of the block that a worktree has. */
async function heldBy(directory: string, path: string): Promise<number | undefined> {
  for (const name of await readdir(directory)) {
    if (/^\d+$/.test(name) && (await textOf(join(directory, name))) === path) return Number(name);
  }
  return undefined;
}

export async function releasePorts({ directory }: PortBlocks, { path, ports }: Claimant): Promise<void> {
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
