/** The SGR numbers that switch each style on and off. */
export const paints = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Paint = keyof typeof paints;

export interface Painted {
  readonly paint: Paint;
  readonly text: Styled;
}

/**
 * Text with styles, as a value. Only a `Writer` turns it into bytes, and it treats every string as plain words, so no
 * string can carry an escape sequence.
 */
export type Styled = string | Painted | readonly Styled[];

const painter =
  (paint: Paint) =>
  (...text: Styled[]): Painted => ({ paint, text });

export const style = {
  bold: painter("bold"),
  dim: painter("dim"),
  red: painter("red"),
  green: painter("green"),
  yellow: painter("yellow"),
  cyan: painter("cyan"),
};

/** The text without its styles. */
export function plain(text: Styled): string {
  if (typeof text === "string") return text;
  return "paint" in text ? plain(text.text) : text.map(plain).join("");
}
