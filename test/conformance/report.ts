// The report of a run of checks: a line for each, then all failures, and `N passed, N failed` last.
import { describeFailure } from "../kit/failure.ts";
import type { Group } from "./groups.ts";

export class Report {
  readonly #words: readonly string[];
  readonly #failures: string[] = [];
  #passed = 0;

  /** Only checks whose title has all the `words` are run. */
  constructor(words: readonly string[]) {
    this.#words = words;
  }

  async run({ checks, close }: Group): Promise<void> {
    const selected = checks.filter(({ title }) => this.#words.every((word) => title.includes(word)));
    try {
      for (const { title, run } of selected) await this.#runCheck(title, run);
    } finally {
      await close();
    }
  }

  async #runCheck(title: string, run: () => Promise<void>): Promise<void> {
    const start = performance.now();
    const error = await run().then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error("rejected without an error"),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${error ? "FAILED" : "ok"}  ${title}  (${seconds} s)`);
    if (error) this.#failures.push(describeFailure(title, error));
    else this.#passed++;
  }

  /** Runs `whole`, then prints the failures and the totals. */
  async runAll(whole: () => Promise<unknown>): Promise<void> {
    await whole().catch((error: unknown) => this.#failures.push(describeFailure("the run itself", error)));
    for (const failure of this.#failures) console.log(failure);
    console.log(`${this.#passed} passed, ${this.#failures.length} failed`);
    process.exitCode = this.#failures.length > 0 || this.#passed === 0 ? 1 : 0;
  }
}
