// How a run of checks tells what came of them: a line for each, the failures once more, and `N passed, N failed` last.
import { describeFailure } from "../kit/failure.ts";
import type { Group } from "./behaviours.ts";

export class Report {
  readonly #words: readonly string[];
  readonly #failures: string[] = [];
  #passed = 0;

  /** `words`: only checks are run whose title has all of them. */
  constructor(words: readonly string[]) {
    this.#words = words;
  }

  async run({ checks, close }: Group): Promise<void> {
    const wanted = checks.filter(({ title }) => this.#words.every((word) => title.includes(word)));
    try {
      for (const { title, run } of wanted) await this.#tell(title, run);
    } finally {
      await close();
    }
  }

  async #tell(title: string, run: () => Promise<void>): Promise<void> {
    const start = performance.now();
    const error = await run().then(
      () => undefined,
      (thrown: unknown) => thrown ?? new Error("it threw nothing"),
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${error ? "FAILED" : "ok"}  ${title}  (${seconds} s)`);
    if (error) this.#failures.push(describeFailure(title, error));
    else this.#passed++;
  }

  /** Runs all of it, and says how it went. */
  async over(whole: () => Promise<unknown>): Promise<void> {
    await whole().catch((error: unknown) => this.#failures.push(describeFailure("the run itself", error)));
    for (const failure of this.#failures) console.log(failure);
    console.log(`${this.#passed} passed, ${this.#failures.length} failed`);
    process.exitCode = this.#failures.length > 0 || this.#passed === 0 ? 1 : 0;
  }
}

/** Agents spend most of their time waiting; a lane takes the next group as soon as it has ended its last. */
export async function inLanes<T>(count: number, all: readonly T[], run: (one: T) => Promise<void>) {
  const rest = all.values();
  const lane = async () => {
    for (const one of rest) await run(one);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
