import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** How much of a file is shown, in bytes. */
const shownMax = 64 * 1024;
const entriesMax = 200;

export interface Excerpt {
  readonly text: string;
  readonly truncated: boolean;
}

/** The beginning of a file, or the names in a directory. */
export async function look(path: string): Promise<Excerpt> {
  return (await stat(path)).isDirectory() ? listing(path) : readBeginning(path);
}

/** The beginning of a file. Other things (directories, devices, pipes) are refused: reading one may block for ever. */
export async function readBeginning(path: string): Promise<Excerpt> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    const buffer = Buffer.alloc(Math.min(stats.size, shownMax));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return { text: buffer.toString("utf8", 0, bytesRead), truncated: stats.size > bytesRead };
  } finally {
    await file.close();
  }
}

async function listing(path: string): Promise<Excerpt> {
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  return { text: names.slice(0, entriesMax).join("\n"), truncated: names.length > entriesMax };
}

/**
 * The real path of `path` below `cwd`, or undefined when it leads outside, through `..`, a link or an absolute path.
 * The file itself need not exist; neither need its directories.
 */
export async function resolveInside(cwd: string, path: string): Promise<string | undefined> {
  const root = await realpath(cwd);
  const real = await realPathOfNearest(resolve(root, path));
  const below = relative(root, real);
  const isInside = below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
  return isInside ? real : undefined;
}

/** Resolves the links of the nearest ancestor that exists and puts the rest, which cannot hold links, behind it. */
async function realPathOfNearest(path: string): Promise<string> {
  try {
    await lstat(path);
  } catch {
    const parent = dirname(path);
    return join(await realPathOfNearest(parent), relative(parent, path));
  }
  return realpath(path);
}

/** Writes a whole file at a path that `resolveInside` gave; a link that appeared there meanwhile is not followed. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
