import type { Key, Keyboard } from "../ask/keyboard.ts";
import { LineEditor } from "../ask/line-editor.ts";
import type { Screen } from "../view/screen.ts";

export interface ComposerOptions {
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly onMessage: (content: string) => void;
  /** Ctrl-C while nothing is being typed. */
  readonly onInterrupt: () => void;
  /** Ctrl-D while nothing is being typed. */
  readonly onLeave: () => void;
}

const prompt = "› ";

/** Where a person types the next message. Output is held back from the first letter until Enter or Esc. */
export class Composer implements Disposable {
  private readonly options: ComposerOptions;
  private readonly editor = new LineEditor();
  private readonly listening: Disposable;
  private free: PromiseWithResolvers<void> | undefined;
  private hold: Disposable | undefined;

  constructor(options: ComposerOptions) {
    this.options = options;
    this.listening = options.keyboard.listen((key) => this.take(key));
  }

  /** Resolves when no line is half typed, so that keys can be used for something else. */
  untilFree(): Promise<void> {
    if (this.editor.isEmpty) return Promise.resolve();
    this.free ??= Promise.withResolvers<void>();
    return this.free.promise;
  }

  [Symbol.dispose](): void {
    this.listening[Symbol.dispose]();
    this.release();
  }

  private take(key: Key): void {
    if (!this.editor.isEmpty) this.edit(key);
    else if (key.type === "interrupt") this.options.onInterrupt();
    else if (key.type === "end") this.options.onLeave();
    else if (key.type === "text") {
      this.hold ??= this.options.screen.hold();
      this.edit(key);
    }
  }

  private edit(key: Key): void {
    const { screen, onMessage } = this.options;
    const step = this.editor.take(key);
    if (step.type === "editing" && !this.editor.isEmpty) {
      screen.input(prompt + this.editor.drawn(screen.width - prompt.length - 1));
      return;
    }
    screen.input("");
    this.release();
    if (step.type === "entered" && step.text !== "") onMessage(step.text);
  }

  private release(): void {
    this.hold?.[Symbol.dispose]();
    this.hold = undefined;
    this.free?.resolve();
    this.free = undefined;
  }
}
