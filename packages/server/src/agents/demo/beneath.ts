import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

const { O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** The demo agent will not touch this path; the message says why. */
export class Refused extends Error {
  override readonly name = "Refused";
}

export interface Place {
  readonly cwd: string;
  /** As it was written: relative to `cwd`, or absolute. */
  readonly path: string;
}

export interface Opening {
  readonly flags: number;
  /** Creates missing directories with this mode. */
  readonly makeDirectories?: number;
}

/** An open file or directory, closed by its owner. */
export class Opened implements Disposable {
  readonly fd: number;
  /** Refers to the open file, even if its name changes in the meantime. Outside Linux it is only the name. */
  readonly path: string;
  readonly stats: Stats;

  constructor(fd: number, path: string) {
    this.fd = fd;
    this.path = process.platform === "linux" ? `/proc/self/fd/${fd}` : path;
    this.stats = fstatSync(fd);
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

/**
 * Opens a path below `cwd`, one component at a time and never through a link: a repository's link could lead anywhere.
 * Opening never blocks, and only regular files and directories are opened: reading a pipe may hang forever. Throws
 * `Refused`, or the file system's error.
 */
export function openBeneath({ cwd, path }: Place, { flags, makeDirectories }: Opening): Opened {
  const parts = relative(cwd, resolve(cwd, path)).split(sep).filter(Boolean);
  if (parts[0] === "..") throw new Refused(`${path} is not inside the working directory`);
  const last = parts.pop();
  let directory = new Opened(openSync(cwd, O_RDONLY | O_DIRECTORY), cwd);
  if (last === undefined) return directory;
  try {
    for (const part of parts) {
      const next = join(directory.path, part);
      if (makeDirectories !== undefined) makeDirectory(next, makeDirectories);
      const inner = openOne(next, { flags: O_RDONLY | O_DIRECTORY, shown: path });
      directory[Symbol.dispose]();
      directory = inner;
    }
    return openOne(join(directory.path, last), { flags, shown: path });
  } finally {
    directory[Symbol.dispose]();
  }
}

/** `shown` is the path as the person wrote it. */
function openOne(path: string, { flags, shown }: { flags: number; shown: string }): Opened {
  let opened: Opened;
  try {
    const mode = flags & O_CREAT ? 0o666 : undefined;
    opened = new Opened(openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, mode), path);
  } catch (error) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) throw new Refused(`${shown} leads through a link; links are not followed`);
    if (stats && !isOrdinary(stats)) throw new Refused(`${shown} is not a regular file`);
    throw error;
  }
  if (isOrdinary(opened.stats)) return opened;
  opened[Symbol.dispose]();
  throw new Refused(`${shown} is not a regular file`);
}

const isOrdinary = (stats: Stats): boolean => stats.isFile() || stats.isDirectory();

function makeDirectory(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
