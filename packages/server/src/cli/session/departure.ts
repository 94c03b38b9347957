import type { ExitCode } from "../exit.ts";

interface Leaving {
  readonly code: ExitCode;
  /** Printed when the command stops watching. */
  readonly words?: string;
}

/** Why a command stops watching before the turn or session has ended. The first reason counts. */
export class Departure {
  private readonly controller = new AbortController();
  private outcome: { leaving: Leaving } | { error: unknown } | undefined;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  leave(code: ExitCode, words?: string): void {
    this.end({ leaving: words === undefined ? { code } : { code, words } });
  }

  /** For an error outside the stream that the command cannot continue after. */
  fail(error: unknown): void {
    this.end({ error });
  }

  /** To be called once the signal has ended the stream. Throws the error passed to `fail`. */
  reason(): Leaving {
    if (!this.outcome) throw new Error("neither leave nor fail was called");
    if ("error" in this.outcome) throw this.outcome.error;
    return this.outcome.leaving;
  }

  private end(outcome: { leaving: Leaving } | { error: unknown }): void {
    this.outcome ??= outcome;
    this.controller.abort();
  }
}
