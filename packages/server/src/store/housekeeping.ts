import type { Logger, Maintenance } from "../ports.ts";

const hourMs = 3_600_000;
/** How long a repeated request gets the same answer. */
const receiptsKeptMs = 24 * hourMs;

interface HousekeepingParts {
  readonly store: Pick<Maintenance, "pruneReceipts">;
  readonly logger: Logger;
  /** Milliseconds since the epoch; tests advance it. */
  readonly now?: () => number;
}

/** Every hour, deletes what is kept for a limited time. */
export class Housekeeping implements AsyncDisposable {
  private readonly parts: HousekeepingParts;
  private readonly timer: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: HousekeepingParts) {
    this.parts = parts;
    this.timer = setInterval(() => void this.run(), hourMs).unref();
  }

  /** Never rejects: whatever fails now is retried in an hour. */
  run(): Promise<void> {
    const { store, logger, now = Date.now } = this.parts;
    this.running = this.running
      .then(() => store.pruneReceipts(new Date(now() - receiptsKeptMs).toISOString()))
      .catch((error: unknown) => logger.warn("Pruning receipts failed", { error: String(error) }));
    return this.running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}
