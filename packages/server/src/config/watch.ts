import { type FSWatcher, watch } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";

export interface WatchedFile {
  readonly file: string;
  /** The file may have changed. Never called while an earlier call is still running. */
  readonly changed: () => Promise<void>;
  /** It can no longer be watched. */
  readonly failed: (error: unknown) => void;
  /** How long nothing may happen before it counts as saved: editors write in several steps. */
  readonly settleMs?: number;
}

/**
 * Watches directories, not the file: saving by rename replaces the file, and a missing file cannot be watched. Every
 * link on the way to it is watched too.
 */
export class FileWatch implements AsyncDisposable {
  readonly #watched: WatchedFile;
  #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #isOver = false;

  /** Checks once at the start: the file may have changed since it was last read. */
  constructor(watched: WatchedFile) {
    this.#watched = watched;
    this.#look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#work;
    this.#close();
  }

  #look(): void {
    this.#work = this.#work.then(async () => {
      if (this.#isOver) return;
      try {
        // Watched before it is read, so that no change falls between the two.
        await this.#arm();
        await this.#watched.changed();
      } catch (error) {
        this.#watched.failed(error);
      }
    });
  }

  async #arm(): Promise<void> {
    const places = await placesOf(this.#watched.file);
    this.#close();
    for (const [directory, names] of places) {
      const watcher = watch(directory, { persistent: false }, (_event, name) => {
        // A directory that is itself moved or removed is reported by its own name.
        if (name === null || names.has(name) || name === basename(directory)) this.#soon();
      });
      watcher.on("error", this.#watched.failed);
      this.#watchers.push(watcher);
    }
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), this.#watched.settleMs ?? 100).unref();
  }

  #close(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }
}

/** Linux follows no more links than this on one path. */
const maxLinks = 40;

/** Where a path can change its target: each directory, and the names in it that matter. */
export async function placesOf(file: string): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>();
  const add = (directory: string, name: string) =>
    places.set(directory, (places.get(directory) ?? new Set()).add(name));
  let links = 0;
  let at = parse(resolve(file)).root;
  let remaining = partsOf(at, resolve(file));
  for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
    const path = join(at, name);
    const found = await lstat(path).catch(() => undefined);
    // A missing entry would appear here; there is nothing to watch beyond it.
    if (!found || remaining.length === 0 || found.isSymbolicLink()) add(at, name);
    if (!found) break;
    if (found.isSymbolicLink() && ++links <= maxLinks) {
      const target = resolve(dirname(path), await readlink(path), ...remaining);
      at = parse(target).root;
      remaining = partsOf(at, target);
    } else at = path;
  }
  return places;
}

const partsOf = (root: string, path: string): string[] => relative(root, path).split(sep).filter(Boolean);
