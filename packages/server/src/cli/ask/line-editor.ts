import { harmlessLine } from "../terminal/harmless.ts";
import { fitEnd } from "../terminal/width.ts";
import type { Key } from "./keyboard.ts";

/** The effect of a key: editing continues, was abandoned, or the line was entered. The line may be empty. */
export type EditStep =
  | { readonly type: "editing" }
  | { readonly type: "abandoned" }
  | { readonly type: "entered"; readonly text: string };

/** A line that a person types. Its owner draws it. */
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

  /** As much of the end of the line as fits on one row; the person types at the end. */
  drawn(width: number): string {
    return fitEnd(harmlessLine(this.text.replaceAll("\n", "⏎").replaceAll("\t", " ")), width);
  }
}
