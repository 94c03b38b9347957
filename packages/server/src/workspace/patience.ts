/** git was waited for as long as it may take. */
export class GitTimeout extends Error {
  override readonly name = "GitTimeout";
}

/**
 * Bounds the time git is waited for. It runs from the beginning; while somebody else is waited for, it rests. Too
 * long aborts `signal` for good.
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

  /** Nothing that was started with this runs on. */
  [Symbol.dispose](): void {
    this.rest();
    this.controller.abort(new Error("No longer wanted"));
  }
}
