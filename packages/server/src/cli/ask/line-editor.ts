import { harmlessLine } from "../terminal/harmless.ts";
import { fitEnd } from "../terminal/width.ts";
import type { Key } from "./keyboard.ts";

/** What became of a key: the line goes on, was given up, or is finished, perhaps empty. */
export type EditStep =
  | { readonly type: "editing" }
  | { readonly type: "abandoned" }
  | { readonly type: "entered"; readonly text: string };

/** One line that a person types. Keys in, steps out; drawing it is the owner's. */
export class LineEditor {
  private text = "";

  get isEmpty(): boolean {
    return this.text === "";
  }

  take(key: Key): EditStep {
    switch (key.type) {
      case "text":
        this.text += key.text;
        return { type: "editing" };
      case "backspace":
        this.text = [...this.text].slice(0, -1).join("");
        return { type: "editing" };
      case "enter": {
        const text = this.text;
        this.text = "";
        return { type: "entered", text: text.trim() };
      }
      case "clear":
      case "escape":
      case "interrupt":
        this.text = "";
        return { type: "abandoned" };
      default:
        return { type: "editing" };
    }
  }

  /** Its end, which is where the person types, as far as it fits on one row. */
  drawn(width: number): string {
    return fitEnd(harmlessLine(this.text.replaceAll("\n", "⏎").replaceAll("\t", " ")), width);
  }
}
