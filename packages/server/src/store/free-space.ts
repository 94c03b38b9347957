import { statfs } from "node:fs/promises";

/** Often enough that an agent cannot fill the reserve between two checks. */
const lookEveryMs = 1_000;

/**
 * Watches the free space where the log lives. Below the reserve nothing new is accepted and agents are paused, so that
 * everything acknowledged can be finished; above it everything resumes automatically.
 */
export class FreeSpace implements Disposable {
  isFull = false;
  private readonly directory: string;
  private readonly minFree: number;
  private readonly onChange: (isFull: boolean) => void;
  private readonly timer: NodeJS.Timeout;
  private waiting: (() => void)[] = [];

  constructor(options: { directory: string; minFree: number; onChange: (isFull: boolean) => void }) {
    this.directory = options.directory;
    this.minFree = options.minFree;
    this.onChange = options.onChange;
    this.timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  /** Resolves at the next check that finds enough space. */
  available(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Never rejects: a failed check means nothing, and writers get the actual error. */
  async look(): Promise<void> {
    const found = await statfs(this.directory).catch(() => undefined);
    if (!found) return;
    const isFull = found.bavail * found.bsize < this.minFree;
    if (isFull !== this.isFull) {
      this.isFull = isFull;
      this.onChange(isFull);
    }
    if (isFull) return;
    const { waiting } = this;
    this.waiting = [];
    for (const resume of waiting) resume();
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }
}
