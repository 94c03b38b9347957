import type { Line } from "./highlighter.ts";

/** A part of a line; `changed` if it differs on the other side. */
export interface Stretch {
  readonly text: string;
  readonly changed: boolean;
}

export interface Piece extends Stretch {
  readonly look?: string | undefined;
}

/** Splits a line wherever its colour changes, or a change starts or ends. */
export function piecesOf(stretches: readonly Stretch[], tokens: Line | undefined): readonly Piece[] {
  if (!tokens) return stretches;
  const pieces: Piece[] = [];
  let token = 0;
  let used = 0;
  for (const { text, changed } of stretches) {
    for (let at = 0; at < text.length; ) {
      const now = tokens[token];
      // Without colours, the remainder of the line is one piece.
      const length = now ? Math.min(now.text.length - used, text.length - at) : text.length - at;
      pieces.push({ text: text.slice(at, at + length), changed, look: now?.look });
      at += length;
      used += length;
      if (now && used >= now.text.length) {
        token++;
        used = 0;
      }
    }
  }
  return pieces;
}
