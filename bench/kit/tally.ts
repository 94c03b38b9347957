import { createHash, type Hash } from "node:crypto";
import type { SessionEvent } from "@drover/core";
import { blankUnit, numberAt, stampAt, UNIT } from "./unit.ts";

const filler = blankUnit.slice(blankUnit.lastIndexOf("0") + 1);

/**
 * The one text of one turn, looked at while it is read and kept no longer: for clients that are many, or a text that
 * is long.
 */
export class Tally {
  /** Milliseconds from written to read, of the oldest update in every frame that came live. */
  readonly latencies: number[] = [];
  /** Units that were not the next one, or not what an agent writes. */
  wrong = 0;
  next = 0;
  readonly #ended = Promise.withResolvers<void>();
  /** Resolves in the moment the client reads the turn's end; rejects when that is not a good one. */
  readonly ended = this.#ended.promise;
  readonly #hash: Hash | undefined;
  #length = 0;
  #rest = "";

  constructor({ isHashed = false } = {}) {
    this.#hash = isHashed ? createHash("sha256") : undefined;
    // Whoever waits is told; nobody need.
    this.ended.catch(() => undefined);
  }

  take(frame: SessionEvent, at: number): void {
    if (frame.type === "done") this.#end(frame.reason);
    else if (frame.type === "text_delta") this.#speak(frame.text, at);
    else if (frame.type === "item" && frame.item.kind === "text") {
      // A closed text may come whole after some of its deltas.
      this.#speak((frame.item.text ?? "").slice(this.#length), 0);
    }
  }

  /** All units from 0 to `count`, each once, in order; with a hash also byte for byte what the agent wrote. */
  isWhole({ count, sha256 }: { count: number; sha256?: string }): boolean {
    const isSame = this.#hash === undefined || this.#hash.copy().digest("hex") === sha256;
    return this.wrong === 0 && this.next === count && this.#rest === "" && isSame;
  }

  #end(reason: string): void {
    if (reason === "end_turn") this.#ended.resolve();
    else this.#ended.reject(new Error(`The turn ended as ${reason}`));
  }

  #speak(text: string, at: number): void {
    this.#hash?.update(text, "latin1");
    this.#length += text.length;
    const all = this.#rest === "" ? text : this.#rest + text;
    const stamp = at > 0 && all.length >= UNIT ? stampAt(all, 0) : 0;
    if (stamp > 0) this.latencies.push((at - stamp) / 1000);
    let from = 0;
    for (; from + UNIT <= all.length; from += UNIT) {
      if (numberAt(all, from) !== this.next || !all.startsWith(filler, from + UNIT - filler.length))
        this.wrong++;
      this.next++;
    }
    this.#rest = from === all.length ? "" : all.slice(from);
  }
}
