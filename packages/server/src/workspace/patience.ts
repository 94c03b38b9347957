/** Git took longer than it is allowed to. */
export class GitTimeout extends Error {
  override readonly name = "GitTimeout";
}

/**
 * Limits the time spent waiting for git. The clock starts at once and pauses while Drover waits for something else.
 * When time is up, `signal` aborts for good.
 */
export class Patience implements Disposable {
  private readonly controller = new AbortController();
  private readonly limitMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
    this.begin();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  begin(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(new GitTimeout()), this.limitMs);
  }

  rest(): void {
    clearTimeout(this.timer);
  }

  /** Ends everything that was started with this signal. */
  [Symbol.dispose](): void {
    this.rest();
    this.controller.abort(new Error("No longer wanted"));
  }
}
