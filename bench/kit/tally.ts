import { createHash, type Hash } from "node:crypto";
import type { SessionEvent } from "@drover/core";
import { blankUnit, numberAt, stampAt, UNIT } from "./unit.ts";

const filler = blankUnit.slice(blankUnit.lastIndexOf("0") + 1);

/**
 * The text of one turn, checked while it is read and not kept: for many clients or a long text.
 */
export class Tally {
  /** Milliseconds from write to read, of the oldest update in every live frame. */
  readonly latencies: number[] = [];
  /** Units that were out of order or malformed. */
  wrong = 0;
  next = 0;
  readonly #ended = Promise.withResolvers<void>();
  /** Resolves as soon as the client reads the end of the turn; rejects if the turn failed. */
  readonly ended = this.#ended.promise;
  readonly #hash: Hash | undefined;
  #item = "";
  /** Of the item. */
  #length = 0;
  #pending = "";

  constructor({ isHashed = false } = {}) {
    this.#hash = isHashed ? createHash("sha256") : undefined;
    // Avoid an unhandled rejection when nobody awaits this.
    this.ended.catch(() => undefined);
  }

  take(frame: SessionEvent, at: number): void {
    if (frame.type === "done") this.#end(frame.reason);
    else if (frame.type === "text_delta") {
      this.#begin(frame.itemId);
      this.#speak(frame.text, at);
    } else if (frame.type === "item" && frame.item.kind === "text") {
      this.#begin(frame.item.id);
      // A closed text may arrive whole after some of its deltas.
      this.#speak((frame.item.text ?? "").slice(this.#length), 0);
    }
  }

  /** A long text is several items. */
  #begin(itemId: string): void {
    if (itemId === this.#item) return;
    this.#item = itemId;
    this.#length = 0;
  }

  /** Whether it has all units from 0 to `count`, once and in order, and matches the hash if there is one. */
  isWhole({ count, sha256 }: { count: number; sha256?: string }): boolean {
    const isSame = this.#hash === undefined || this.#hash.copy().digest("hex") === sha256;
    return this.wrong === 0 && this.next === count && this.#pending === "" && isSame;
  }

  #end(reason: string): void {
    if (reason === "end_turn") this.#ended.resolve();
    else this.#ended.reject(new Error(`The turn ended with ${reason}`));
  }

  #speak(text: string, at: number): void {
    this.#hash?.update(text, "latin1");
    this.#length += text.length;
    const all = this.#pending === "" ? text : this.#pending + text;
    const stamp = at > 0 && all.length >= UNIT ? stampAt(all, 0) : 0;
    if (stamp > 0) this.latencies.push((at - stamp) / 1000);
    let from = 0;
    for (; from + UNIT <= all.length; from += UNIT) {
      if (numberAt(all, from) !== this.next || !all.startsWith(filler, from + UNIT - filler.length))
        this.wrong++;
      this.next++;
    }
    this.#pending = from === all.length ? "" : all.slice(from);
  }
}
