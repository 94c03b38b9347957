import { type FSWatcher, watch } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { basename, dirname, join, parse, relative, resolve, sep } from "node:path";

export interface WatchedFile {
  readonly file: string;
  /** The file may be another than before. Never called while an earlier call is still at work. */
  readonly changed: () => Promise<void>;
  /** It can no longer be watched. */
  readonly failed: (error: unknown) => void;
  /** How long nothing may happen before it counts as saved: editors write in several steps. */
  readonly settleMs?: number;
}

/**
 * Watches directories, not the file: saving by rename puts another file in its place, and a file that is missing
 * cannot be watched. Every link on the way to it is watched, too.
 */
export class FileWatch implements AsyncDisposable {
  readonly #given: WatchedFile;
  #watchers: FSWatcher[] = [];
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #isOver = false;

  /** Looks once when it begins: the file may have changed since it was last read. */
  constructor(given: WatchedFile) {
    this.#given = given;
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
        await this.#given.changed();
      } catch (error) {
        this.#given.failed(error);
      }
    });
  }

  async #arm(): Promise<void> {
    const places = await placesOf(this.#given.file);
    this.#close();
    for (const [directory, names] of places) {
      const watcher = watch(directory, { persistent: false }, (_event, name) => {
        // A directory that is itself moved or removed is told by its own name.
        if (name === null || names.has(name) || name === basename(directory)) this.#soon();
      });
      watcher.on("error", this.#given.failed);
      this.#watchers.push(watcher);
    }
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), this.#given.settleMs ?? 100).unref();
  }

  #close(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }
}

/** Linux follows no more links than that on one path. */
const maxLinks = 40;

/** Where it shows that a path leads elsewhere: each directory, and the names in it that matter. */
export async function placesOf(file: string): Promise<Map<string, Set<string>>> {
  const places = new Map<string, Set<string>>();
  const add = (directory: string, name: string) =>
    places.set(directory, (places.get(directory) ?? new Set()).add(name));
  let links = 0;
  let at = parse(resolve(file)).root;
  let rest = partsOf(at, resolve(file));
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const path = join(at, name);
    const found = await lstat(path).catch(() => undefined);
    // What is missing shows where it would be; beyond it there is nothing to watch.
    if (!found || rest.length === 0 || found.isSymbolicLink()) add(at, name);
    if (!found) break;
    if (found.isSymbolicLink() && ++links <= maxLinks) {
      const target = resolve(dirname(path), await readlink(path), ...rest);
      at = parse(target).root;
      rest = partsOf(at, target);
    } else at = path;
  }
  return places;
}

const partsOf = (root: string, path: string): string[] => relative(root, path).split(sep).filter(Boolean);
