const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const tabStop = 8;

/** The columns a character takes, never underestimated: text that fits by this count does not wrap. */
function advance(character: string, column: number): number {
  if (character === "\t") return tabStop - (column % tabStop);
  return wide.test(character) ? 2 : 1;
}

/** Splits text into pieces of at most `columns`. Each piece starts at column `from`, which matters for tabs. */
export function wrap(text: string, columns: number, from = 0): string[] {
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of text) {
    let width = advance(character, from + used);
    if (used + width > columns && piece !== "") {
      pieces.push(piece);
      piece = "";
      used = 0;
      width = advance(character, from);
    }
    piece += character;
    used += width;
  }
  return [...pieces, piece];
}

/** As much of the start as fits, with an ellipsis if it is cut. */
export function fitStart(text: string, columns: number): string {
  const [first = "", ...more] = wrap(text, columns);
  if (more.length === 0) return first;
  return `${wrap(text, Math.max(0, columns - 1))[0]}…`;
}

/** As much of the end as fits, with an ellipsis if it is cut. */
export function fitEnd(text: string, columns: number): string {
  if (wrap(text, columns).length === 1) return text;
  const backwards = [...text].reverse().join("");
  const [last = ""] = wrap(backwards, Math.max(0, columns - 1));
  return `…${[...last].reverse().join("")}`;
}
