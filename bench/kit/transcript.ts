import type { EventOf, SessionEvent } from "@drover/core";
import { Ledger } from "./ledger.ts";

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
}

/** Every turn of a session as one client read it, live or by replay. */
export class Transcript {
  readonly #ledgers = new Map<string, Ledger>();
  readonly #dones = new Map<string, EventOf<"done">[]>();
  /** How much of each item has been read: a closed item may arrive whole after some of its deltas. */
  readonly #taken = new Map<string, number>();
  #waiters: Waiter[] = [];
  /** Frames with the agent's text. */
  frames = 0;

  ledger(turnId: string): Ledger {
    const ledger = this.#ledgers.get(turnId) ?? new Ledger();
    this.#ledgers.set(turnId, ledger);
    return ledger;
  }

  /** The ends of a turn; there must be exactly one. */
  dones(turnId: string): readonly EventOf<"done">[] {
    return this.#dones.get(turnId) ?? [];
  }

  take(frame: SessionEvent, at: number): void {
    switch (frame.type) {
      case "text_delta":
      case "thinking_delta":
        this.#speak(frame, frame.text, at);
        this.#taken.set(frame.itemId, (this.#taken.get(frame.itemId) ?? 0) + frame.text.length);
        break;
      case "item": {
        const { id, kind, text = "" } = frame.item;
        if (kind !== "text" && kind !== "thinking") break;
        this.#speak(frame, text.slice(this.#taken.get(id) ?? 0), at);
        this.#taken.set(id, text.length);
        break;
      }
      case "done":
        this.#dones.set(frame.turnId, [...this.dones(frame.turnId), frame]);
        break;
    }
    this.#wake();
  }

  /** Resolves as soon as a frame makes the condition true. */
  until(isMet: () => boolean, { deadline = 120_000, what = `${isMet}` } = {}): Promise<void> {
    if (isMet()) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => reject(new Error(`Not within ${deadline} ms: ${what}`)), deadline);
    this.#waiters.push({ isMet, resolve });
    return promise.finally(() => clearTimeout(timer));
  }

  #speak({ turnId }: SessionEvent, text: string, at: number): void {
    if (turnId === undefined) return;
    this.frames++;
    this.ledger(turnId).take(text, at);
  }

  #wake(): void {
    if (this.#waiters.length === 0) return;
    const met = this.#waiters.filter(({ isMet }) => isMet());
    if (met.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const { resolve } of met) resolve();
  }
}
