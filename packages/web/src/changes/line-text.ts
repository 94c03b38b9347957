import { exactText } from "@drover/core";

/** A line may be a whole minified program. The part beyond this is counted, not shown. */
const maxCharacters = 2_000;
const tabColumns = 4;

/** Everything but plain ASCII. */
const unusual = /[^\x20-\x7e]/;

/** A line as shown: invisible characters are spelled out, and long lines are cut. */
export function displayText(line: string): string {
  if (line.length <= maxCharacters && !unusual.test(line)) return line;
  const cut = line.slice(0, maxCharacters);
  const more = line.length > maxCharacters ? ` … and ${line.length - maxCharacters} more characters` : "";
  return `${exactText(cut.replace(/\r$/, "␍"))}${more}`;
}

/** Chinese, Japanese, Korean, emoji: two columns each. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** The width of a text in columns of a fixed-width font, without wrapping. Never too low. */
export function columnsOf(text: string): number {
  if (!unusual.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (character === "\t") columns += tabColumns - (columns % tabColumns);
    else columns += wide.test(character) ? 2 : 1;
  }
  // A wide character that does not fit at the end of a line leaves a column empty.
  return /[^\t\x20-\x7e]/.test(text) ? Math.ceil(columns * 1.03) : columns;
}
