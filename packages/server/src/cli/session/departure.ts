import type { ExitCode } from "../exit.ts";

interface Leaving {
  readonly code: ExitCode;
  /** What the person is told on the way out. */
  readonly words?: string;
}

/** Why a command stops watching before what it watches has ended. The first reason counts. */
export class Departure {
  private readonly controller = new AbortController();
  private outcome: { leaving: Leaving } | { error: unknown } | undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  leave(code: ExitCode, words?: string): void {
    this.end({ leaving: words === undefined ? { code } : { code, words } });
  }

  /** Something failed beside the stream that the command cannot go on without. */
  fail(error: unknown): void {
    this.end({ error });
  }

  /** Once the stream has ended because of the signal. Throws what failed. */
  reason(): Leaving {
    if (!this.outcome) throw new Error("nobody has left");
    if ("error" in this.outcome) throw this.outcome.error;
    return this.outcome.leaving;
  }

  private end(outcome: { leaving: Leaving } | { error: unknown }): void {
    this.outcome ??= outcome;
    this.controller.abort();
  }
}
