import { createHash } from "node:crypto";
import type { BurstReport } from "../agents/burst.ts";
import type { Check } from "../scenario.ts";
import { numberAt, stampAt, UNIT } from "./unit.ts";

export interface Finding {
  readonly missing: number;
  readonly twice: number;
  /** Every unit once, in order, and the joined text matches the agent's report byte for byte. */
  readonly isWhole: boolean;
  /** Milliseconds from write to read, one per unit with a timestamp. */
  readonly latencies: readonly number[];
}

/** The check of a turn that a client read; `gaps` are the reader's. */
export const wholeCheck = (what: string, { missing, twice, isWhole }: Finding, gaps: number): Check => ({
  what,
  ok: isWhole && gaps === 0,
  seen: `${missing} missing, ${twice} duplicated, ${gaps} gaps`,
});

/**
 * One turn's text as a client received it. `take` only stores it, so that it costs no measured time; `settle` checks every
 * unit.
 */
export class Ledger {
  #pieces: { text: string; at: number }[] = [];
  #length = 0;

  /** Complete units received so far. */
  get units(): number {
    return Math.floor(this.#length / UNIT);
  }

  /** The last piece received. */
  get last(): string {
    return this.#pieces.at(-1)?.text ?? "";
  }

  /** `at` is when it was read, in microseconds of `now()`. */
  take(text: string, at: number): void {
    this.#pieces.push({ text, at });
    this.#length += text.length;
  }

  /** Compares the received text with the agent's report, and releases it. */
  settle(written: BurstReport): Finding {
    const hash = createHash("sha256");
    const absent = new Set<number>();
    const latencies: number[] = [];
    let pending = "";
    let next = 0;
    let twice = 0;
    for (const { text, at } of this.#pieces) {
      hash.update(text, "latin1");
      const all = pending + text;
      let from = 0;
      for (; from + UNIT <= all.length; from += UNIT) {
        const number = numberAt(all, from);
        const stamp = stampAt(all, from);
        if (stamp > 0) latencies.push((at - stamp) / 1000);
        if (number < next && !absent.delete(number)) twice++;
        for (; next <= number; next++) if (next < number) absent.add(next);
      }
      pending = all.slice(from);
    }
    this.#pieces = [];
    const missing = absent.size + Math.max(0, written.count - next);
    const isSame = hash.digest("hex") === written.sha256;
    return { missing, twice, isWhole: missing === 0 && twice === 0 && isSame, latencies };
  }
}
