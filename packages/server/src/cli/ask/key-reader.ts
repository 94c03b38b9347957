import type { Screen } from "../view/screen.ts";
import type { Key, Keyboard } from "./keyboard.ts";
import { LineEditor } from "./line-editor.ts";

/** Keys typed before the person could read a question are not an answer to it. */
const settleMs = 250;
/** A person who has just read the old request may be about to answer that one. */
const changedSettleMs = 2_000;

export interface KeyReaderOptions {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  /** Aborted when it was settled elsewhere. */
  readonly signal: AbortSignal;
  /** The agent changed the request while it was on the screen. */
  readonly isChanged: boolean;
  /** Ctrl-C is not a signal while keys are read one by one. */
  readonly onInterrupt: () => void;
}

/** Reads keys and lines for one question. Every read returns undefined once the signal is aborted. */
export class KeyReader implements Disposable {
  private readonly options: KeyReaderOptions;
  private readonly listening: Disposable;
  private readonly readyAt: number;
  private readonly typed: Key[] = [];
  private waiting: ((key: Key | undefined) => void) | undefined;

  constructor(options: KeyReaderOptions) {
    this.options = options;
    this.readyAt = performance.now() + (options.isChanged ? changedSettleMs : settleMs);
    this.listening = options.keyboard.listen((key) => this.take(key));
    options.signal.addEventListener("abort", () => this.give(undefined));
  }

  async key(): Promise<Key | undefined> {
    if (this.options.signal.aborted) return undefined;
    const key = this.typed.shift();
    if (key) return key;
    const { promise, resolve } = Promise.withResolvers<Key | undefined>();
    this.waiting = resolve;
    return promise;
  }

  /** Reads a line after a prompt; "abandoned" if the person pressed Esc. */
  async line(prompt: string): Promise<{ text: string } | "abandoned" | undefined> {
    const { screen } = this.options;
    const editor = new LineEditor();
    using _hold = screen.hold();
    try {
      for (;;) {
        screen.input(prompt + editor.drawn(screen.width - prompt.length - 1));
        const key = await this.key();
        if (!key) return undefined;
        const step = editor.take(key);
        if (step.type === "entered") return { text: step.text };
        if (step.type === "abandoned") return "abandoned";
      }
    } finally {
      screen.input("");
    }
  }

  [Symbol.dispose](): void {
    this.listening[Symbol.dispose]();
  }

  private take(key: Key): void {
    if (key.type === "interrupt") this.options.onInterrupt();
    else if (performance.now() < this.readyAt) return;
    else if (this.waiting) this.give(key);
    else this.typed.push(key);
  }

  private give(key: Key | undefined): void {
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.(key);
  }
}
