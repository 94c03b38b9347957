import { MARK } from "./environment.ts";
import { lineOf } from "./family.ts";
import { type ProcessEntry, readEntries, readEntry, readEnvironment, tellsImages } from "./process-table.ts";
import { Semaphore } from "./semaphore.ts";

/** How many environments are read in parallel: enough that new processes seldom take a second round. */
const READS_AT_ONCE = 32;

interface Remembered {
  readonly startTime: string;
  readonly image: string;
  readonly mark: string | undefined;
}

interface MarkSource {
  readonly environment: (pid: number) => Promise<string>;
  /** `image` of a process is `0` only if its environment cannot be read either. */
  readonly tellsImages: () => boolean;
}

/**
 * The mark each process carries, or carried when it was first seen: a program that replaces itself with one without the
 * mark still belongs to its session. An environment is read once per process and program, never twice in parallel.
 */
export class Marks {
  readonly #source: MarkSource;
  readonly #remembered = new Map<number, Remembered>();
  readonly #reading = new Map<string, Promise<boolean>>();
  readonly #reads = new Semaphore(READS_AT_ONCE);

  constructor(source: MarkSource) {
    this.#source = source;
  }

  /**
   * Reads what is not yet known about these processes, so that `of` can answer. False if one of them ended before its
   * mark was read.
   */
  async learn(entries: readonly ProcessEntry[]): Promise<boolean> {
    const unknown = entries.filter((entry) => this.#isUnknown(entry));
    const areRead = await Promise.all(unknown.map((entry) => this.#readOnce(entry)));
    return areRead.every((isRead) => isRead);
  }

  /** Only after `learn`. */
  of({ pid, startTime }: ProcessEntry): string | undefined {
    const known = this.#remembered.get(pid);
    return known?.startTime === startTime ? known.mark : undefined;
  }

  /** Forgets processes that have ended, given all living ones. */
  prune(living: readonly ProcessEntry[]): void {
    const pids = new Set(living.map(({ pid }) => pid));
    for (const pid of this.#remembered.keys()) {
      // A process may have started after the list was read.
      if (!pids.has(pid) && readEntry(pid) === undefined) this.#remembered.delete(pid);
    }
  }

  #isUnknown({ pid, startTime, image }: ProcessEntry): boolean {
    const known = this.#remembered.get(pid);
    if (known?.startTime === startTime) {
      if (known.mark !== undefined) return false;
      if (image !== "0" && known.image === image) return false;
    }
    // Kernel threads, dead processes, and other users' processes.
    return image !== "0" || !this.#source.tellsImages();
  }

  #readOnce(entry: ProcessEntry): Promise<boolean> {
    const key = `${entry.pid} ${entry.startTime} ${entry.image}`;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#read(entry).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #read({ pid, startTime, image }: ProcessEntry): Promise<boolean> {
    const environment = await this.#reads.run(() => this.#source.environment(pid));
    if (environment === "" && readEntry(pid)?.startTime !== startTime) return false;
    const start = `${MARK}=`;
    const mark = environment
      .split("\0")
      .find((variable) => variable.startsWith(start))
      ?.slice(start.length);
    this.#remembered.set(pid, { startTime, image, mark });
    return true;
  }
}

/** The marks of this machine's processes. */
export const marks = new Marks({ environment: readEnvironment, tellsImages });

/** The marks of a process and its ancestors. */
export async function marksAbove(pid: number): Promise<string[]> {
  const line = lineOf(pid, await readEntries());
  await marks.learn(line);
  return line.flatMap((entry) => marks.of(entry) ?? []);
}
