import type { Cli, Input } from "../cli.ts";

/** One key press: a character, a whole paste, or a named key. */
export type Key =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "enter" | "escape" | "backspace" | "clear" | "interrupt" | "end" | "other" };

export type KeyHandler = (key: Key) => void;

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";

const named: Readonly<Record<string, Exclude<Key["type"], "text">>> = {
  "\r": "enter",
  "\n": "enter",
  "\u001b": "escape",
  "\u007f": "backspace",
  "\b": "backspace",
  "\u0015": "clear",
  "\u0003": "interrupt",
  "\u0004": "end",
};

/**
 * Passes single keys of a terminal to the handler that was added last. Without a handler the terminal is back in its
 * original mode, and Ctrl-C is a signal again.
 */
export class Keyboard implements Disposable {
  private readonly input: Input;
  private readonly cli: Cli;
  private readonly handlers: KeyHandler[] = [];
  private paste: string | undefined;
  private readonly onData = (data: string) => this.read(data);

  constructor(cli: Cli) {
    this.cli = cli;
    this.input = cli.stdin;
  }

  /** Passes keys to `handler` until disposed. An earlier handler gets none in the meantime. */
  listen(handler: KeyHandler): Disposable {
    this.handlers.push(handler);
    if (this.handlers.length === 1) this.start();
    return {
      [Symbol.dispose]: () => {
        const at = this.handlers.indexOf(handler);
        if (at < 0) return;
        this.handlers.splice(at, 1);
        if (this.handlers.length === 0) this.stop();
      },
    };
  }

  [Symbol.dispose](): void {
    if (this.handlers.splice(0).length > 0) this.stop();
  }

  private start(): void {
    this.input.setRawMode?.(true);
    this.input.setEncoding("utf8");
    this.input.on("data", this.onData);
    this.input.resume();
    this.cli.stderr.markPastes(true);
  }

  private stop(): void {
    this.cli.stderr.markPastes(false);
    this.input.off("data", this.onData);
    this.input.pause();
    this.input.setRawMode?.(false);
  }

  private read(data: string): void {
    for (const piece of splitPieces(data)) {
      if (piece === pasteStart) this.paste = "";
      else if (piece === pasteEnd) {
        const text = (this.paste ?? "").replaceAll("\r", "\n");
        this.paste = undefined;
        this.give({ type: "text", text });
      } else if (this.paste !== undefined) this.paste += piece;
      else this.give(toKey(piece));
    }
  }

  private give(key: Key): void {
    this.handlers.at(-1)?.(key);
  }
}

const esc = "\u001b";
const pieces = new RegExp(`${esc}\\[[0-9;?]*[A-Za-z~]|${esc}O[A-Z]|.`, "gsu");

/** Splits input into characters and whole escape sequences. */
const splitPieces = (data: string): string[] => data.match(pieces) ?? [];

function toKey(piece: string): Key {
  const type = named[piece];
  if (type) return { type };
  if (piece.length > 2 || (piece < " " && piece !== "\t")) return { type: "other" };
  return { type: "text", text: piece };
}
